import Foundation

/// Where the build has put a program, so that a test can run it.
public enum BuiltProduct {
  /// The path of an executable target; nil if it was not built.
  public static func path(_ name: String) -> String? {
    var folder = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") { folder = bundle.bundleURL }
    // A test bundle lies beside the programs on Linux, and is a folder beside them on macOS.
    for _ in 0..<3 {
      folder.deleteLastPathComponent()
      let path = folder.appendingPathComponent(name).path
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    return nil
  }
}
