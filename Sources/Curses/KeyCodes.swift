import CNcurses
import Foundation
import Terminal

/// What ncurses calls a key, and what we call it.
@MainActor
enum KeyCodes {
  /// Codes of our own, beyond KEY_MAX and beyond what ncurses gives to extended keys.
  static let pasteStart: Int32 = 2000
  static let mouse: Int32 = 2001
  static let oldMouse: Int32 = 2002
  private static let firstSequence: Int32 = 2003

  /// Sequences that terminals send whatever their entry in terminfo says, and those that have no name there.
  private static let sequences: [(bytes: String, key: Key)] = [
    ("\u{1B}[1~", .home), ("\u{1B}[7~", .home), ("\u{1B}[H", .home), ("\u{1B}OH", .home),
    ("\u{1B}[4~", .end), ("\u{1B}[8~", .end), ("\u{1B}[F", .end), ("\u{1B}OF", .end),
    ("\u{1B}[A", .up), ("\u{1B}[B", .down), ("\u{1B}[C", .right), ("\u{1B}[D", .left),
    ("\u{1B}OA", .up), ("\u{1B}OB", .down), ("\u{1B}OC", .right), ("\u{1B}OD", .left),
    ("\u{1B}[2~", .insert), ("\u{1B}[3~", .delete), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown),
    ("\u{1B}[1;2A", .shiftUp), ("\u{1B}[1;2B", .shiftDown), ("\u{1B}[a", .shiftUp), ("\u{1B}[b", .shiftDown),
    ("\u{1B}[1;5A", .controlUp), ("\u{1B}[1;5B", .controlDown), ("\u{1B}Oa", .controlUp),
    ("\u{1B}Ob", .controlDown),
    ("\u{1B}[5;5~", .controlPageUp), ("\u{1B}[6;5~", .controlPageDown),
    ("\u{1B}[5^", .controlPageUp), ("\u{1B}[6^", .controlPageDown), ("\u{1B}[Z", .backTab),
    ("\u{1B}OP", .function(1)), ("\u{1B}OQ", .function(2)), ("\u{1B}OR", .function(3)),
    ("\u{1B}OS", .function(4)),
    ("\u{1B}[11~", .function(1)), ("\u{1B}[12~", .function(2)), ("\u{1B}[13~", .function(3)),
    ("\u{1B}[14~", .function(4)), ("\u{1B}[15~", .function(5)), ("\u{1B}[17~", .function(6)),
    ("\u{1B}[18~", .function(7)), ("\u{1B}[19~", .function(8)), ("\u{1B}[20~", .function(9)),
    ("\u{1B}[21~", .function(10)), ("\u{1B}[23~", .function(11)), ("\u{1B}[24~", .function(12)),
  ]

  /// Tells ncurses about them. Its own codes for the same bytes give way.
  static func define() {
    define_key("\u{1B}[200~", pasteStart)
    define_key("\u{1B}[<", mouse)
    define_key("\u{1B}[M", oldMouse)
    for (index, sequence) in sequences.enumerated() {
      define_key(sequence.bytes, firstSequence + Int32(index))
    }
  }

  /// The code of a sequence, which is without its ESC, or of that with which it begins, as a report of the mouse does; nil for one that
  /// nobody has told ncurses about.
  static func code(of sequence: String) -> Int32? {
    let code = key_defined("\u{1B}" + sequence)
    return code > 0 ? code : nil
  }

  /// The key of a function code; nil for one that means nothing to us.
  static func key(_ code: Int32) -> Key? {
    let index = Int(code - firstSequence)
    if sequences.indices.contains(index) { return sequences[index].key }
    return code > KEY_MAX ? named(code) : plain[code] ?? function(code)
  }

  private static func function(_ code: Int32) -> Key? {
    let number = code - KEY_F0
    return (1...12).contains(number) ? .function(Int(number)) : nil
  }

  /// Keys beyond KEY_MAX have another number under every TERM, but always the same name.
  private static func named(_ code: Int32) -> Key? {
    guard let name = keyname(code) else { return nil }
    return names[String(cString: name)]
  }

  private static let names: [String: Key] = [
    "kUP": .shiftUp, "kDN": .shiftDown, "kUP5": .controlUp, "kDN5": .controlDown,
    "kPRV5": .controlPageUp, "kNXT5": .controlPageDown,
  ]

  private static let plain: [Int32: Key] = [
    KEY_UP: .up, KEY_DOWN: .down, KEY_LEFT: .left, KEY_RIGHT: .right,
    KEY_HOME: .home, KEY_END: .end, KEY_LL: .end, KEY_PPAGE: .pageUp, KEY_NPAGE: .pageDown,
    KEY_A1: .home, KEY_A3: .pageUp, KEY_C1: .end, KEY_C3: .pageDown,
    KEY_IC: .insert, KEY_DC: .delete, KEY_BACKSPACE: .backspace, KEY_ENTER: .enter, KEY_BTAB: .backTab,
    KEY_SR: .shiftUp, KEY_SF: .shiftDown, KEY_SLEFT: .left, KEY_SRIGHT: .right,
  ]
}

