import Foundation

/// Something that is tried with many random numbers: a few times, and with the same numbers, in every run of the tests, and as long as
/// it is told to by `Tests/attack`.
///
/// ```swift
/// #expect(Attack("values", short: 3).failures { random in try … } == [])
/// ```
///
/// Each try has a seed of its own, the first one's and as much more as tries were before it: one that failed is repeated alone. Its
/// body throws what is not so.
package struct Attack {
  /// How long, by `PARLEY_ATTACK`: `200` tries, `10m` for minutes, or `all` there is, where that can be counted.
  package enum Size: Equatable {
    case short, all
    case tries(Int)
    case minutes(Double)
  }

  package static let size: Size = {
    guard let text = getenv("PARLEY_ATTACK").map({ String(cString: $0) }) else { return .short }
    if text == "all" { return .all }
    if text.hasSuffix("m"), let minutes = Double(text.dropLast()) { return .minutes(minutes) }
    guard let tries = Int(text) else { preconditionFailure("PARLEY_ATTACK is neither 200, 10m nor all") }
    return .tries(tries)
  }()

  private static let seed = getenv("PARLEY_SEED").flatMap { UInt64(String(cString: $0)) }

  /// As `Tests/attack` knows it.
  let name: String
  /// How many tries there are in every run of the tests.
  let short: Int
  let seed: UInt64

  package init(_ name: String, short: Int, seed: UInt64 = 1) {
    (self.name, self.short, self.seed) = (name, short, Self.seed ?? seed)
  }

  /// What failed, each with the seed that repeats it.
  package func failures(of body: (inout FixedRandom) throws -> Void) -> [String] {
    let deadline = deadline
    var (tries, failures) = (0, [String]())
    while goesOn(after: tries, until: deadline) {
      let seed = seed &+ UInt64(tries)
      var random = FixedRandom(state: seed)
      do { try body(&random) } catch { failures.append("seed \(seed): \(error)") }
      tries += 1
    }
    report(tries: tries, failures: failures.count)
    return failures
  }

  /// The same with one of `points` in each try, or with each of them once.
  package func failures<Point>(at points: [Point], of body: (Point) throws -> Void) -> [String] {
    guard Self.size == .all else { return failures { random in try body(random.oneOf(points)) } }
    let failures = points.compactMap { point in
      do { try body(point) } catch { return "\(point): \(error)" }
      return nil
    }
    report(tries: points.count, failures: failures.count)
    return failures
  }

  private var deadline: ContinuousClock.Instant {
    if case .minutes(let minutes) = Self.size { return .now + .seconds(minutes * 60) }
    return .now
  }

  private func goesOn(after tries: Int, until deadline: ContinuousClock.Instant) -> Bool {
    switch Self.size {
    case .short, .all: tries < short
    case .tries(let count): tries < count
    case .minutes: .now < deadline
    }
  }

  /// A line for `Tests/attack`, which adds them up.
  private func report(tries: Int, failures: Int) {
    guard let path = getenv("PARLEY_ATTACK_REPORT"), let file = fopen(path, "a") else { return }
    fputs("\(name) \(tries) \(failures)\n", file)
    fclose(file)
  }
}

/// What an attack found.
package struct AttackFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ words: String) { description = words }
}

/// Throws `words` unless it holds.
package func hold(_ holds: Bool, _ words: @autoclosure () -> String) throws {
  guard holds else { throw AttackFailure(words()) }
}
