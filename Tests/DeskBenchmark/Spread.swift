import Foundation

/// The results of several runs of the same.
struct Spread {
  private var values: [Double] = []

  mutating func add(_ value: Double) { values.append(value) }
  mutating func add(_ other: Spread) { values += other.values }

  var best: Double { values.min() ?? .nan }
  var worst: Double { values.max() ?? .nan }
  var median: Double { percentile(50) }

  func percentile(_ percent: Int) -> Double {
    guard !values.isEmpty else { return .nan }
    return values.sorted()[min(values.count - 1, values.count * percent / 100)]
  }
}

/// Whether every promise was kept.
struct Verdict {
  private(set) var isKept = true

  mutating func expect(_ name: String, _ value: Double, atMost bar: Double) {
    let isGood = value <= bar
    isKept = isKept && isGood
    say("\(name): \(value.text) (at most \(bar.text)) \(isGood ? "✓" : "✗")")
  }
}

extension Double {
  var text: String { String(format: "%.2f", self) }
}

/// A line on standard output, at once: whoever waits for minutes wants to see how far it is.
func say(_ line: some StringProtocol) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