extension Key {
  /// The key of a code point that was typed. Ctrl-Space and the like, which have no name here, are nil.
  init?(typed scalar: Unicode.Scalar) {
    switch scalar.value {
    case 9: self = .tab
    case 13: self = .enter
    case 27: self = .escape
    case 8, 127: self = .backspace
    case 1...26: self = .control(Character(Unicode.Scalar(UInt8(scalar.value) + 0x60)))
    // Where a keyboard has Ctrl-/ it sends the same.
    case 31: self = .control("_")
    case 0..<32, 0x80..<0xA0: return nil
    default: self = .character(Character(scalar))
    }
  }
}

/// What follows an escape at once, if that begins a sequence: one that nobody has told ncurses about. It is swallowed whole, or its
/// letters would run as commands.
///
/// `ESC [ … final`, `ESC O x`, or `ESC ] … BEL` (also ended by `ESC \`, as is `ESC P`). Any other `ESC x` is two keys, or one with Alt. With
/// `ESC ^`, `_` and `X` begin strings, too, but none that a terminal sends to a program that asks as we do. Some terminals put the number
/// of a modifier before the x, as in `ESC O 3 B`, which is Alt and Down.
struct EscapeTail {
  private enum Kind { case start, sequence, one, string, stringEnd, done }
  private var kind = Kind.start

  /// Whether more is to come behind an escape and this; otherwise it is a key that was pressed behind the escape.
  static func begins(with scalar: UInt32) -> Bool { EscapeTail().next(scalar) != .done }

  /// Takes the next code point; false once the sequence has ended with it.
  mutating func swallow(_ scalar: UInt32) -> Bool {
    kind = next(scalar)
    return kind != .done
  }

  private func next(_ scalar: UInt32) -> Kind {
    switch (kind, scalar) {
    case (.start, 0x5B): .sequence
    case (.start, 0x4F): .one
    case (.start, 0x5D), (.start, 0x50): .string
    case (.start, 0x1B): .start
    case (.sequence, 0x40...0x7E): .done
    case (.sequence, _): .sequence
    case (.one, 0x30...0x39), (.one, 0x3B): .one
    case (.string, 0x07): .done
    case (.string, 0x1B): .stringEnd
    case (.string, _): .string
    case (.start, _), (.one, _), (.stringEnd, _), (.done, _): .done
    }
  }
}

/// What follows an escape, as far as it has come. Over a slow line an answer of the terminal, or a key, may come in pieces, with pauses as
/// long as between keys; what it goes on with must run no command.
struct EscapeSequence {
  /// Without its ESC.
  private(set) var text = ""
  private(set) var isEnded = false
  /// Whether what has come of it was given out as keys: nobody waits long before an Escape is one.
  private(set) var isTold = false
  /// Whether that Escape came by itself.
  private var isApart = false
  var mayBeAnswer = false
  private var tail = EscapeTail()
  private let begun = ContinuousClock.now
  private var last = ContinuousClock.now

  private static let numbers = "0123456789"
  private static let digits = numbers + ";"
  /// With which a key ends that has numbers, and the opening of a paste.
  private static let ends = "ABCDEFHPQRSZu~^"
  /// With which one ends that has none.
  private static let letters = "ABCDEFHMPQRSZabcd"

