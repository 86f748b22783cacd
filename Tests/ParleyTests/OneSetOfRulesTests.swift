import Foundation
import Merging
import Synchronization
import Testing

@testable import parley

/// A type of column: its small values, how they are stored, and what an app declares for each rule that fits it.
private protocol ColumnType {
  associatedtype Value: Equatable & Sendable
  static var kind: Field.Kind { get }
  static var declaredType: String { get }
  static var values: [Value] { get }
  static func policy(_ rule: MergeRule, _ tie: TieRule) -> MergePolicy<Value>?
  static func stored(_ value: Value) -> Merging.Value
  static func read(_ value: Merging.Value) -> Value?
  static func isSame(_ left: Value, _ right: Value) -> Bool
}

extension ColumnType {
  static var declaredType: String { "ANY" }

  /// The policies that fit every type.
  static func sidePolicy(_ rule: MergeRule, _ tie: TieRule) -> MergePolicy<Value>? {
    switch rule {
    case .latest: .latest(tie: tie)
    case .client: .client
    case .server: .server
    case .ancestor: .ancestor(tie: tie)
    case .counter, .set, .maximum, .minimum, .text, .keys: nil
    }
  }

  static func isSame(_ left: Value, _ right: Value) -> Bool { left == right }

  static var rules: [MergeRule] {
    Once.of(Self.self) { MergeRule.allCases.filter { policy($0, .client) != nil } }
  }
}

/// What a generic type has of its own: Swift keeps none of it, and a walk asks for it a million times.
private enum Once {
  private static let made = Mutex<[ObjectIdentifier: any Sendable]>([:])

  static func of<Made: Sendable>(_ type: Any.Type, _ make: () -> Made) -> Made {
    made.withLock { made in
      if let known = made[ObjectIdentifier(type)] as? Made { return known }
      let new = make()
      made[ObjectIdentifier(type)] = new
      return new
    }
  }
}

private enum Integers: ColumnType {
  static let kind = Field.Kind.integer
  static let values = [1, 2, -5, Int.max]
  static func policy(_ rule: MergeRule, _ tie: TieRule) -> MergePolicy<Int>? {
    switch rule {
    case .counter: .counter(tie: tie)
    case .maximum: .maximum(tie: tie)
    case .minimum: .minimum(tie: tie)
    default: sidePolicy(rule, tie)
    }
  }
  static func stored(_ value: Int) -> Merging.Value { .integer(Int64(value)) }
  static func read(_ value: Merging.Value) -> Int? {
    if case .integer(let integer) = value { Int(integer) } else { nil }
  }
}

/// Without NaN, which no column can hold, and -0.0, which a Double takes for 0.0.
private protocol RealColumn: ColumnType where Value == Double {}

extension RealColumn {
  static var kind: Field.Kind { .real }
  static func policy(_ rule: MergeRule, _ tie: TieRule) -> MergePolicy<Double>? {
    switch rule {
    case .counter: .counter(tie: tie)
    case .maximum: .maximum(tie: tie)
    case .minimum: .minimum(tie: tie)
    default: sidePolicy(rule, tie)
    }
  }
  static func read(_ value: Merging.Value) -> Double? {
    switch value {
    case .real(let real): real
    case .integer(let integer): Double(exactly: integer)
    default: nil
    }
  }
}

private enum Reals: RealColumn {
  static let values = [0, 1.5, -0.1, 1.7e308]
  static func stored(_ value: Double) -> Merging.Value { .real(value) }
}

/// As a NUMERIC column keeps them: what is whole as an integer.
private enum NumericReals: RealColumn {
  static let (kind, declaredType) = (Field.Kind.numeric, "NUMERIC")
  static let values = [3, 1.5, -2, 1.7e308]
  static func stored(_ value: Double) -> Merging.Value {
    Int64(exactly: value).map(Merging.Value.integer) ?? .real(value)
  }
}

private protocol TextColumn: ColumnType where Value == String {}

extension TextColumn {
  static var kind: Field.Kind { .text }
  static func policy(_ rule: MergeRule, _ tie: TieRule) -> MergePolicy<String>? {
    switch rule {
    case .maximum: .maximum(tie: tie)
    case .minimum: .minimum(tie: tie)
    case .text: .text(tie: tie)
    case .keys: .keys(tie: tie)
    default: sidePolicy(rule, tie)
    }
  }
  static func stored(_ value: String) -> Merging.Value { .text(value) }
  static func read(_ value: Merging.Value) -> String? {
    if case .text(let text) = value { text } else { nil }
  }
  /// As a store has them; String's own equality would pass a draft in another normal form.
  static func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
}

