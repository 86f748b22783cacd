import GRDB
import Merging
import Testing

@testable import SQLiteFiles
@testable import StoreInterface

extension Field.Kind {
  fileprivate static let everyKind: [Field.Kind] = [.integer, .real, .text, .blob, .numeric, .any]
}

/// What is told of a column of numbers is what SQLite keeps there, and values are compared as each column keeps them.
struct NumericColumnTests {
  private static let texts = [
    "7", "07", "7.0", "7.5", "+7", "-0", "-0.0", " 7 ", "\t7\u{B}\n", "7 8", "9007199254740993",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "9007199254740993.0", "12345678901234567890123", "9223372036854775807.0", "123456789012345678e1",
    "1.23456789012345E+18", "1.234567890123456789e19", "1e3", "1e", "1E+2", "1e+", "1e18", "1e19", "-1e19",
    ".5", "5.",
    "5.e1", ".", "+", ".e5", "", " ", "0x10", "inf", "-Infinity", "nan", "1_0", "７", "7\0", "\u{A0}7",
    "1e400",
    "-1e400", "1e-400", "2026-11-20 00:00:00", "true", "--7", "1.5e-3", "0.1", "7,5", "+-7", "7\u{301}",
  ]

  /// Those of which SQLite keeps another number than was written.
  private static let rounded: [String: ChoiceRefusal] = [
    "9007199254740993.0": .toGiveInDigits(field: "a", 9_007_199_254_740_993),
    "9223372036854775807.0": .toGiveInDigits(field: "a", .max),
    "123456789012345678e1": .toGiveInDigits(field: "a", 1_234_567_890_123_456_780),
    "1.23456789012345E+18": .toGiveInDigits(field: "a", 1_234_567_890_123_450_000),
    "1.234567890123456789e19": .rounded(field: "a", to: 12_345_678_901_234_567_168),
    "-9223372036854775809": .rounded(field: "a", to: -0x1p63),
    "12345678901234567890123": .rounded(field: "a", to: 12_345_678_901_234_567_741_440),
    "1e-400": .rounded(field: "a", to: 0),
  ]

