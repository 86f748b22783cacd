/// The stock of a bookshop, as documents with a history: one conflict of every sort that revision trees can have, and what is found
/// beside conflicts.
enum Bookshop {
  /// In the order in which they came in.
  ///
  /// - Parameter now: in seconds since 1970.
  static func documents(_ now: Int64) -> [Document] { settled + findings + conflicts(now).reversed() }

  struct Document {
    let id: String
    let revisions: [SampleRevision]

    init(id: String, revisions: [SampleRevision]) { (self.id, self.revisions) = (id, revisions) }
    init(_ id: String, _ revisions: SampleRevision...) { self.init(id: id, revisions: revisions) }
  }

  private static let settled = (1...40).map { number in
    Document(
      "book-settled-\(number)", SampleRevision("a", #"{"stock":\#(number),"title":"Settled \#(number)"}"#))
  }

  private static let findings = [
    Document(
      "book-deleted-elsewhere", SampleRevision("a", #"{"stock":1,"title":"Out of print"}"#),
      SampleRevision("b", on: "a", #"{"stock":2,"title":"Out of print"}"#), .tombstone("c", on: "a")),
    Document(
      "book-resolved", SampleRevision("a", #"{"stock":1,"title":"Resolved"}"#),
      SampleRevision("b", on: "a", #"{"stock":2,"title":"Resolved"}"#),
      SampleRevision("c", on: "a", #"{"stock":3,"title":"Resolved"}"#),
      SampleRevision("d", on: "b", #"{"stock":4,"title":"Resolved"}"#), .tombstone("e", on: "c")),
    Document("book-purged", SampleRevision("a", #"{"stock":1,"title":"Purged"}"#)),
  ]
}

extension Bookshop {
  /// The newest first. Of two leaves of one generation the ids decide which wins; so who is client is seen in the store only.
  private static func conflicts(_ now: Int64) -> [Document] {
    [
      simple("book-emma", title: "Emma"),
      simple("book-persuasion", title: "Persuasion"),
      Document(
        "book-dracula",
        SampleRevision("a", #"{"price":1.10,"stock":3,"title":"Dracula"}"#),
        SampleRevision("b", on: "a", #"{"price":1.10,"stock":2,"title":"Dracula"}"#),
        SampleRevision("c", on: "b", #"{"price":1.10,"stock":1,"title":"Dracula"}"#),
        SampleRevision("d", on: "a", #"{"price":1.10,"stock":9,"title":"Dracula"}"#)),
      Document(
        "book-ulysses",
        SampleRevision(
          "a", #"{"shelf":{"floor":1,"row":4,"side":"left"},"tags":["long"],"title":"Ulysses"}"#),
        SampleRevision(
          "b", on: "a", #"{"shelf":{"floor":2,"row":4,"side":"left"},"tags":["long"],"title":"Ulysses"}"#),
        SampleRevision(
          "c", on: "a", #"{"shelf":{"floor":1,"row":7,"side":"left"},"tags":["long"],"title":"Ulysses"}"#)),
      Document(
        "book-faust",
        SampleRevision("a", #"{"order":12345678901234567890123,"rate":1E5,"signed":false,"title":"Faust"}"#),
        SampleRevision(
          "b", on: "a", #"{"order":12345678901234567890123,"rate":1E5,"signed":true,"title":"Faust"}"#),
        SampleRevision(
          "c", on: "a", #"{"order":12345678901234567890124,"rate":1E5,"signed":false,"title":"Faust"}"#)),
      threeLeaves, twoRoots, compacted, attachments, oldBranch,
      Document(
        id: "book-many-hands",
        revisions: [SampleRevision("a", #"{"stock":0,"title":"Many hands"}"#)]
          + (1...40).map { SampleRevision("hand\($0)", on: "a", #"{"stock":\#($0),"title":"Many hands"}"#) }),
      Document(
        "book-seen",
        SampleRevision("a", #"{"seen":\#(now - 600),"title":"Seen"}"#),
        SampleRevision("b", on: "a", #"{"seen":\#(now - 60),"title":"Seen"}"#),
        SampleRevision("c", on: "a", #"{"note":"on the counter","title":"Seen"}"#)),
    ]
  }

  /// One side sold some, the other changed the title: nothing clashes.
  private static func simple(_ id: String, title: String) -> Document {
    Document(
      id,
      SampleRevision("a", #"{"stock":5,"title":"\#(title)"}"#),
      SampleRevision("b", on: "a", #"{"stock":4,"title":"\#(title)"}"#),
      SampleRevision("c", on: "b", #"{"stock":3,"title":"\#(title)"}"#),
      SampleRevision("d", on: "a", #"{"stock":5,"title":"\#(title), new edition"}"#))
  }

  private static let threeLeaves = Document(
    "book-walden",
    SampleRevision("a", #"{"pages":300,"price":9,"stock":1,"title":"Walden"}"#),
    SampleRevision("b", on: "a", #"{"pages":300,"price":9,"stock":2,"title":"Walden"}"#),
    SampleRevision("c", on: "a", #"{"pages":300,"price":8,"stock":1,"title":"Walden"}"#),
    SampleRevision("d", on: "a", #"{"pages":352,"price":9,"stock":1,"title":"Walden"}"#),
    SampleRevision("e", on: "a", #"{"pages":1,"price":9,"stock":1,"title":"Walden"}"#),
    .tombstone("f", on: "e"))

  private static let twoRoots = Document(
    "book-twice",
    SampleRevision("a", #"{"stock":1,"title":"Made twice"}"#),
    SampleRevision("b", #"{"stock":7,"title":"Made twice"}"#))

  private static let compacted = Document(
    "book-compacted",
    SampleRevision("a", #"{"stock":1,"title":"Compacted"}"#), SampleRevision("b", on: "a", nil),
    SampleRevision("c", on: "b", #"{"stock":2,"title":"Compacted"}"#),
    SampleRevision("d", on: "b", #"{"stock":3,"title":"Compacted"}"#))

  private static let attachments = Document(
    "book-cover",
    SampleRevision("a", #"{"title":"Cover"}"#, attachments: [SampleAttachment("cover.txt", "an old cover")]),
    SampleRevision(
      "b", on: "a", #"{"stock":1,"title":"Cover"}"#,
      attachments: [SampleAttachment("cover.txt", "a new cover"), SampleAttachment("back.txt", "the back")]),
    SampleRevision(
      "c", on: "a", #"{"stock":2,"title":"Cover"}"#,
      attachments: [SampleAttachment("cover.txt", "an old cover")]))

  private static let oldBranch = Document(
    "book-old-branch",
    SampleRevision("8-a", #"{"stock":8,"title":"Old branch"}"#),
    SampleRevision("9-a", on: "8-a", #"{"stock":9,"title":"Old branch"}"#),
    SampleRevision("3-a", #"{"stock":3,"title":"Old branch"}"#))
}
