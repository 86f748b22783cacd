extension Command {
  /// What other programs call it, for who looks for that in the palette.
  var otherWords: String {
    switch self {
    case .drafts(.showSQL), .drafts(.showJSON): "export dump"
    case .drafts(.confirm): "save commit"
    case .review: "save commit upload"
    case .anywhere(.copy): "yank clipboard"
    case .undo: "revert take back"
    case .take(.client): "ours mine local"
    case .take(.server): "theirs remote"
    case .take(.ancestor): "base"
    case .record(.alternatives): "keep both"
    case .drafts(.more): "details engine tags"
    case .search: "find grep"
    case .anywhere(.rules): "policies strategy settings config configuration preferences"
    case .history: "lessons walkthrough learn story how sync works graph"
    case .anywhere(.help): "keys shortcuts manual"
    case .quit: "exit close"
    case .reload: "refresh reread"
    case .anywhere(.log), .anywhere(.logOfTheStore): "history trail"
    default: ""
    }
  }
}
