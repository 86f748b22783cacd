import Merging
import StoreInterface

extension DemoSamples {
  /// One of every sort, as the list shows them from the top.
  var conflicts: [Sample] {
    [
      oneOfEverything, sameTime, otherTable, deletedThere, deletedHere, noAncestor, serverNewer, clientNewer,
      noClash, onlyServer, sameEdit, emptyAgainstNull, wideCharacters, normalForms, controlCharacters, cover,
      largeNumbers, longText, sevenFields, backToAncestor, unreadableAncestor, unreadableServer,
      missingParent, requiredField, textKey,
    ]
  }

  /// An earlier version of a record that came in again since: only the newest counts.
  var superseded: Sample {
    oneOfEverything.receiving(["title": (text("Dentist?"), ago(minutes: 400))], ago(minutes: 399))
  }

  private func text(_ text: String) -> Value { .text(text) }

  private var oneOfEverything: Sample {
    let (mine, theirs, tie) = (ago(minutes: 6), ago(minutes: 1), ago(minutes: 6))
    return reminder(
      42, "Call dentist", list: DemoSamples.inbox,
      ["notes": text(DemoTexts.dentist), "dueDate": date(inDays: 1), "priority": .integer(1)]
    ).editedHere(
      [
        "title": text("Call dentist today"), "notes": text(DemoTexts.dentistHere), "dueDate": date(inDays: 2),
        "isCompleted": .integer(1), "remindersListID": text(DemoSamples.health),
      ], mine
    ).receiving(
      [
        "title": (text("Call Dr. Wu"), theirs), "notes": (text(DemoTexts.dentistThere), theirs),
        "priority": (.integer(3), theirs), "isCompleted": (.integer(1), ago(minutes: 9)),
        "remindersListID": (text(DemoSamples.family), tie),
      ], ago(minutes: 1), path: "send")
  }

  private var sameTime: Sample {
    reminder(87, "Rotate garden beds", list: DemoSamples.garden, ["dueDate": date(inDays: 3)])
      .editedHere(["dueDate": date(inDays: 4)], ago(minutes: 4))
      .receiving(["dueDate": (date(inDays: 10), ago(minutes: 4))], ago(minutes: 3))
  }

  private var otherTable: Sample {
    list(DemoSamples.groceries, "Groceries", color: 16_752_384, position: 3)
      .editedHere(["color": .integer(5_341_173)], ago(minutes: 9))
      .receiving(["color": (.integer(9_849_600), ago(minutes: 9))], ago(minutes: 8))
  }

  private var deletedThere: Sample {
    reminder(91, "Old invoice", ["notes": text("Number 2031, the blue folder")])
      .editedHere(["title": text("Old invoice, paid"), "isCompleted": .integer(1)], ago(minutes: 14))
      .receiving(.deletion, ago(minutes: 12))
  }

  private var deletedHere: Sample {
    reminder(92, "Water the tomatoes", list: DemoSamples.garden)
      .deletedHere(ago(minutes: 18))
      .receiving(["notes": (text("Twice a day while it is hot"), ago(minutes: 16))], ago(minutes: 15))
  }

  private var noAncestor: Sample {
    reminder(3, "Trip plan").withAncestor(.none)
      .editedHere(["notes": text("By train, leave at nine"), "priority": .integer(2)], ago(minutes: 22))
      .receiving(
        [
          "notes": (text("By plane, leave at noon"), ago(minutes: 20)),
          "priority": (.integer(1), ago(minutes: 20)),
        ],
        ago(minutes: 20))
  }

  private var serverNewer: Sample {
    reminder(16, "Coffee", list: DemoSamples.groceries, ["priority": .integer(1)])
      .editedHere(["priority": .integer(2)], ago(minutes: 55))
      .receiving(["priority": (.integer(3), ago(minutes: 25))], ago(minutes: 24))
  }

  private var clientNewer: Sample {
    reminder(20, "Paint fence", list: DemoSamples.garden, ["estimate": .real(1.5)])
      .editedHere(["title": text("Paint the fence"), "estimate": .real(2)], ago(minutes: 31))
      .receiving(
        ["title": (text("Paint fence green"), ago(minutes: 50)), "estimate": (.real(2.5), ago(minutes: 50))],
        ago(minutes: 30))
  }

  private var noClash: Sample {
    reminder(12, "Milk", list: DemoSamples.groceries, ["priority": .integer(1)])
      .editedHere(["title": text("Milk 2%")], ago(minutes: 45))
      .receiving(["priority": (.integer(3), ago(minutes: 40))], ago(minutes: 39), path: "probe")
  }

  private var onlyServer: Sample {
    reminder(13, "Bread", list: DemoSamples.groceries)
      .receiving(["title": (text("Bread, rye"), ago(minutes: 42))], ago(minutes: 41), path: "probe")
  }

  private var sameEdit: Sample {
    reminder(24, "Water plant", list: DemoSamples.garden)
      .editedHere(["title": text("Water plants")], ago(minutes: 60))
      .receiving(["title": (text("Water plants"), ago(minutes: 58))], ago(minutes: 57))
  }

  private var emptyAgainstNull: Sample {
    reminder(25, "Spare keys", ["notes": text("Under the mat")])
      .editedHere(["notes": .null], ago(minutes: 70))
      .receiving(["notes": (text(""), ago(minutes: 65))], ago(minutes: 64))
  }

  private var wideCharacters: Sample {
    reminder(26, "買い物", list: DemoSamples.groceries)
      .editedHere(["title": text("買い物リスト 🛒")], ago(minutes: 80))
      .receiving(["title": (text("買い物メモ 👩‍👩‍👧‍👦"), ago(minutes: 75))], ago(minutes: 74))
  }

