import Merging

extension Scenario {
  /// All stories, in the order in which they are told.
  package static let all: [Scenario] = [
    creation, serverUpdate, conflictOnFetch, conflictOnSend, disjointEdits, tie, deletedOnServer,
    deletedOnClient,
    noAncestor, divergingByTie, lostEdit,
  ]

  package static let creation = Lifecycle.story(
    id: "creation", title: "Creation", about: "A row is created, sent and confirmed.",
    chapters: Lifecycle.creation)

  package static let serverUpdate = Lifecycle.story(
    id: "update", title: "Server update", about: "The server's record changes, and nothing was edited here.",
    chapters: Lifecycle.creation + Lifecycle.update)

  package static let conflictOnFetch = Lifecycle.scenario().with(
    id: "fetch", title: "Conflict on fetch", about: "The server's record comes in while an edit waits.",
    Lifecycle.scenario().chapters)

  package static let conflictOnSend = Lifecycle.story(
    id: "send", title: "Conflict on send",
    about: "The save is refused: the server's record is another by now.",
    chapters: Lifecycle.creation + Lifecycle.update + Lifecycle.edits(.serverNewer) + [
      Lifecycle.chapter("9", "sent on top of b", .conflict, Lifecycle.phone(10, .send)),
      Lifecycle.chapter("9a", "refused, merge", .conflict, Lifecycle.phone(10, .receiveAnswer)),
    ] + Lifecycle.onFetch().dropFirst())

  package static let disjointEdits = Lifecycle.story(
    id: "disjoint", title: "Disjoint edits", about: "Both sides edit, and no field is edited twice.",
    chapters: Lifecycle.creation + Lifecycle.update + [
      Lifecycle.chapter(
        "7", "client edits title", .conflict,
        Lifecycle.phone(4, .edit(Lifecycle.record, ["title": .text("Water all plants")]))),
      Lifecycle.chapter(
        "8", "server edits count", .conflict,
        Lifecycle.server(9, .save(Lifecycle.record, Lifecycle.fields(count: 4, at: 9)))),
    ] + Lifecycle.onFetch())

  package static let tie = Lifecycle.scenario(.sameTime).with(
    id: "tie", title: "Tie", about: "Both sides edit the same field at the same time; a rule decides.",
    Lifecycle.scenario(.sameTime).chapters)

  package static let deletedOnServer = Lifecycle.scenario(.serverDeletes).with(
    id: "deleted-on-server", title: "Edited here, deleted there",
    about: "The model keeps the edit, which undeletes the record. SQLiteData loses it.",
    Lifecycle.scenario(.serverDeletes).chapters)

  /// What SQLiteData does from step 10 on is by reading, not by a test: its deletion stays queued.
  package static let deletedOnClient = Lifecycle.scenario(.clientDeletes).with(
    id: "deleted-on-client", title: "Deleted here, edited there",
    about: "The model brings the edited record back. SQLiteData brings back the row, and deletes the record.",
    Lifecycle.scenario(.clientDeletes).chapters)
}
