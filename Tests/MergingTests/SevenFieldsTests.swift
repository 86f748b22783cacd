import Merging
import Testing

/// The seven fields of the model: what both sides did to a text that was "foo" at time 0.
struct SevenFields: Sendable, CustomTestStringConvertible {
  let number: Int
  let client: (value: String, time: Int64)
  let server: (value: String, time: Int64)
  let change: Change
  let draft: String
  let source: Source?
  let certainty: Certainty?
  let reason: Reason

  var testDescription: String { "field \(number)" }
  var versions: ThreeWay<FieldVersion<String>> {
    fieldVersions("foo", client.value, server.value, clientTime: client.time, serverTime: server.time)
  }

  static func all(tie: TieRule) -> [SevenFields] {
    let isClient = tie == .client
    return [
      SevenFields(
        number: 1, client: ("foo", 0), server: ("foo", 0), change: .unchanged, draft: "foo", source: nil,
        certainty: nil, reason: .unchanged),
      SevenFields(
        number: 2, client: ("bar", 100), server: ("foo", 0), change: .onlyClient, draft: "bar",
        source: .client,
        certainty: .sure, reason: .onlyChanged(.client)),
      SevenFields(
        number: 3, client: ("foo", 0), server: ("baz", 200), change: .onlyServer, draft: "baz",
        source: .server,
        certainty: .sure, reason: .onlyChanged(.server)),
      SevenFields(
        number: 4, client: ("bar", 100), server: ("baz", 200), change: .different, draft: "baz",
        source: .server,
        certainty: .byClock, reason: .newer(.server, by: 100)),
      SevenFields(
        number: 5, client: ("bar", 100), server: ("baz", 50), change: .different, draft: "bar",
        source: .client,
        certainty: .byClock, reason: .newer(.client, by: 50)),
      SevenFields(
        number: 6, client: ("bar", 100), server: ("baz", 100), change: .different,
        draft: isClient ? "bar" : "baz", source: isClient ? .client : .server, certainty: .yours,
        reason: .sameTime(100, tieRule: isClient ? .client : .server)),
      SevenFields(
        number: 7, client: ("bar", 100), server: ("bar", 200), change: .same, draft: "bar", source: .both,
        certainty: .sure, reason: .agree),
    ]
  }
}

@Suite struct SevenFieldsTests {
  @Test(arguments: SevenFields.all(tie: .client))
  func theClientWinsTies(field: SevenFields) { expectSuggestion(field, tie: .client) }

  @Test(arguments: SevenFields.all(tie: .server))
  func theServerWinsTies(field: SevenFields) { expectSuggestion(field, tie: .server) }

  private func expectSuggestion(_ field: SevenFields, tie: TieRule) {
    let versions = field.versions
    #expect(versions.map(\.value).change == field.change)
    let expected = Suggestion(
      field.draft, source: field.source, certainty: field.certainty, reason: field.reason)
    #expect(MergePolicy.latest(tie: tie).suggestion(for: versions) == expected)
  }

  @Test(arguments: TieRule.allCases)
  func aRecordOfTheSevenMergesFieldByField(tie: TieRule) throws {
    let seven = SevenFields.all(tie: tie)
    let conflict = sevenFieldRecord(seven, tie: tie)
    #expect(conflict.kind == .edit)
    #expect(conflict.fields.map(\.change) == [.unchanged] + seven.map(\.change))
    #expect(conflict.subjects == (2...7).map { .field("field\($0)") })
    #expect(conflict.certainty == .yours)

    let draft = try #require(conflict.draft(conflict.accepting(.yours, in: Resolution())))
    let expected = seven.map {
      FieldDraft(name: "field\($0.number)", value: .text($0.draft), source: $0.source)
    }
    #expect(draft == Draft(id: "1:mergeModels", action: .save(expected)))
  }

  private func sevenFieldRecord(_ seven: [SevenFields], tie: TieRule) -> RecordConflict {
    func side(_ value: (SevenFields) -> (value: String, time: Int64)) -> RecordVersion {
      var fields = ["id": FieldVersion(Value.integer(1), time: nil)]
      for field in seven {
        fields["field\(field.number)"] = FieldVersion(.text(value(field).value), time: value(field).time)
      }
      return .present(fields)
    }
    return RecordConflict(
      id: "1:mergeModels", table: "mergeModels", primaryKey: "1", title: "foo",
      fields: [Field("id", isPrimaryKey: true)] + seven.map { Field("field\($0.number)") },
      versions: ThreeWay(ancestor: side { _ in ("foo", 0) }, client: side(\.client), server: side(\.server)),
      rules: MergeRules(tie: tie))
  }
}
