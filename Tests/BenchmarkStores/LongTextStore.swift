import Samples

/// A datastore with one document whose text is long, and changed by either side in its middle: what a key costs must not
/// depend on what lies outside the screen.
public enum LongTextStore {
  public static let title = "Long text"

  /// - Parameter bytes: of the text, about.
  /// - Returns: the path of the database.
  public static func make(in folder: String, bytes: Int) throws -> String {
    let builder = try DatastoreBuilder(folder: folder, name: "long")
    let line = "The quick brown fox jumps over the lazy dog.\\n"
    let half = String(repeating: line, count: bytes / 2 / line.utf8.count)
    func body(_ word: String) -> String {
      #"{"title":"\#(title)","notes":"\#(half + word + half)"}"#
    }
    try builder.write { db in
      _ = try builder.add(
        "document-1",
        [
          SampleRevision("a", body("a dog ")), SampleRevision("b", on: "a", body("a cat ")),
          SampleRevision("c", on: "a", body("two dogs ")),
        ], in: db)
    }
    try builder.close()
    return builder.files.database
  }
}