  /// The same to look at, other bytes: one é is one scalar, the other an e with a mark.
  private var normalForms: Sample {
    reminder(27, "Cafe")
      .editedHere(["title": text("Caf\u{E9}")], ago(minutes: 85))
      .receiving(["title": (text("Cafe\u{301}"), ago(minutes: 82))], ago(minutes: 81))
  }

  private var controlCharacters: Sample {
    reminder(28, "Pasted from a terminal")
      .editedHere(["title": text("Pasted \u{1B}[31mred\u{7} text")], ago(minutes: 95))
      .receiving(
        ["title": (text("Pasted <b>bold</b>\ttext\r\nin two lines"), ago(minutes: 92))], ago(minutes: 91))
  }

  private var cover: Sample {
    func picture(_ byte: UInt8) -> Value {
      .blob(Blob(bytes: DemoTexts.pictureHeader + Array(repeating: byte, count: 600)))
    }
    return reminder(29, "Garden poster", list: DemoSamples.garden, ["cover": picture(0x61)])
      .editedHere(["cover": picture(0x62)], ago(minutes: 100))
      .receiving(["cover": (picture(0x63), ago(minutes: 97))], ago(minutes: 96))
  }

  private var largeNumbers: Sample {
    reminder(30, "Count the stars", ["priority": .integer(9_007_199_254_740_993), "estimate": .real(1)])
      .editedHere(["priority": .integer(9_007_199_254_740_995)], ago(minutes: 110))
      .receiving(["estimate": (.real(3), ago(minutes: 105))], ago(minutes: 104))
  }

  private var longText: Sample {
    reminder(31, "Letter to the landlord", ["notes": text(DemoTexts.letter())])
      .editedHere(["notes": text(DemoTexts.letter(replacing: 3))], ago(minutes: 120))
      .receiving(["notes": (text(DemoTexts.letter(replacing: 36)), ago(minutes: 115))], ago(minutes: 114))
  }

  /// Every way in which three versions of a field can stand to each other.
  private var sevenFields: Sample {
    let (older, mine, newer) = (ago(minutes: 140), ago(minutes: 130), ago(minutes: 125))
    let names = (1...7).map { "field\($0)" }
    let key = DemoSamples.key(7)
    let row = RowImage(uniqueKeysWithValues: names.map { ($0, text("foo")) })
    return Sample(
      table: "mergeModels", key: key,
      row: row.merging(["id": text(key), "title": text("The seven fields of a merge")]) { field, _ in field },
      time: agreed
    ).editedHere(
      RowImage(
        uniqueKeysWithValues: ["field2", "field4", "field5", "field6", "field7"].map { ($0, text("bar")) }),
      mine
    ).receiving(
      [
        "field3": (text("baz"), newer), "field4": (text("baz"), newer), "field5": (text("baz"), older),
        "field6": (text("baz"), mine), "field7": (text("bar"), newer),
      ], ago(minutes: 124))
  }

  private var backToAncestor: Sample {
    reminder(32, "Pay rent", ["priority": .integer(2)])
      .editedHere(["title": text("Pay rent!")], ago(minutes: 150))
      .receiving(["priority": (.null, ago(minutes: 145))], ago(minutes: 144))
  }

  private var unreadableAncestor: Sample {
    reminder(33, "Piano lesson").withAncestor(.damaged)
      .editedHere(["notes": text("Bring the red book")], ago(minutes: 160))
      .receiving(["notes": (text("Bring the blue book"), ago(minutes: 155))], ago(minutes: 154))
  }

  private var unreadableServer: Sample {
    reminder(34, "Ask about insurance")
      .editedHere(["notes": text("They answer after ten")], ago(minutes: 170))
      .receiving(.damaged, ago(minutes: 165))
  }

  /// The server moved it to a list that this device never got.
  private var missingParent: Sample {
    reminder(35, "Wood for the shed", list: DemoSamples.garden)
      .editedHere(["title": text("Buy wood for the shed")], ago(minutes: 180))
      .receiving(["remindersListID": (text(DemoSamples.key(9)), ago(minutes: 175))], ago(minutes: 174))
  }

  /// The server's title was removed, and the column does not allow that here.
  private var requiredField: Sample {
    reminder(36, "Call the plumber")
      .editedHere(["title": text("Call the plumber again")], ago(minutes: 190))
      .receiving(["title": (.null, ago(minutes: 185))], ago(minutes: 184))
  }

  private var textKey: Sample {
    Sample(table: "tags", key: "urgent", row: ["title": text("urgent"), "uses": .integer(4)], time: agreed)
      .editedHere(["uses": .integer(6)], ago(minutes: 200))
      .receiving(["uses": (.integer(5), ago(minutes: 195))], ago(minutes: 194))
  }
}

/// The longer texts of the demo store.
enum DemoTexts {
  static let dentist = """
    Ask about wisdom tooth and cleaning.
    Bring insurance card.

    Park in the back.

    Appointment 14:00
    """

  static let dentistHere = """
    Ask about the wisdom tooth and cleaning.
    Bring both cards.

    Park in the back.

    Appointment 14:30
    """

  static let dentistThere = """
    Ask about wisdom tooth, X-ray
    and cleaning.
    Bring new insurance card.

    Appointment 14:30
    """

  /// What a PNG file begins with.
  static let pictureHeader: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Forty paragraphs, one of them rewritten.
  static func letter(replacing changed: Int? = nil) -> String {
    (1...40).map { (number: Int) in
      number == changed
        ? "\(number). This has been settled by telephone; thank you for calling back so soon."
        : "\(number). The window in room \(number) does not close in the evening, and the heating below it stays cold."
    }.joined(separator: "\n\n")
  }
}