private enum Texts: TextColumn {
  static let values = [
    "red car", "blue car", "red bus", #"{"a":1}"#, #"{"a":2,"b":[1]}"#, #"{"a":1,"c":0}"#,
  ]
}

/// In a column without a type, which holds a text as one.
private enum UndeclaredTexts: TextColumn {
  static let (kind, declaredType) = (Field.Kind.any, "")
  static let values = ["red car", #"{"a":1}"#, #"{"a":2}"#, #"{"a":1,"b":[1]}"#]
}

/// Texts that Swift and bytes order or compare in another way: two normal forms, and what lies between them.
private enum OtherTexts: TextColumn {
  static let values = ["é", "e\u{301}", "f", "🧑‍🚀", "Z", "a", ""]
}

/// As a column of JSON holds a set.
private protocol SetColumn: ColumnType where Value == Set<Element> {
  associatedtype Element: Hashable & Comparable & Codable & Sendable
}

extension SetColumn {
  static var kind: Field.Kind { .text }
  static func policy(_ rule: MergeRule, _ tie: TieRule) -> MergePolicy<Set<Element>>? {
    rule == .set ? .set(tie: tie) : sidePolicy(rule, tie)
  }
  static func stored(_ value: Set<Element>) -> Merging.Value {
    let json = try? JSONEncoder().encode(value.sorted())
    return .text(String(decoding: json ?? Data(), as: UTF8.self))
  }
  static func read(_ value: Merging.Value) -> Set<Element>? {
    guard case .text(let text) = value else { return nil }
    return (try? JSONDecoder().decode([Element].self, from: Data(text.utf8))).map(Set.init)
  }
}

private protocol TextSetColumn: SetColumn where Element == String {}

extension TextSetColumn {
  /// As a store has them; a set's own equality would pass elements in another normal form.
  static func isSame(_ left: Set<String>, _ right: Set<String>) -> Bool {
    Set(left.map { Array($0.utf8) }) == Set(right.map { Array($0.utf8) })
  }
}

private enum Sets: TextSetColumn {
  static let values: [Set<String>] = [[], ["a"], ["b"], ["a", "b"], ["b", "c"]]
}

/// One text in two normal forms, by itself and beside others.
private enum OtherSets: TextSetColumn {
  static let values: [Set<String>] = [[], ["é"], ["e\u{301}"], ["é", "a"], ["e\u{301}", "b"], ["a", "b"]]
}

private enum IntegerSets: SetColumn {
  typealias Element = Int
  static let values: [Set<Int>] = [[], [1], [2, -1], [1, 2]]
}

/// The same column, where it may be NULL.
private protocol NullableColumn: ColumnType where Value == Base.Value? { associatedtype Base: ColumnType }

extension NullableColumn {
  static var kind: Field.Kind { Base.kind }
  static var declaredType: String { Base.declaredType }
  static var values: [Base.Value?] { [nil] + Base.values.prefix(3).map(\.self) }
  static func stored(_ value: Base.Value?) -> Merging.Value { value.map(Base.stored) ?? .null }
  static func read(_ value: Merging.Value) -> Base.Value?? {
    value == .null ? .some(nil) : Base.read(value).map(Optional.some)
  }
  static func isSame(_ left: Base.Value?, _ right: Base.Value?) -> Bool {
    guard let left, let right else { return left == right }
    return Base.isSame(left, right)
  }
}

private enum NullableIntegers: NullableColumn {
  typealias Base = Integers
  static func policy(_ rule: MergeRule, _ tie: TieRule) -> MergePolicy<Int?>? {
    switch rule {
    case .counter: .counter(tie: tie)
    case .maximum: .maximum(tie: tie)
    case .minimum: .minimum(tie: tie)
    default: sidePolicy(rule, tie)
    }
  }
}

private protocol NullableRealColumn: NullableColumn where Value == Double? {}

extension NullableRealColumn {
  static func policy(_ rule: MergeRule, _ tie: TieRule) -> MergePolicy<Double?>? {
    switch rule {
    case .counter: .counter(tie: tie)
    case .maximum: .maximum(tie: tie)
    case .minimum: .minimum(tie: tie)
    default: sidePolicy(rule, tie)
    }
  }
}

private enum NullableReals: NullableRealColumn { typealias Base = Reals }
private enum NullableNumericReals: NullableRealColumn { typealias Base = NumericReals }

private protocol NullableTextColumn: NullableColumn where Value == String? {}

extension NullableTextColumn {
  static func policy(_ rule: MergeRule, _ tie: TieRule) -> MergePolicy<String?>? {
    switch rule {
    case .maximum: .maximum(tie: tie)
    case .minimum: .minimum(tie: tie)
    case .text: .text(tie: tie)
    case .keys: .keys(tie: tie)
    default: sidePolicy(rule, tie)
    }
  }
}

private enum NullableTexts: NullableTextColumn {
  typealias Base = Texts
  static let values: [String?] = [nil, "red car", "red bus", #"{"a":1}"#]
}

private enum NullableUndeclaredTexts: NullableTextColumn {
  typealias Base = UndeclaredTexts
  static let values = [nil] + UndeclaredTexts.values.dropFirst().map(Optional.some)
}

private enum NullableOtherTexts: NullableTextColumn {
  typealias Base = OtherTexts
  static let values: [String?] = [nil, "é", "e\u{301}", "ez"]
}

private protocol NullableTextSetColumn: NullableColumn where Value == Set<String>? {}

extension NullableTextSetColumn {
  static func policy(_ rule: MergeRule, _ tie: TieRule) -> MergePolicy<Set<String>?>? {
    rule == .set ? .set(tie: tie) : sidePolicy(rule, tie)
  }
}

private enum NullableSets: NullableTextSetColumn { typealias Base = Sets }
private enum NullableOtherSets: NullableTextSetColumn { typealias Base = OtherSets }

private protocol Tie { static var rule: TieRule { get } }
private enum ToTheClient: Tie { static let rule = TieRule.client }
private enum ToTheServer: Tie { static let rule = TieRule.server }

/// A row of an app that has one column for each rule, named after it.
private struct Sample<Column: ColumnType, Ties: Tie>: Mergeable {
  var columns: [Column.Value]
  var primaryKey: Int { 1 }

