import Foundation
import Merging

/// What a person set once and for all, in `$XDG_CONFIG_HOME/parley/config.yaml` (default `~/.config/parley/config.yaml`).
/// What is said on the command line wins over it.
struct Configuration: Equatable {
  /// How one store, or every store, is merged.
  struct Rules: Equatable {
    var tie: TieRule?
    /// By `table.field`, `table` or `default`.
    var policies: [String: MergeRule] = [:]
  }

  var theme: String?
  var colour: DeskOptions.Colour?
  var mouse: Bool?
  var rules = Rules()
  /// By the name of the database's file.
  var stores: [String: Rules] = [:]

  /// The rules for the store at `path`: its own entries win over those for every store.
  func rules(forStore path: String, tie: TieRule?) -> MergeRules {
    let own = stores[(path as NSString).lastPathComponent] ?? Rules()
    var policies = rules.policies.merging(own.policies) { $1 }
    let defaultRule = policies.removeValue(forKey: "default") ?? .latest
    return MergeRules(tie: tie ?? own.tie ?? rules.tie ?? .client, rules: policies, defaultRule: defaultRule)
  }

  /// - Throws: ``CommandError/badConfiguration(words:)``, ``StoreError/cannotRead(path:detail:)``,
  ///   ``CommandError/settingsNotText(path:)``
  static func load(environment: [String: String]) throws -> Configuration {
    guard let file = file(environment), FileManager.default.fileExists(atPath: file) else {
      return Configuration()
    }
    guard let text = String(validating: try bytes(ofFile: file, limit: FileLimit.settings), as: UTF8.self)
    else {
      throw CommandError.settingsNotText(path: file)
    }
    return try Configuration(
      yaml: text, file: file, themes: ThemeShelf(environment: environment).entries.map(\.name))
  }

  private static func file(_ environment: [String: String]) -> String? {
    configurationFolder(environment).map { $0 + "/config.yaml" }
  }
}

/// `$XDG_CONFIG_HOME/parley`, if that is an absolute path, otherwise `~/.config/parley`.
func configurationFolder(_ environment: [String: String]) -> String? {
  let home = environment["HOME"].map { $0 + "/.config" }
  let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
  return folder.map { $0 + "/parley" }
}
