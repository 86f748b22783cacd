import Foundation
import Testing

@testable import Merging

@Suite("What is typed as a real")
struct TypedRealTests {
  private let field = Field("a", kind: .real)

  /// Whole Doubles of many sizes from where not every whole number is one, with few and with all of their bits.
  private static let wholes: [Double] = {
    let significands: [Double] = [1, 1.5, 1.0.nextUp, 2.0.nextDown]
    let exponents = Array(54...70) + [100, 301, 600, 1023]
    return exponents.flatMap { exponent in
      significands.map { Double(sign: .plus, exponent: exponent, significand: $0) }
    }
  }()

  @Test func aWholeNumberIsTakenWithAllItsDigitsOrRefused() throws {
    for real in Self.wholes {
      let digits = String(format: "%.0f", real)
      #expect(real.allDigits == digits && (-real).allDigits == "-" + digits)
      for (sign, signed) in [("", real), ("-", -real)] {
        #expect(try field.real(typed: sign + digits) == .real(signed))
        #expect(try field.real(typed: sign + "00" + digits) == .real(signed))
        let next = sign + Self.next(digits)
        #expect(throws: ChoiceRefusal.rounded(field: "a", to: signed)) { try field.real(typed: next) }
        for end in [".0", ".", "e0", "0e-1"] {
          #expect(try field.real(typed: sign + digits + end) == .real(signed))
          #expect(throws: ChoiceRefusal.rounded(field: "a", to: signed)) { try field.real(typed: next + end) }
        }
      }
    }
  }

  /// Of an even number, and so of all of these: another one, to which the same Double is the nearest.
  private static func next(_ digits: String) -> String {
    let last = digits.last?.wholeNumberValue ?? 0
    return String(digits.dropLast()) + String(last + 1)
  }

  /// Where they begin not to be, and end to fit 64 bits.
  @Test func soAreThoseOf64Bits() throws {
    let middle = Int64(1) << 53
    let starts: [Int64] = [0, middle, middle * 2, -middle, Int64.max - 70, Int64.min + 70]
    for integer in starts.flatMap({ start in (Int64(-70)...70).map { start + $0 } }) {
      if let real = Double(exactly: integer) {
        #expect(try field.real(typed: "\(integer)") == .real(real))
        #expect(try field.kept(.integer(integer)) == .real(real))
      } else {
        let refusal = ChoiceRefusal.rounded(field: "a", to: Double(integer))
        #expect(throws: refusal) { try field.real(typed: "\(integer)") }
        #expect(throws: refusal) { try field.kept(.integer(integer)) }
      }
    }
  }

  @Test(arguments: [
    ("0.1", 0.1), ("1e23", 1e23), ("0", 0.0), ("000", 0.0), ("+7", 7.0), ("0.0", 0.0), ("0e9", 0.0),
    ("-0.000e-99999999999999999999", -0.0), ("1e-320", 0x7E8p-1074), ("3.14159265358979323846", .pi),
    ("9007199254740993.5", 9_007_199_254_740_994.0),
    ("1.2345678901234568e+18", 1_234_567_890_123_456_768), ("9.007199254740992e15", 9_007_199_254_740_992.0),
  ])
  func ofAFractionAndOfDigitsThatAreNotWrittenItIsTheNearest(typed: String, real: Double) throws {
    #expect(try field.real(typed: typed) == .real(real))
  }

  /// As in the columns of integers and NUMERIC.
  @Test(arguments: [" 7", "7 ", "\t7\n", " +7.0\u{B}"]) func blanksAroundItMeanNothing(typed: String) throws {
    let columns = [Field.Kind.real, .integer, .numeric].map { Field("a", kind: $0) }
    #expect(try columns[0].real(typed: typed) == .real(7))
    #expect(try columns[1].integer(typed: typed) == .integer(7))
    #expect(try columns[2].kept(typed: typed) == .integer(7))
    for none in [" ", "7 7", "\u{A0}7"] {
      #expect(throws: ChoiceRefusal.self) { try columns[0].real(typed: none) }
    }
  }

  /// However it is written.
  @Test(arguments: [
    ("9007199254740993.0", 9_007_199_254_740_992.0), ("9007199254740993e0", 9_007_199_254_740_992),
    ("9.007199254740993e15", 9_007_199_254_740_992), ("-9007199254740993.000", -9_007_199_254_740_992),
    ("90071992547409930e-1", 9_007_199_254_740_992), ("1e-400", 0), ("-1e-99999999999999999999", -0.0),
    ("123456789012345678e1", 1_234_567_890_123_456_768),
    ("1.234567890123456789e19", 12_345_678_901_234_567_168),
  ])
  func whatIsKeptAsAnotherNumberIsRefused(typed: String, real: Double) {
    for kind in [Field.Kind.real, .any] {
      #expect(throws: ChoiceRefusal.rounded(field: "a", to: real)) {
        try Field("a", kind: kind).real(typed: typed)
      }
    }
  }

  @Test(arguments: [
    ("1e400", ChoiceRefusal.beyondDoubles(field: "a")),
    (String(repeating: "9", count: 400), .beyondDoubles(field: "a")),
    ("inf", .wrongType(field: "a", expected: .real)), ("nan", .wrongType(field: "a", expected: .real)),
    ("", .wrongType(field: "a", expected: .real)), ("seven", .wrongType(field: "a", expected: .real)),
  ])
  func whatIsNoneIsRefused(typed: String, refusal: ChoiceRefusal) {
    #expect(throws: refusal) { try field.real(typed: typed) }
  }

  @Test func whatIsNoWholeNumberIsToldAsEver() {
    let reals: [Double] = [0.1, -2.5, 1e-300, .infinity, -.infinity, .nan, 4_503_599_627_370_495.5]
    for real in reals { #expect(real.allDigits == "\(real)") }
    #expect(Double(-0.0).allDigits == "0" && Double(0x1p63).allDigits == "9223372036854775808")
  }
}
