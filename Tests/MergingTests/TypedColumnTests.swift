import Foundation
import Merging
import Testing

/// A row with the types of columns that apps have.
private struct Errand: Mergeable {
  enum Status: String, Sendable { case open, done }
  struct Address: Equatable, Sendable {
    var street = ""
    var city: String?
  }
  /// No Equatable.
  struct Color: Sendable { var rgb = 0 }

  let id: UUID = Errand.only
  var status = Status.open
  var due: Date?
  var parent: UUID?
  var photo: Data?
  var price: Decimal = 0
  var isPaid: Bool?
  var places: UInt8 = 0
  var address = Address()
  var color: Color?
  var labels: [String] = []

  private static let only = UUID()
  var primaryKey: UUID { id }

  static let mergeFields: [MergeField<Errand>] = [
    .field("status", \.status, .doneWins),
    .field("due", \.due, .minimum),
    .field("parentID", \.parent),
    .field("photo", \.photo, .server),
    .field("price", \.price, .sum),
    .field("isPaid", \.isPaid),
    .field("places", \.places, .counter),
    .field("street", \.address.street, .text),
    .field("city", \.address.city, .latest(tie: .server)),
    .field("color", \.color, comparing: { $0?.rgb }),
    .field("labels", \.labels, .latest(margin: 1000)),
  ]
}

extension MergePolicy where Value == Errand.Status {
  fileprivate static var doneWins: MergePolicy {
    .custom("doneWins") { _, client, server in client == .done ? client : server }
  }
}

extension MergePolicy where Value == Decimal {
  fileprivate static var sum: MergePolicy {
    .custom("sum") { old, client, server in old.map { client + server - $0 } }
  }
}

@Suite struct TypedColumnTests {
  private func conflict(
    hasAncestor: Bool = true, _ client: (inout Errand) -> Void, _ server: (inout Errand) -> Void
  ) -> MergeConflict<Errand> {
    let ancestor = RowVersion(row: Errand(), columnTimes: [:])
    var (here, there) = (Errand(), Errand())
    client(&here)
    server(&there)
    return MergeConflict(
      ancestor: hasAncestor ? ancestor : nil,
      client: RowVersion(clientRow: here, modificationTime: 100, ancestor: ancestor),
      server: RowVersion(clientRow: there, modificationTime: 200, ancestor: ancestor))
  }

  @Test func everyColumnIsMergedByItsPolicy() {
    let day = Date(timeIntervalSince1970: 86_400)
    let (one, two) = (UUID(), UUID())
    let draft = conflict {
      ($0.status, $0.due, $0.parent, $0.price, $0.places) = (.done, day, one, 3, 2)
      ($0.address, $0.color) = (.init(street: "Old road 1", city: "Rome"), .init(rgb: 1))
    } _: {
      ($0.due, $0.parent, $0.photo, $0.price, $0.places) = (day + 60, two, Data([1]), 5, 3)
      ($0.address.city, $0.color, $0.isPaid) = ("Oslo", .init(rgb: 2), true)
    }.resolved()
    #expect(draft.status == .done && draft.due == day && draft.parent == two && draft.photo == Data([1]))
    #expect(draft.price == 8 && draft.places == 5 && draft.isPaid == true)
    #expect(draft.address == .init(street: "Old road 1", city: "Oslo") && draft.color?.rgb == 2)
  }

  @Test func whatAPolicyCannotComputeIsAPersons() {
    let conflict = conflict {
      ($0.due, $0.places) = (Date(timeIntervalSince1970: 0), 200)
    } _: {
      ($0.places, $0.labels) = (100, ["shop"])
    }
    #expect(conflict.columns(below: .sure) == ["places"])
    #expect(conflict.suggestion(for: \.places, policy: .counter).reason == .policyNotApplicable("counter"))
    let late = self.conflict {
      $0.labels = ["home"]
    } _: {
      $0.labels = ["shop"]
    }
    #expect(late.columns(below: .byClock) == ["labels"])
  }

  @Test func theSameEditReachesAPolicyOfEveryType() {
    let conflict = conflict {
      ($0.price, $0.places) = (3, 2)
    } _: {
      ($0.price, $0.places) = (3, 2)
    }
    #expect(conflict.resolved().price == 6 && conflict.resolved().places == 4)
    #expect(conflict.mergedValue(for: \.price) == 3)
    let unknown = self.conflict(hasAncestor: false) {
      $0.price = 3
    } _: {
      $0.price = 3
    }
    #expect(unknown.resolved().price == 3)
  }

  /// It has no column, and so no time.
  @Test func whatIsNoFieldIsMergedWithoutTimes() {
    let conflict = conflict {
      $0.address.city = "Rome"
    } _: {
      $0.address.city = "Oslo"
    }
    #expect(conflict.suggestion(for: \.address).reason == .sameTime(nil, tieRule: .client))
    #expect(conflict.versions.server.modificationTime(for: \.address.city) == 200)
    #expect(conflict.resolved().address.city == "Oslo")
  }
}
