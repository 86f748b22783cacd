/// How long what has begun may stop before it is given up. Tests have no need to wait for that.
struct Pauses {
  /// Inside of what comes at once. Nobody types as fast.
  var inBurst = Duration.milliseconds(10)
  /// Between the pieces of a sequence: over a slow line they come one by one.
  var inSequence = Duration.milliseconds(100)
  /// Inside of a letter behind an Escape. Nobody types half a letter, so that its rest is on its way.
  var inLetter = Duration.milliseconds(500)
  /// Behind an Escape that was given out as a key. What goes on with a sequence by then, and comes in one burst, is no key; all else was
  /// typed by hand. From the first number on that is a sequence like any other.
  var behindEscape = Duration.milliseconds(500)
  /// Behind a piece of a sequence that stopped. What may go on with it by then is no key, as a terminal that has begun it sends all of it.
  var behindPiece = Duration.seconds(2)
  /// Inside of a paste: what has come of it is given out then.
  var inPaste = Duration.seconds(2)
}
