import Foundation
import TerminalTestSupport
import Testing

/// What an app gets that embeds the libraries, by SwiftPM's own word.
@Suite(.enabled(if: SwiftCompiler.isHere, "needs swift, and the modules of this build"))
struct AppDependencyTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardized

  /// Nothing has to be fetched for it, and so no version of the app's own is in the way.
  @Test func anAppWithoutTheDeskDependsOnNothingElse() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "parley-app-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Self.manifest.write(to: folder.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
    let text = try SwiftCompiler.graph(ofPackageIn: folder)
    #expect(text.contains(Self.root.path), "\(text)")
    for name in ["grdb", "yams", "argument-parser", "swift-syntax", "error"] {
      #expect(!text.lowercased().contains(name), "\(text)")
    }
  }

  private static var manifest: String {
    """
    // swift-tools-version: 6.1
    import PackageDescription
    let package = Package(
      name: "App", platforms: [.macOS(.v15)],
      dependencies: [.package(name: "parley", path: "\(root.path)", traits: [])],
      targets: [.target(name: "App", dependencies: [.product(name: "Merging", package: "parley")])])
    """
  }
}
