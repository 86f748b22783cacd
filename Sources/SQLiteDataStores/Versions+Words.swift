/// What is told of the versions beside their fields.
extension Versions {
  static let neverAgreed =
    "there is no ancestor: this device and the server never agreed on the record"
  static let withoutAncestorHere =
    neverAgreed + ", or it came to another zone with the one that it belongs to"

  static let withoutArchive = """
    it was imported from JSON, without the server's archive: the ancestor cannot be advanced with the write, \
    and the app merges the record once more when it uploads it
    """

  static let backOnServer = """
    the server has the record again since: deleting it means to delete it there once more
    """

  static let goneSince = """
    the record was deleted since, here or on another device: nothing here tells which. Both versions are from before that, and to take any \
    of them makes it again on every device
    """

  static let madeAgain = """
    the server had deleted it, and the app the row with this edit; the server has the record again since: that one is the server's here, \
    whichever device made it
    """

  static let savedAgain = """
    the server had deleted it, and the app's save of this edit has made it again; in place of the edit the row has what the server has \
    since: that one is the server's here
    """

  static func notHere(_ names: [String]) -> String {
    """
    \(names.joined(separator: ", ")): NULL stands here, or did as the record came in, where the server has bytes. Their file was not there, \
    or they were taken away here: nothing here tells which
    """
  }
}