  private func stored(_ value: Value, _ type: String) throws -> Value? {
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: "CREATE TABLE t (value \(type))")
      try db.run("INSERT INTO t VALUES (?)", [value])
      return try db.firstRow("SELECT value FROM t") { $0.value(0) }
    }
  }

  @Test(arguments: texts, ["NUMERIC", "DECIMAL(10,2)", "BOOLEAN", "DATETIME"])
  func aTextIsReadAsSQLiteReadsIt(text: String, type: String) throws {
    let affinity = Affinity(declaredType: type, isStrict: false)
    let kept = try stored(.text(text), type)
    #expect(affinity.stored(.text(text)) == kept)
    let field = Field("a", kind: affinity.kind, declaredType: type)
    // Who types that means no text: see below.
    if field.truth(text) != nil {
      #expect(try field.kept(.text(text)) == field.truth(text))
      return
    }
    // Nor another number than that.
    if let refusal = Self.rounded[text] {
      #expect(throws: refusal) { try field.kept(.text(text)) }
      return
    }
    // Who types a number means no infinity.
    if case .real(let real)? = kept, real.isInfinite {
      #expect(throws: ChoiceRefusal.self) { try field.kept(.text(text)) }
    } else {
      #expect(try field.kept(.text(text)) == kept)
    }
  }

  /// SQLite would keep the words in a column that is declared so, and no app reads them as a Bool.
  @Test(
    arguments: ["true", "TRUE", " False\t", "true\u{A0}", "yes", "1", "", "tru\u{E9}"], Field.Kind.everyKind)
  func wordsOfTruth(typed: String, kind: Field.Kind) {
    let truth = ["true": Value.integer(1), "TRUE": .integer(1), " False\t": .integer(0)][typed]
    for (type, isOfNumbers) in [("BOOLEAN", true), ("bool", true), ("DECIMAL", false), ("", false)] {
      let takes = kind == .integer || (kind == .numeric && isOfNumbers)
      #expect(Field("a", kind: kind, declaredType: type).truth(typed) == (takes ? truth : nil))
      #expect(Field("a", kind: kind, form: .json, declaredType: type).truth(typed) == nil)
    }
  }

  @Test(
    arguments: ["yes", "no", "on", "", "tru", "1", "0", " 1", "0.5", "TRUE"], ["BOOLEAN", "Bool", "DECIMAL"])
  func noWordIsTypedWhereTruthsAre(typed: String, type: String) throws {
    let field = Field("a", kind: .numeric, declaredType: type)
    let kept = try field.kept(.text(typed))
    if type != "DECIMAL", case .text = kept {
      #expect(throws: ChoiceRefusal.noTruth(field: "a")) {
        try field.kept(typed: typed)
      }
    } else {
      #expect(try field.kept(typed: typed) == kept)
    }
  }

  private static let reals: [Double] = [
    7, 7.5, -0.0, 0, 9_007_199_254_740_992, 9_223_372_036_854_774_784, 9_223_372_036_854_775_808,
    -9_223_372_036_854_774_784, -9_223_372_036_854_775_808, 1e300, .infinity, -.infinity, .nan,
    .leastNonzeroMagnitude, 0.1, 1 / 3, 1e15, -1e20, 0.00001,
  ]

  @Test(arguments: reals, ["NUMERIC", "INTEGER", "REAL", "TEXT", ""])
  func aRealIsKeptAsSQLiteKeepsIt(real: Double, type: String) throws {
    let affinity = Affinity(declaredType: type, isStrict: false)
    let kept = try stored(.real(real), type)
    #expect(affinity.stored(.real(real)) == kept)
    if affinity == .numeric {
      #expect(try Field("a", kind: .numeric).kept(.real(real)) == kept || real.isNaN)
    }
  }

  private static let types = ["NUMERIC", "BOOLEAN", "INTEGER", "REAL", "TEXT", "BLOB", ""]

  private static let given: [Value] = {
    let integers: [Int64] = [0, 7, -7, 9_007_199_254_740_992, 9_007_199_254_740_993, .max, .min]
    var given = integers.map { Value.integer($0) }
    given += reals.map { Value.real($0) }
    given += texts.map { Value.text($0) }
    given += texts.map { Value.opaque(kind: Value.jsonKind, bytes: Array($0.utf8)) }
    return given
  }()

  /// Whatever is given and not refused: what is told of it is what lies there afterwards.
  @Test(arguments: given, types) func whatIsToldIsKept(given: Value, type: String) throws {
    let field = Field("a", kind: Affinity(declaredType: type, isStrict: false).kind, declaredType: type)
    guard let told = try? field.kept(given), field.refusal(of: told) == nil else { return }
    #expect(try stored(told, type) == told)
  }

  /// A column of integers takes what SQLite keeps as one there, and nothing else.
  @Test(arguments: texts + ["1000.0", "-1E3", "-9223372036854775808.0", "1e-1"])
  func aWholeNumberIsReadAsSQLiteReadsIt(text: String) throws {
    let field = Field("a", kind: .integer)
    if let refusal = Self.rounded[text], case .toGiveInDigits = refusal {
      #expect(throws: refusal) { try field.integer(typed: text) }
      return
    }
    switch try stored(.text(text), "INTEGER") {
    case .integer(let integer)? where text != "1e-400":
      #expect(try field.integer(typed: text) == .integer(integer))
    case .real(let real)? where real.magnitude >= 0x1p63:
      #expect(throws: ChoiceRefusal.realToSQLite(field: "a", real)) { try field.integer(typed: text) }
    default:
      #expect(throws: ChoiceRefusal.wrongType(field: "a", expected: .integer)) {
        try field.integer(typed: text)
      }
    }
  }

  /// In words for any field: what 64 bits hold is told as that, however it is written.
  @Test(arguments: [
    ("9223372036854775807.0", ChoiceRefusal.toGiveInDigits(field: "a", .max)),
    ("123456789012345678e1", .toGiveInDigits(field: "a", 1_234_567_890_123_456_780)),
    ("9223372036854775808", .noInteger(field: "a")), ("1e19", .noInteger(field: "a")),
    ("1e999999999", .noInteger(field: "a")), ("0.5", .noInteger(field: "a")), ("x", .noInteger(field: "a")),
  ])
  func whatIsSaidToBeAnIntegerIsKeptAsItIsOrRefused(text: String, refusal: ChoiceRefusal) throws {
    let field = Field("a", kind: .any, form: .json)
    #expect(throws: refusal) { try field.value(ofInteger: text) }
    #expect(try field.value(ofInteger: "1e18") == .integer(1_000_000_000_000_000_000))
    #expect(try field.value(ofInteger: "-9223372036854775808.0") == .integer(.min))
    #expect(try field.value(ofInteger: "0e999999999") == .integer(0))
  }

  @Test(arguments: reals) func aRealIsAWholeNumberWhereSQLiteKeepsOne(real: Double) throws {
    let told = try? Field("a", kind: .integer).kept(.real(real))
    if case .integer(let integer)? = try stored(.real(real), "INTEGER") {
      #expect(told == .integer(integer))
    } else {
      #expect(told == nil)
    }
  }

  /// What JSON has of it is the number that SQLite reads in a statement.
  @Test(arguments: [
    "7", "-0", "-0.0", "1.10", "1e3", "1E+2", "1e19", "0.1", "9007199254740993", "9223372036854775807",
    "100000000000000000000", "-1.50e-3",
  ])
  func aColumnWithoutATypeTakesANumberOfJSON(digits: String) throws {
    let read = try DatabaseQueue().inDatabase { try $0.firstRow("SELECT \(digits)") { $0.value(0) } }
    for type in ["", "REAL", "NUMERIC"] {
      let affinity = Affinity(declaredType: type, isStrict: false)
      let given = Value.opaque(kind: Value.jsonKind, bytes: Array(digits.utf8))
      if type == "REAL", read == .integer(9_007_199_254_740_993) || read == .integer(.max) { continue }
      #expect(try Field("a", kind: affinity.kind).kept(given) == read.map(affinity.stored), "\(type)")
    }
  }

  /// Nobody is told so while typing: such a text came from another device, or from when the column had another type.
  @Test(arguments: texts, ["INTEGER", "REAL", "TEXT", "BLOB", ""])
  func aTextIsComparedAsSQLiteKeepsIt(text: String, type: String) throws {
    let affinity = Affinity(declaredType: type, isStrict: false)
    #expect(try affinity.stored(.text(text)) == stored(.text(text), type))
  }

  @Test func noOtherColumnReadsATextSo() throws {
    for kind in [Field.Kind.integer, .real, .text, .blob, .any] {
      #expect(try Field("a", kind: kind).kept(.text("7")) == .text("7"))
    }
    #expect(try Field("a", kind: .numeric, form: .json).kept(.text("7")) == .text("7"))
  }
}
