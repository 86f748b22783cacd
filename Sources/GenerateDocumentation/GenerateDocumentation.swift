import Foundation
import PackagePlugin

/// `swift package generate-documentation`: the pages of the libraries that apps embed, by the DocC of the toolchain.
///
/// swift-docc-plugin, which is the usual one, documents every target of the package and of what it depends on, unless it is told
/// `--target` each time. Here `--target MergeableMacro` adds the macro's, which are left out otherwise: SwiftPM switches all traits on
/// for them, and so builds swift-syntax.
@main struct GenerateDocumentation: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    var arguments = ArgumentExtractor(arguments)
    let names = arguments.extractOption(named: "target")
    let folder = arguments.extractOption(named: "output-path").last.map { URL(filePath: $0) }
    // docc makes no folder above the archive.
    if let folder { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    let libraries = context.package.products(ofType: LibraryProduct.self).flatMap(\.targets)
    for target in libraries.compactMap({ $0 as? SwiftSourceModuleTarget })
    where (names.isEmpty ? ["Merging", "ArchivedRows"] : names).contains(target.name) {
      let archive = (folder ?? context.pluginWorkDirectoryURL).appending(path: "\(target.name).doccarchive")
      try convert(target, to: archive, by: context.tool(named: "docc").url, arguments.remainingArguments)
    }
  }

  private func convert(
    _ target: SwiftSourceModuleTarget, to archive: URL, by docc: URL, _ arguments: [String]
  ) throws {
    let options = PackageManager.SymbolGraphOptions(emitExtensionBlocks: true)
    let symbols = try packageManager.getSymbolGraph(for: target, options: options).directoryURL
    let catalogs = target.sourceFiles.map(\.url).filter { $0.pathExtension == "docc" }
    let process = try Process.run(
      docc,
      arguments: ["convert"] + catalogs.map(\.path)
        + ["--fallback-display-name", target.name, "--fallback-bundle-identifier", target.name]
        + ["--additional-symbol-graph-dir", symbols.path, "--output-path", archive.path] + arguments)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(target: target.name) }
    print("\(target.name): \(archive.path)")
  }
}

private struct Failed: Error, CustomStringConvertible {
  var target: String
  var description: String { "docc made no pages of \(target)" }
}
