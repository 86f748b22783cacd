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
    #"_ = conflict.mergedValue(for: \.seen, policy: .counter)"#,
    "_ = draft.title",
  ]

  private static let refused = [
    #"let _: MergeField<Note> = .field("title", \.title, .counter)"#,
    #"let _: MergeField<Note> = .field("body", \.body, .counter)"#,
    #"let _: MergeField<Note> = .field("seen", \.seen, .text)"#,
    #"let _: MergeField<Note> = .field("size", \.size, .set)"#,
    #"let _: MergeField<Note> = .field("tags", \.tags, .maximum)"#,
    #"let _: MergeField<Note> = .field("id", \.id)"#,
    #"let _: MergeField<Note> = .field("length", \.length)"#,
    #"let _: MergeField<Note> = .field("place", \.place)"#,
    #"let _: MergeField<Note> = .field("place", \.place, comparing: \.x, .counter)"#,
    #"_ = conflict.mergedValue(for: \.title, policy: .counter)"#,
    "_ = draft.id",
    "_ = draft.length",
  ]

  @Test func aPolicyThatDoesNotFitItsFieldDoesNotCompile() throws {
    let errors = try SwiftCompiler.errors(in: Self.source(of: Self.fine + Self.refused))
    let first = Self.declarations.split(separator: "\n").count + 2
    for (index, line) in (Self.fine + Self.refused).enumerated() {
      let error = errors[first + index]
      #expect((error != nil) == Self.refused.contains(line), "\(line): \(error ?? "no error")")
    }
    #expect(errors.count == Self.refused.count, "\(errors)")
  }

  private static func source(of lines: [String]) -> String {
    let function = "func body(conflict: MergeConflict<Note>, draft: RowDraft<Note>) {"
    return ([declarations, function] + lines + ["}"]).joined(separator: "\n")
  }
}
