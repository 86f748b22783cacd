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

  /// The program of the macros lies beside the modules. Without the trait `Macros` it expands none.
  private static var macros: [String] {
    let tool = URL(filePath: modules ?? "").deletingLastPathComponent().appending(
      path: "MergeableExpansion-tool"
    ).path
    return FileManager.default.fileExists(atPath: tool)
      ? ["-load-plugin-executable", tool + "#MergeableExpansion"] : []
  }

  private static func output(_ arguments: [String]) throws -> (status: ExitStatus, text: String) {
    try Command.output(arguments, environment: ProcessInfo.processInfo.environment)
  }

  /// What the compiler says of `source`, by its lines: the first is 1.
  ///
  /// - Parameters:
  ///   - isScript: whether it has statements that belong to no function.
  ///   - options: the compiler's own.
  ///   - other: another file of the same module.
  public static func errors(
    in source: String, isScript: Bool = false, options: [String] = [], beside other: String = ""
  ) throws -> [Int: String] {
    let run = try check(source, beside: other, options + (isScript ? [] : ["-parse-as-library"]))
    let errors = run.text.split(separator: "\n").compactMap { line -> (Int, String)? in
      guard let place = line.range(of: "/source.swift:") else { return nil }
      let parts = line[place.upperBound...].split(separator: ":", maxSplits: 2)
      guard parts.count == 3, parts[2].hasPrefix(" error:"), let number = Int(parts[0]) else { return nil }
      return (number, String(parts[2].dropFirst(8)))
    }
    if errors.isEmpty, run.status != .exited(0) { return [0: run.text] }
    return Dictionary(errors, uniquingKeysWith: { first, _ in first })
  }

  /// The packages that a package depends on, as SwiftPM shows them.
  public static func graph(ofPackageIn folder: URL) throws -> String {
    try output(["swift", "package", "--package-path", folder.path, "show-dependencies"]).text
  }

  /// What the macros in `source` write, each between two lines of hyphens, with whatever else the compiler says.
  public static func expansions(in source: String) throws -> String {
    try check(source, ["-parse-as-library", "-Xfrontend", "-dump-macro-expansions"]).text
  }

  private static func check(
    _ source: String, beside other: String = "", _ arguments: [String]
  ) throws -> (status: ExitStatus, text: String) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "parley-compiler-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = [("source.swift", source), ("other.swift", other)].filter { !$0.1.isEmpty }
    for (name, text) in files {
      try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    }
    return try output(
      ["swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", "-I", modules ?? ""]
        + macros + arguments + files.map { folder.appending(path: $0.0).path })
  }
}
