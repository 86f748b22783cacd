extension Theme {
  /// The text of a built-in theme's file, comments and all, for somebody who wants to begin with it.
  package static func source(ofBuiltIn name: String) -> String? {
    let bytes: [UInt8]? =
      switch name {
      case "auto": PackageResources.auto_yaml
      case "night": PackageResources.night_yaml
      case "paper": PackageResources.paper_yaml
      case "contrast": PackageResources.contrast_yaml
      case "mono": PackageResources.mono_yaml
      default: nil
      }
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }
}
