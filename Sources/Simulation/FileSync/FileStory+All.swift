import Merging

extension FileStory {
  /// All stories, in the order in which they are told.
  package static let all: [FileStory] = [
    soniaFirst, fredFirst, lockedOut, askedAgain, nothingLeft, undeletedElsewhere, bothEdit, editThenDeletion,
  ]

  package static let soniaFirst = story(
    "sonia-first", "Sonia is first",
    "Both have version 3 of a note. Sonia edits it, Fred deletes it, and Sonia gets the lock first.",
    asks: fred, .deletedHere, [.save(sonia, note), .delete(fred, note), .sync(sonia)])

  package static let fredFirst = story(
    "fred-first", "Fred is first",
    "Both have version 3 of a note. Sonia edits it, Fred deletes it, and Fred gets the lock first.",
    asks: sonia, .deletedThere, [.save(sonia, note), .delete(fred, note), .sync(fred)])

  package static let lockedOut = story(
    "locked-out", "A question holds the lock",
    "Sonia is asked about a deletion, in a round that brings no file. As long as she thinks the account "
      + "is locked, and "
      + "Fred, who only wants to send another note, is turned away.",
    asks: sonia, .deletedThere,
    [.save(sonia, note), .delete(fred, note), .sync(fred)], meanwhile: [.save(fred, "list"), .sync(fred)],
    after: [.sync(fred)])

  package static let askedAgain = story(
    "asked-again", "Asked again",
    "Fred has answered, and before he has the lock again Sonia has sent another version: whoever keeps is "
      + "asked about that one, too.",
    asks: fred, .deletedHere, [.save(sonia, note), .delete(fred, note), .sync(sonia)],
    overtaken: [.save(sonia, note), .sync(sonia)])

  package static let nothingLeft = story(
    "nothing-left", "Nothing left to do",
    "Fred has answered, and before he has the lock again Sonia has deleted the note herself.",
    asks: fred, .deletedHere, [.save(sonia, note), .delete(fred, note), .sync(sonia)],
    overtaken: [.delete(sonia, note), .sync(sonia)])

  /// The lock is free while Sonia thinks, as her round brings another note, too. Fred's device takes the note
  /// for deleted, so it is a third one that undeletes it.
  package static let undeletedElsewhere = story(
    "undeleted-elsewhere", "Undeleted elsewhere",
    "Sonia is asked about a deletion. Her round brought the list, too, so the lock is free while she "
      + "thinks, and Tom undeletes the note "
      + "first.",
    asks: sonia, .deletedThere,
    [
      .save(sonia, note), .delete(fred, note), .save(fred, "list"), .save(tom, note), .sync(fred), .sync(tom),
    ],
    overtaken: [.answer(tom, .keep), .sync(tom)])

  package static let bothEdit = story(
    "both-edit", "Both edit",
    "Both have version 3 of a note, both edit it, and Sonia gets the lock first.",
    asks: fred, .editedOnBoth, [.save(sonia, note), .save(fred, note), .sync(sonia)])

  /// Where the framework loses a version: it asks about the deletion alone.
  package static let editThenDeletion = story(
    "edit-then-deletion", "Edited, then deleted",
    "Fred edits the note and deletes it later, both before he syncs. Sonia's version comes first. Fred is "
      + "asked about the deletion alone.",
    asks: fred, .deletedHere, hasBoth: true,
    [.save(sonia, note), .save(fred, note), .delete(fred, note), .sync(sonia)])

  private static let (sonia, fred, tom, note) = ("Sonia", "Fred", "Tom", "note")

  /// - Parameters:
  ///   - before: until the round in which somebody is asked.
  ///   - meanwhile: while that one thinks.
  ///   - overtaken: between the answer and the next lock, after which there is a second answer.
  ///   - after: when all is sent.
  private static func story(
    _ id: String, _ title: String, _ about: String, asks asked: String, _ conflict: FileQuestion,
    hasBoth: Bool = false, _ before: [Step], meanwhile: [Step] = [], overtaken: [Step] = [],
    after: [Step] = []
  ) -> FileStory {
    let again: [Step] = overtaken.isEmpty ? [] : overtaken + [.rounds(asked), .answer(asked)]
    return FileStory(
      id: id, title: title, about: about, file: note, devices: [sonia, fred], asked: asked,
      start: FileWorld(agreedOn: [note: 3, "list": 0], devices: [sonia, fred, tom]),
      steps: before + [.rounds(asked)] + meanwhile + [.answer(asked)] + again + [.rounds(asked)] + after,
      answers: FileAnswer.all(for: conflict, hasBoth: hasBoth))
  }
}