  init(all value: Column.Value) { columns = Array(repeating: value, count: Column.rules.count) }

  static var mergeFields: [MergeField<Sample>] {
    let rules = Column.rules
    return Once.of(Self.self) {
      rules.enumerated().map { index, rule in
        .field(rule.rawValue, \.columns[index], Column.policy(rule, Ties.rule) ?? .latest())
      }
    }
  }
}

/// What an app declares in Swift and what the desk reads in its configuration are one set of rules: walked over all small
/// inputs, each of some values on each side, the ancestor also missing, with every order of the times, and with clocks that are
/// apart or ahead.
@Suite struct OneSetOfRulesTests {
  @Test func integers() throws { try walk(Integers.self) }
  @Test func reals() throws { try walk(Reals.self) }
  @Test func realsInANumericColumn() throws { try walk(NumericReals.self) }
  @Test func suchRealsOrNull() throws { try walk(NullableNumericReals.self) }
  @Test func textsInAColumnWithoutAType() throws { try walk(UndeclaredTexts.self) }
  @Test func theseOrNull() throws { try walk(NullableUndeclaredTexts.self) }
  @Test func texts() throws { try walk(Texts.self) }
  @Test func sets() throws { try walk(Sets.self) }
  @Test func setsOfIntegers() throws { try walk(IntegerSets.self) }
  @Test func setsOfTextsThatSwiftTakesForOne() throws { try walk(OtherSets.self) }
  @Test func suchSetsOrNull() throws { try walk(NullableOtherSets.self) }
  @Test func integersOrNull() throws { try walk(NullableIntegers.self) }
  @Test func realsOrNull() throws { try walk(NullableReals.self) }
  @Test func textsOrNull() throws { try walk(NullableTexts.self) }
  @Test func textsThatSwiftComparesInAnotherWay() throws { try walk(OtherTexts.self) }
  @Test func suchTextsOrNull() throws { try walk(NullableOtherTexts.self) }
  @Test func setsOrNull() throws { try walk(NullableSets.self) }

  @Test func everyRuleOfTheDeskCanBeDeclaredByAnApp() {
    let declared = Set(Integers.rules + Texts.rules + Sets.rules)
    #expect(declared == Set(MergeRule.allCases))
    #expect(Set(NullableIntegers.rules + NullableTexts.rules + NullableSets.rules) == declared)
    #expect(Reals.rules == Integers.rules && NullableReals.rules == Reals.rules)
  }

  /// Which value wins a tie and what the clocks are worth do not meet: the one is walked with times that count as they are.
  private func walk<Column: ColumnType>(_ column: Column.Type) throws {
    try walk(column, ToTheClient.self, 0, nil)
    try walk(column, ToTheServer.self, 0, nil)
  }

  /// Of the smallest type: what a clock is worth hangs on no value.
  @Test(arguments: clocks) func clocksThatAreApartOrAhead(margin: Int64, latestTime: Int64?) throws {
    try walk(Sets.self, ToTheClient.self, margin, latestTime)
    try walk(NullableReals.self, ToTheServer.self, margin, latestTime)
  }

