import Testing

@testable import SQLiteFiles

@Suite struct FirstAnswerTests {
  /// As of a lock that is let go between two looks.
  @Test func eachIsAskedOnce() {
    var asked: [Int] = []
    let answer = [1, 2, 3].firstAnswer { number -> String? in
      defer { asked.append(number) }
      return number > 1 && !asked.contains(number) ? "\(number)" : nil
    }
    #expect(answer == "2" && asked == [1, 2])
    #expect([Int]().firstAnswer { $0 } == nil)
  }
}
