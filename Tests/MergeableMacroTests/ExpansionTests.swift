#if Macros
  import Foundation
  import TerminalTestSupport
  import Testing

  /// What the macro writes, and what it refuses, by the compiler's own word.
  @Suite(.enabled(if: SwiftCompiler.isHere, "needs swiftc, and the modules of this build"))
  struct ExpansionTests {
    private static let around = """
      import MergeableMacro
      struct Point: Sendable { var x: Int }
      extension MergePolicy where Value == Bool {
        static var either: MergePolicy { .custom("either") { _, client, server in client || server } }
      }
      extension MergePolicy where Value == Compared<Point, Int> {
        static var right: MergePolicy { .custom("right") { $1.key > $2.key ? $1 : $2 } }
      }
      @attached(peer) macro Column(_ name: String? = nil, generated: Int? = nil, primaryKey: Bool = false) =
        #externalMacro(module: "MergeableExpansion", type: "FieldMarker")
      @attached(peer) macro Columns() = #externalMacro(module: "MergeableExpansion", type: "FieldMarker")
      @attached(peer) macro Ephemeral() = #externalMacro(module: "MergeableExpansion", type: "FieldMarker")

      """

    /// What is written of a type, without the places of its fields.
    private func written(_ type: String) throws -> [String] {
      let text = try SwiftCompiler.expansions(in: Self.around + type)
      let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      let start = lines.drop { !$0.contains("extension ") || !$0.hasSuffix("{") }
      return start.prefix { !$0.hasPrefix("-----") }.filter { !$0.hasPrefix("#sourceLocation") }
    }

    private func fields(_ members: String) throws -> [String] {
      try written("@Mergeable struct Row {\n\(members)\n}").compactMap { line in
        guard line.hasPrefix("fields.append(MergeField<Self>"), line.hasSuffix(")") else { return nil }
        return String(line.dropFirst(30).dropLast())
      }
    }

    @Test func aTypeIsExtendedByItsKeyAndItsFields() throws {
      let type = """
        @Mergeable struct Reminder {
          let id: Int
          var title: String
          @Policy(.counter) var visits = 0
        }
        """
      #expect(
        try written(type) == [
          "nonisolated extension Reminder: Mergeable {", "var primaryKey: Int {", "id", "}",
          "static let mergeFields: [MergeField<Self>] = listMergeFields()",
          "private static func listMergeFields() -> [MergeField<Self>] {",
          "var fields: [MergeField<Self>] = []",
          #"fields.append(MergeField<Self>.field("title", \.title))"#,
          #"fields.append(MergeField<Self>.field("visits", \.visits, .counter))"#, "return fields", "}", "}",
        ])
    }

    @Test(
      "A property becomes a field, or none",
      arguments: [
        ("let id: Int; var title: String", [#".field("title", \.title)"#]),
        (
          "let id: Int; var `class`, place: Int?",
          [#".field("class", \.`class`)"#, #".field("place", \.place)"#]
        ),
        ("let id: Int; var a = 1 { didSet {} }", [#".field("a", \.a)"#]),
        ("let id: Int; var a: Int { 1 }; static let b = 1; lazy var c = 2; let d = 3", []),
        ("let id: Int; @NotMerged var a: Int; @Ephemeral var b: Int; @Column(generated: 1) let c: Int", []),
        (#"let id: Int; @Policy(column: "is_a") var a: Bool"#, [#".field("is_a", \.a)"#]),
        (#"let id: Int; @Column("is_a") @Policy(.either) var a: Bool"#, [#".field("is_a", \.a, .either)"#]),
        (
          #"let id: Int; @Policy(comparing: \Point.x) var a: Point"#,
          [#".field("a", \.a, comparing: \Point.x)"#]
        ),
        (
          #"let id: Int; @Policy(.latest(tie: .server), comparing: \Point.x, column: "b") var a: Point"#,
          [#".field("b", \.a, comparing: \Point.x, .latest(tie: .server))"#]
        ),
        (
          #"let id: Int; @Policy(.right, comparing: \Point.x) var a: Point"#,
          [#".field("a", \.a, comparing: \Point.x, .right)"#]
        ),
        ("let id: Int; @Policy(.client, column: nil) var a: Int", [#".field("a", \.a, .client)"#]),
        ("@PrimaryKey let key: String; var id: Int", [#".field("id", \.id)"#]),
        ("let id: Int; var a: Int\n#if DEBUG\nfunc b() {}\n#endif", [#".field("a", \.a)"#]),
        ("@Column(primaryKey: true) let key: String; var id: Int", [#".field("id", \.id)"#]),
        (
          #"@PrimaryKey var key: String { "\(a) \(b)" }; @NotMerged let a: Int; @NotMerged let b: Int; var c: Int"#,
          [#".field("c", \.c)"#]
        ),
        (
          "@PrimaryKey let a: Int; @PrimaryKey let b: Int; var c: Int; var primaryKey: [Int] { [a, b] }",
          [#".field("c", \.c)"#]
        ),
      ] as [(String, [String])])
    func aPropertyBecomes(members: String, expected: [String]) throws {
      #expect(try fields(members) == expected)
      #expect(try SwiftCompiler.errors(in: Self.around + "@Mergeable struct Row {\n\(members)\n}") == [:])
    }

    @Test func aTypeOfAModuleOfTheMainActorIsListed() throws {
      let type = "@Mergeable nonisolated struct Row { let id: Int; @Policy(.counter) var a: Int }"
      let errors = try SwiftCompiler.errors(
        in: "import MergeableMacro\n" + type, options: ["-default-isolation", "MainActor"])
      #expect(errors == [:])
    }

    @Test func whatOthersSeeOfTheTypeTheySeeOfItsFields() throws {
      let rows = try written(
        "@Mergeable public struct Row<Value: Equatable & Sendable> { public let id: Int; var value: Value }")
      #expect(rows.contains("public var primaryKey: Int {"))
      #expect(rows.contains("public static var mergeFields: [MergeField<Self>] {"))
      #expect(
        try written("@Mergeable package struct Row { let id: Int }").contains("package var primaryKey: Int {")
      )
    }

    /// Each in a line of its own, where its error has to be.
    @Test(
      "What cannot be listed is an error where it stands",
      arguments: [
        ("@Mergeable enum Row { case only }", 1, "@Mergeable lists the fields of a struct"),
        ("@Mergeable\nfinal class Row { let id = 1 }", 1, "@Mergeable lists the fields of a struct"),
        ("@Mergeable\nstruct Row { var a: Int }", 2, "has no primary key"),
        ("@Mergeable struct Row {\n@Column(primaryKey: false) let id: Int\n}", 1, "has no primary key"),
        ("@Mergeable struct Row {\nlet id = 1\n}", 2, "the primary key 'id' needs its type written"),
        (
          "@Mergeable struct Row {\n@PrimaryKey let a: Int\n@PrimaryKey let b: Int\n}", 3,
          "the primary key is one property"
        ),
        (
          "@Mergeable struct Row {\n@Policy(.client) let id: Int\n}", 2,
          "@PrimaryKey and @Policy exclude each other"
        ),
        (
          "@Mergeable struct Row { let id: Int\n@NotMerged @Policy(.client) var a: Int\n}", 2,
          "@NotMerged and @Policy exclude each other"
        ),
        (
          "@Mergeable struct Row { let id: Int\n@Policy(.client) var a: Int { 1 }\n}", 2,
          "'a' is no field, and has no policy"
        ),
        (
          "@Mergeable struct Row { let id: Int\n@Policy(.client) static var a: Int { 1 }\n}", 2,
          "'a' is no field"
        ),
        ("@Mergeable struct Row { let id: Int\nlet a: Int\n}", 2, "'a' cannot be set, and so not be merged"),
        ("@Mergeable struct Row { let id: Int\nvar (a, b) = (1, 2)\n}", 2, "a field has a name of its own"),
        ("@Mergeable struct Row { let id: Int\n@Columns var a: Point\n}", 2, "'a' is several columns"),
        (
          "@Mergeable struct Row { let id: Int\n#if DEBUG\nvar a = 1\n#endif\n}", 2,
          "fields under '#if' are not seen"
        ),
        (
          "@Mergeable struct Row { let id: Int\n#if DEBUG\n#if os(Linux)\nvar a = 1\n#endif\n#endif\n}", 2,
          "fields under '#if' are not seen"
        ),
        (
          "@Mergeable struct Row { let id: Int\n#if DEBUG\n@Policy(.client)\n#endif\nvar a: Int\n}", 2,
          "what '#if' says of 'a' is not seen"
        ),
        (
          "@Mergeable struct Row { let id: Int\n#if A\n#if B\n@NotMerged\n#endif\n#endif\nvar a: Int\n}", 2,
          "what '#if' says of 'a' is not seen"
        ),
        (
          "@Mergeable struct Row { let id: Int\n@Policy(.client) @Policy(.server) var a: Int\n}", 2,
          "'a' is merged by one policy"
        ),
        (
          "@Mergeable struct Row { let id: Int; var a: Int\n@Policy(column: \"A\") var b: Int\n}", 2,
          "'a' has the column 'A' already"
        ),
        (
          "@Mergeable struct Row { let id: Int\n@Policy(column: \"id\") var a: Int\n}", 2,
          "'id' has the column 'id' already"
        ),
        (
          "@Mergeable struct Row { let id: Int\n@Policy(column: \"\") var a: Int\n}", 2,
          "the column of 'a' needs a name"
        ),
        (
          "struct Row { let id: Int\n@Policy(.client) var a: Int\n}", 2,
          "@Policy says nothing without @Mergeable"
        ),
        (
          "@Mergeable struct Row { let id: Int }\nextension Row {\n@Policy(.client) var a: Int { 1 }\n}", 3,
          "@Policy says nothing without @Mergeable"
        ),
        (
          "@Mergeable struct Row { let id: Int\n@NotMerged func a() {}\n}", 2,
          "@NotMerged says nothing without @Mergeable"
        ),
        (
          "@Mergeable struct Row { let id: Int\nvar a: Point\n}", 2,
          "values that are not Equatable need to say what"
        ),
        (
          "@Mergeable struct Row { let id: Int\n@Policy(.counter) var a: String\n}", 2,
          "a counter needs a number"
        ),
        (
          "@Mergeable struct Row { let id: Int\n@Policy(.text) var a: Int\n}", 2,
          "a text is merged in a String"
        ),
        ("@Mergeable struct Row { let id: Int\n@Policy(.either) var a: Int\n}", 2, "'Bool'"),
        ("@Mergeable struct Row { let id: Int\n@Policy(.countr) var a: Int\n}", 2, "no member 'countr'"),
        (
          "@Mergeable struct Row { let id: Int\n@Policy(.counter, comparing: \\Point.x) var a: Point\n}", 2,
          "'counter'"
        ),
        (
          "@Mergeable struct Row { var id: Int }\nfunc set(_ draft: inout RowDraft<Row>) { draft.a = 1 }", 2,
          "no dynamic member 'a'"
        ),
      ] as [(String, Int, String)])
    func refused(type: String, line: Int, error: String) throws {
      let errors = try SwiftCompiler.errors(in: Self.around + type)
      let first = Self.around.count { $0 == "\n" }
      #expect(errors.keys.sorted().first == first + line, "\(errors)")
      #expect(errors[first + line]?.contains(error) == true, "\(errors)")
    }

    @Test(arguments: ["Sources/MergeableMacro/Mergeable.swift", "Sources/SQLiteDataStores/FOR-APPS.md"])
    func theCodeInTheTextsCompiles(path: String) throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
      let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      let blocks = text.replacing("/// ", with: "").split(separator: "```").filter {
        $0.contains("@Mergeable\n")
      }
      #expect(blocks.count == 1)
      for block in blocks {
        let code = block.split(separator: "\n").dropFirst().joined(separator: "\n")
        #expect(try SwiftCompiler.errors(in: "import MergeableMacro\n" + code) == [:])
      }
    }
  }
#endif