  private func walk<Column: ColumnType, Ties: Tie>(
    _: Column.Type, _: Ties.Type, _ margin: Int64, _ latestTime: Int64?
  ) throws {
    var rules = try Self.desk(Column.self, Ties.rule, margin)
    let declared = MergeRules(table: "samples", of: Sample<Column, Ties>.self, tie: Ties.rule, margin: margin)
    #expect(rules == declared)
    rules.latestTime = latestTime
    for ancestor in Column.values.map(Optional.some) + [nil] {
      for client in Column.values {
        for server in Column.values {
          for (clientTime, serverTime) in Self.times {
            compare(
              ThreeWay<FieldVersion<Column.Value>>(
                ancestor: ancestor.map { FieldVersion($0, time: 0) },
                client: FieldVersion(client, time: clientTime),
                server: FieldVersion(server, time: serverTime)), Column.self, Ties.self, rules)
          }
        }
      }
    }
  }

  private static let times: [(Int64?, Int64?)] = [
    (10, 20), (20, 10), (10, 10), (nil, 10), (10, nil), (nil, nil),
  ]

  /// How far apart the clocks may be, and how far ahead: some of the times are, and some are not.
  private static let clocks: [(margin: Int64, latestTime: Int64?)] = [
    (10, nil), (11, nil), (0, 20), (0, 19), (11, 19),
  ]

  private static func desk<Column: ColumnType>(
    _: Column.Type, _ tie: TieRule, _ margin: Int64
  ) throws -> MergeRules {
    let policies = Column.rules.map { "  samples.\($0.rawValue): \($0.rawValue)" }
    let yaml = (["tie: \(tie.rawValue)", "margin: \(margin)ns", "policies:"] + policies).joined(
      separator: "\n")
    return try Configuration(yaml: yaml, file: "config.yaml", themes: []).rules(forStore: "app.db", tie: nil)
  }

  @Test func aTimeIsAheadOfTheSameMomentForBoth() {
    let version = RowVersion(row: Sample<Integers, ToTheClient>(all: 1), columnTimes: [:])
    let conflict = MergeConflict(ancestor: nil, client: version, server: version)
    for now in [0, 1_000_000, Int64.max - 1] {
      #expect(conflict.at(now).latestTime == MergeRules().at(now).latestTime)
    }
    #expect(conflict.latestTime == nil && conflict.margin == MergeRules().margin)
  }

  private func compare<Column: ColumnType, Ties: Tie>(
    _ versions: ThreeWay<FieldVersion<Column.Value>>, _: Column.Type, _: Ties.Type, _ rules: MergeRules
  ) {
    let desk = Self.desk(versions, Column.self, rules)
    var app = Self.app(versions, Column.self, Ties.self)
    (app.margin, app.latestTime) = (rules.margin, rules.latestTime)
    let deskDraft = desk.draft(desk.accepting(.yours, in: Resolution()))
    let draft = app.resolved()
    for (index, rule) in Column.rules.enumerated() {
      let value = deskDraft?[rule.rawValue].flatMap(Column.read)
      #expect(value.map { Column.isSame($0, draft.columns[index]) } == true, "\(rule) of \(versions)")
    }
    for certainty in [Certainty.sure, .byClock] {
      let less = desk.fields.filter { ($0.suggestion.certainty ?? .sure) < certainty }.map(\.name)
      #expect(app.columns(below: certainty) == less, "\(versions)")
    }
    let changed = Column.rules.map(\.rawValue).filter { name in
      deskDraft?[name].flatMap(Column.read).map { Column.isSame($0, versions.client.value) } != true
    }
    #expect(draft.changedColumns() == changed, "\(versions)")
  }

  private static func desk<Column: ColumnType>(
    _ versions: ThreeWay<FieldVersion<Column.Value>>, _: Column.Type, _ rules: MergeRules
  ) -> RecordConflict {
    RecordConflict(
      id: "1:samples", table: "samples", primaryKey: "1", title: "sample",
      fields: Column.rules.map { Field($0.rawValue, kind: Column.kind, declaredType: Column.declaredType) },
      versions: versions.map { version in
        let field = FieldVersion(Column.stored(version.value), time: version.time)
        return .present(Dictionary(uniqueKeysWithValues: Column.rules.map { ($0.rawValue, field) }))
      }, rules: rules)
  }

  private static func app<Column: ColumnType, Ties: Tie>(
    _ versions: ThreeWay<FieldVersion<Column.Value>>, _: Column.Type, _: Ties.Type
  ) -> MergeConflict<Sample<Column, Ties>> {
    let rows = versions.map { version in
      let times = version.time.map { time in Column.rules.map { ($0.rawValue, time) } } ?? []
      return RowVersion(
        row: Sample<Column, Ties>(all: version.value), columnTimes: Dictionary(uniqueKeysWithValues: times))
    }
    return MergeConflict(ancestor: rows.ancestor, client: rows.client, server: rows.server)
  }
}
