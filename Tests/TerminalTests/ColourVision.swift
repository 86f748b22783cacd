import Foundation

@testable import Terminal

/// How somebody sees colours. Those without one kind of cones see by the matrices of Machado, Oliveira and Fernandes, "A
/// Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), at severity 1, which are for linear light.
enum ColourVision: String, CaseIterable {
  case usual, protanopia, deuteranopia, tritanopia

  private var matrix: [[Double]] {
    switch self {
    case .usual: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    case .protanopia:
      [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    case .deuteranopia:
      [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    case .tritanopia:
      [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    }
  }

  /// How far two colours are apart, as CIE 1976 measures it: 2.3 is just to be seen.
  func distance(_ one: Colour, _ other: Colour) -> Double {
    let parts = zip(lab(one), lab(other)).map { ($0 - $1) * ($0 - $1) }
    return parts.reduce(0, +).squareRoot()
  }

  private func lab(_ colour: Colour) -> [Double] {
    let light = [colour.components.red, colour.components.green, colour.components.blue].map(Self.linear)
    let seen = Self.times(matrix, light).map { min(1, max(0, $0)) }
    let white = [0.95047, 1, 1.08883]
    let xyz = zip(Self.times(Self.toXYZ, seen), white).map { Self.cubeRoot($0 / $1) }
    return [116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])]
  }

  private static func times(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
    matrix.map { row in zip(row, vector).map(*).reduce(0, +) }
  }

  private static func linear(_ channel: Int) -> Double {
    let part = Double(channel) / 255
    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
  }

  private static let toXYZ = [
    [0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041],
  ]

  private static func cubeRoot(_ part: Double) -> Double {
    part > 216.0 / 24389 ? cbrt(part) : (24389.0 / 27 * part + 16) / 116
  }
}
