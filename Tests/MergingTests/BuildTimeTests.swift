import TerminalTestSupport
import Testing

/// What does not compile, by the compiler's own word: so that a policy that cannot work is told while the app is built.
@Suite(.enabled(if: SwiftCompiler.isHere, "needs swiftc, and the modules of this build"))
struct BuildTimeTests {
  private static let declarations = """
    import Merging
    struct Point: Sendable { var x: Int }
    struct Note: Sendable {
      let id: Int
      var title: String
      var seen: Int
      var size: Double
      var tags: Set<String>
      var body: String?
      var place: Point
      var length: Int { title.count }
      var twice: Int { get { seen * 2 } set { seen = newValue / 2 } }
      var there: Point?
    }
    extension Note: Mergeable {
      var primaryKey: Int { id }
      static let mergeFields: [MergeField<Note>] = []
    }
    """

  private static let fine = [
    #"let _: MergeField<Note> = .field("title", \.title)"#,
    #"let _: MergeField<Note> = .field("title", \.title, .text)"#,
    #"let _: MergeField<Note> = .field("seen", \.seen, .counter)"#,
    #"let _: MergeField<Note> = .field("size", \.size, .counter)"#,
    #"let _: MergeField<Note> = .field("tags", \.tags, .set)"#,
    #"let _: MergeField<Note> = .field("body", \.body, .text)"#,
    #"let _: MergeField<Note> = .field("body", \.body, .maximum)"#,
    #"let _: MergeField<Note> = .field("place", \.place, comparing: \.x, .latest(tie: .server))"#,
    #"let _: MergeField<Note> = .field("place", \.place, comparing: \.x, .maximum(tie: .server))"#,
    #"let _: MergeField<Note> = .field("body", \.body, .customIfPresent("longer") { $1.count < $2.count ? $2 : $1 })"#,
    // What Swift cannot refuse, and the pages tell.
    #"let _: MergeField<Note> = .field("twice", \.twice)"#,
    #"let _: MergeField<Note> = .field("x", \.there!.x)"#,
    #"_ = conflict.mergedValue(for: \.seen, policy: .counter)"#,
    "_ = draft.title",
  ]

  private static let number = "'counter' is unavailable: a counter needs a number"
  private static let stored =
    "'field' is unavailable: a field is a 'var' that is stored: leave the primary key"
  private static let compared = "'field' is unavailable: values that are not Equatable need to say what"

  private static let refused = [
    #"let _: MergeField<Note> = .field("title", \.title, .counter)"#: number,
    #"let _: MergeField<Note> = .field("title", \.title, .counter(tie: .server))"#:
      "'counter(tie:)' is unavailable: a counter needs a number",
    #"let _: MergeField<Note> = .field("body", \.body, .counter)"#: number,
    #"let _: MergeField<Note> = .field("seen", \.seen, .text)"#: "a text is merged in a String",
    #"let _: MergeField<Note> = .field("seen", \.seen, .keys)"#: "JSON is merged by its keys in a String",
    #"let _: MergeField<Note> = .field("size", \.size, .set)"#: "a set needs a set",
    #"let _: MergeField<Note> = .field("tags", \.tags, .maximum)"#: "values that are Comparable",
    #"let _: MergeField<Note> = .field("tags", \.tags, .minimum)"#: "values that are Comparable",
    #"let _: MergeField<Note> = .field("id", \.id)"#: stored,
    #"let _: MergeField<Note> = .field("id", \.id, .client)"#: stored,
    #"let _: MergeField<Note> = .field("length", \.length)"#: stored,
    #"let _: MergeField<Note> = .field("place", \.place)"#: compared,
    #"let _: MergeField<Note> = .field("place", \.place, .server)"#: compared,
    #"let _: MergeField<Note> = .field("place", \.place, comparing: \.x, .counter)"#: number,
    #"_ = conflict.mergedValue(for: \.title, policy: .counter)"#: number,
    "_ = draft.id": "'id' is a 'let' constant",
    "_ = draft.length": "'length' is a get-only property",
  ]

  /// And the error says what the policy needs.
  @Test func aPolicyThatDoesNotFitItsFieldDoesNotCompile() throws {
    let lines = Self.fine + Self.refused.keys
    let errors = try SwiftCompiler.errors(in: Self.source(of: lines))
    let first = Self.declarations.split(separator: "\n").count + 2
    for (index, line) in lines.enumerated() {
      let (error, expected) = (errors[first + index], Self.refused[line])
      #expect((error != nil) == (expected != nil), "\(line): \(error ?? "no error")")
      if let error, let expected { #expect(error.contains(expected), "\(line)") }
    }
    #expect(errors.count == Self.refused.count, "\(errors)")
  }

  /// As the pages tell: a row is Sendable, and a struct in another file has to say it.
  @Test func aTypeInAnotherFileHasToSayThatItIsSendable() throws {
    let source = """
      import Merging
      extension Note: Mergeable {
        var primaryKey: Int { id }
        static let mergeFields: [MergeField<Note>] = [.field("title", \\.title)]
      }
      """
    let type = "{ let id: Int; var title: String }"
    #expect(try SwiftCompiler.errors(in: source, beside: "struct Note: Sendable \(type)") == [:])
    let errors = try SwiftCompiler.errors(in: source, beside: "struct Note \(type)")
    #expect(
      errors.values.contains { $0.contains("'Sendable' must occur in the same source file") }, "\(errors)")
  }

  private static func source(of lines: [String]) -> String {
    let function = "func body(conflict: MergeConflict<Note>, draft: RowDraft<Note>) {"
    return ([declarations, function] + lines + ["}"]).joined(separator: "\n")
  }
}
