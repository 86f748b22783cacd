extension Theme {
  /// The names of the themes in `Themes/`, in the order in which they are offered.
  package static let builtInNames = ["auto", "night", "paper", "contrast", "mono"]

  /// The themes in `Themes/`, by name. They are built into the program.
  package static let builtIn: [String: Theme] = [
    "auto": auto,
    "night": read("night", PackageResources.night_yaml),
    "paper": read("paper", PackageResources.paper_yaml),
    "contrast": read("contrast", PackageResources.contrast_yaml),
    "mono": read("mono", PackageResources.mono_yaml),
  ]

  /// Its file, which nothing is known of the background for: see ``auto(on:colours:)``.
  package static let auto = read("auto", PackageResources.auto_yaml)

  private static func read(_ name: String, _ bytes: [UInt8]) -> Theme {
    do {
      return try Theme(name: name, yaml: String(decoding: bytes, as: UTF8.self), file: "Themes/\(name).yaml")
    } catch {
      // because these files are part of the program and a test reads every one of them
      preconditionFailure("\(error)")
    }
  }
}