  /// Whether it is of a key, a paste or the mouse, and not a string.
  var isOfKey: Bool { text.hasPrefix("[") || text.hasPrefix("O") }

  /// Whether it may be a string of the terminal's, or `]` or `P`, which somebody has typed behind Esc. What follows at once shows it.
  var mayBeString: Bool { Self.stringBeginnings[text] != nil }

  /// Whether a code point that follows at once makes it one, as long as the terminal has not answered all.
  func isString(with scalar: UInt32) -> Bool {
    guard let scalar = Unicode.Scalar(scalar) else { return false }
    return Self.stringBeginnings[text]?.contains(Character(scalar)) == true
  }

  /// With what the strings go on that terminals answer with, as in `]11;rgb:…`, `P>|…` and `P1$r…`.
  private static let stringBeginnings = ["]": numbers, "P": numbers + ">$+=?!"]

  /// Takes the next code point; false once the sequence has ended with it.
  mutating func swallow(_ scalar: UInt32, at now: ContinuousClock.Instant) -> Bool {
    if let scalar = Unicode.Scalar(scalar) { text.unicodeScalars.append(scalar) }
    last = now
    let isLast = !tail.swallow(scalar)
    // What the mouse tells is read as such. Where it is only to be dropped nobody waits for it: it is of the sequence.
    isEnded = isTold ? isLast && !isInOldReport : isLast || text == "[<"
    return !isEnded
  }

  /// Whether it is a report of the mouse, the old way, which lacks some of its three characters: they may be any.
  private var isInOldReport: Bool { isTold && text.hasPrefix("[M") && text.unicodeScalars.count < 5 }

  /// Gives out as keys what has come of it.
  mutating func tell() { (isTold, isApart) = (true, isApart || text.isEmpty) }

  /// Whether this is no more than one key behind what had come before, and so typed by hand: a terminal sends more at once.
  func isTyped(behind begun: Self) -> Bool {
    begun.comesInBursts && text.unicodeScalars.count == begun.text.unicodeScalars.count + 1
  }

  /// As long as it has no number.
  private var comesInBursts: Bool { isTold && mayBeString || isApart && hasNoNumber }

  /// Whether a code point that comes after a pause is of this, and no key.
  func mayGoOn(with scalar: UInt32, at now: ContinuousClock.Instant, _ pauses: Pauses) -> Bool {
    guard let scalar = Unicode.Scalar(scalar) else { return false }
    let isPatient = now < last + pauses.behindPiece
    if mayBeAnswer, isPatient, answering.contains(Character(scalar)) { return true }
    return (mayBeTyped ? now < begun + pauses.behindEscape : isPatient) && mayFollow(scalar)
  }

  /// Whether keys that follow an Escape fast are the same, as far as it has come. Nobody types a number behind `[` in that time.
  private var mayBeTyped: Bool { isTold && hasNoNumber }

  private var hasNoNumber: Bool { ["", "[", "O"].contains(text) }

  private func mayFollow(_ next: Unicode.Scalar) -> Bool {
    isInOldReport ? next >= " " : following.contains(Character(next))
  }

  /// See the answers of ``CursesTerminal``.
  private var answering: String {
    switch text {
    case "": "[]"
    case "[": "?"
    case _ where text.hasPrefix("[?"): Self.digits + "c"
    case "]": Self.numbers
    case _ where text.hasSuffix("\u{1B}"): "\\"
    case _ where text.hasPrefix("]"): Self.digits + "abcdefABCDEFrg:/#\u{7}\u{1B}"
    default: ""
    }
  }

  /// Behind `[` and a number all of it, as nobody types that in one breath with Esc.
  private var following: String {
    switch text {
    case "": "[O"
    case "[": Self.digits + "<" + Self.letters
    case "O": Self.digits + Self.letters
    case _ where text.hasPrefix("[?"): Self.digits + "c"
    case _ where text.hasPrefix("[<"): Self.digits + "Mm"
    case _ where isOfKey: Self.digits + Self.ends
    default: ""
    }
  }
}
