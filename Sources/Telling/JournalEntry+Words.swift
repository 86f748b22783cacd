import Merging
import StoreInterface

extension JournalEntry {
  /// "title: take server", "written: Buy milk", "interrupted undo, left alone: Buy milk: somebody else changed it since"
  package var text: String {
    switch event {
    case .decided(let decision): decision.words
    case .ended(let act, let outcome, let detail):
      [outcome.map { "interrupted \(act.rawValue), \($0.ending)" } ?? act.done, title, detail]
        .compactMap(\.self).joined(separator: ": ")
    }
  }
}

extension JournalEntry.Act {
  fileprivate var done: String {
    switch self {
    case .write: "written"
    case .undo: "taken back"
    case .import: "imported"
    }
  }
}

extension FinishedWrite.Outcome {
  fileprivate var ending: String {
    switch self {
    case .completed: "completed"
    case .rolledBack: "rolled back"
    case .left: "left alone"
    }
  }
}
