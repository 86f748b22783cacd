import Desk
import Dispatch
import StoreInterface

/// What others do to the store and its journal, seen by a glance every second.
extension StoreWorker {
  /// Tells who can write, then looks at the store every second, and tells what others did to it.
  ///
  /// To be called before anything is read: what comes in between that and the first look would be told of by nobody.
  func startWatching() {
    let (traces, deafness) = (store.traces(), store.deafness())
    journalWatch.withLock { $0 = JournalWatch(traces: store.journal.traces()) }
    watching.async {
      let known = StoreWatch.Glance(access: self.access(), traces: traces, deafness: deafness)
      self.watch.withLock { $0 = StoreWatch(known) }
      _ = self.hasOtherKept()
      self.inbox.post(.accessChanged(known.access))
      if known.deafness != nil { self.inbox.post(.deafnessChanged(known.deafness)) }
      self.tellInterrupted()
      self.lookAgain()
    }
  }

  func tellInterrupted() { inbox.post(.interrupted(store.lastingInterruptedWrites())) }

  private func lookAgain() {
    watching.asyncAfter(deadline: .now() + glancing) { [weak self] in
      guard let self else { return }
      store.letGo()
      let traces = store.traces()
      let deafness = store.deafness()
      let events = watch.withLock { $0?.look(traces: traces, deafness: deafness, access: access) ?? [] }
      // First: what else has changed may be half of a write.
      if !events.isEmpty { tellInterrupted() }
      for event in events { inbox.post(event) }
      if hasUnread.exchange(false, ordering: .relaxed), deafness == nil { inbox.post(.unreadIsReadAgain) }
      if hasNewJournal() {
        inbox.post(.journalChanged)
        // What is brought in may go into the journal alone.
        if hasOtherKept() { inbox.post(.storeChanged) }
      }
      lookAgain()
    }
  }

  /// What others decide is taken over before the next key all the same; but somebody may only look.
  private func hasNewJournal() -> Bool {
    let traces = store.journal.traces()
    return journalWatch.withLock { $0.look(traces: traces) }
  }

  /// Whether something else is kept in the journal for the store than the desk knows of.
  func hasOtherKept() -> Bool {
    let traces = store.journal.tracesOfKept()
    return tracesOfKept.withLock { known in
      defer { known = traces }
      return known != traces
    }
  }
}
