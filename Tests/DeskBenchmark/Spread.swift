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

extension Double {
  var text: String { String(format: "%.2f", self) }
}

/// A line on standard output, at once: whoever waits for minutes wants to see how far it is.
func say(_ line: some StringProtocol) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
