import Foundation

/// The compiler that the tests were built with, for what must compile and what must not.
public enum SwiftCompiler {
  /// Where the build has put the modules; nil where the tests were built by something else than SwiftPM.
  private static var modules: String? {
    var folder = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") { folder = bundle.bundleURL }
    for _ in 0..<3 {
      folder.deleteLastPathComponent()
      let path = folder.appendingPathComponent("Modules").path
      if FileManager.default.fileExists(atPath: path + "/Merging.swiftmodule") { return path }
    }
    return nil
  }

  /// Whether there is one, and the modules lie where it finds them.
  public static var isHere: Bool {
    guard modules != nil, let run = try? output(["swiftc", "--version"]) else { return false }
    return run.status == .exited(0)
  }

  private static func output(_ arguments: [String]) throws -> (status: ExitStatus, text: String) {
    try Command.output(arguments, environment: ProcessInfo.processInfo.environment)
  }

  /// What the compiler says of `source`, by its lines: the first is 1.
  ///
  /// - Parameter isScript: whether it has statements that belong to no function.
  public static func errors(in source: String, isScript: Bool = false) throws -> [Int: String] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "parley-compiler-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "source.swift").path
    try source.write(toFile: file, atomically: true, encoding: .utf8)
    let run = try output(
      ["swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", "-I", modules ?? ""]
        + (isScript ? [] : ["-parse-as-library"]) + [file])
    let lines = run.text.split(separator: "\n").filter { $0.hasPrefix(file + ":") }
    let errors = lines.compactMap { line -> (Int, String)? in
      let parts = line.dropFirst(file.count + 1).split(separator: ":", maxSplits: 2)
      guard parts.count == 3, parts[2].hasPrefix(" error:"), let number = Int(parts[0]) else { return nil }
      return (number, String(parts[2].dropFirst(8)))
    }
    if errors.isEmpty, run.status != .exited(0) { return [0: run.text] }
    return Dictionary(errors, uniquingKeysWith: { first, _ in first })
  }
}
