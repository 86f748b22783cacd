import Merging

/// Opens the desk on `store`, and returns when the person leaves it.
@MainActor func openDesk(store: any ConflictStore, options: DeskOptions) throws -> ExitStatus {
  throw CommandError.needsTerminal(path: store.info.path)
}
