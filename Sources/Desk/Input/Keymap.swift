import Merging
import Terminal

/// The table of all keys. Letters count by their place on the keyboard, whatever its layout.
package enum Keymap {
  /// Where keys are commands, and not text.
  package static let screens: Set<Topic> = [
    .list, .record, .value, .alternatives, .review, .walkthrough, .tree, .finding, .bulk, .merge, .text,
    .rules, .family, .givenUp,
  ]

  /// In the order of the footer.
  package static let bindings: [Binding] = [
    Binding(
      .open, [.enter, .function(3), "l", .right], [.list], "Move", "open the record", hint: "open",
      for: .rows, rank: .needed),
    Binding(.open, [.enter, .function(3)], [.tree], "Move", "show the leaf, unfold", hint: "show"),
    Binding(.unfold, ["="], [.tree], "See", "all leaves", hint: "all leaves", for: .folded),
    Binding(.left, ["h", .left], [.tree], "Move", "older, newer revision", hint: "older"),
    Binding(.right, ["l", .right], [.tree], "Move", "older, newer revision"),
    Binding(.search, ["/", .function(7)], [.tree], "See", "find a revision", hint: "find"),
    Binding(.back, [.escape], [.list], "See", "clear marks, filter", hint: "clear", for: .narrowed),
    Binding(
      .accept, ["A"], [.list], "Decide", "accept suggestions", hint: "accept it", for: .suggestions),
    Binding(
      .take(.client), ["c", .function(5)], [.record], "Decide", "take client", hint: "client",
      for: .decidableNow, rank: .needed),
    Binding(
      .take(.server), ["s", .function(6)], [.record], "Decide", "take server", hint: "server",
      for: .servers, rank: .needed),
    Binding(.take(.ancestor), ["a"], [.record], "Decide", "take ancestor", hint: "ancestor", for: .ancestors),
    Binding(.take(.client), ["c", .function(5)], [.list], "Decide", "all from C, S or A"),
    Binding(.take(.server), ["s", .function(6)], [.list], "Decide", "all from C, S or A"),
    Binding(.take(.ancestor), ["a"], [.list], "Decide", "all from C, S or A"),
    Binding(.edit, ["e", .function(4)], [.record], "Decide", "edit the value", hint: "edit", for: .editable),
    Binding(.editOutside, ["E"], [.record], "Decide", "edit it in $EDITOR"),
    Binding(
      .accept, ["A"], [.record], "Decide", "accept suggestions", hint: "accept", for: .suggestions,
      rank: .handy),
    Binding(
      .review, ["w", .function(2)], [.record], "Write and undo", "review and write", hint: "write",
      rank: .needed),
    Binding(.review, ["w", .function(2)], [.value], "Write and undo", "review and write"),
    Binding(
      .record(.merge), ["m"], [.record, .value], "Decide", "merge its changes", hint: "merge", for: .parts,
      rank: .needed),
    Binding(
      .open, [.enter, .function(3)], [.record], "Move", "whole value", hint: "value", rank: .needed),
    Binding(.nextUndecided, [.tab], [.record], "Move", "what is to decide", hint: "next", rank: .handy),
    Binding(.previousUndecided, [.backTab], [.record], "Move", "what is to decide"),
    Binding(.record(.nextToDecide), [">"], [.record, .value], "Move", "records to decide"),
    Binding(.record(.previousToDecide), ["<"], [.record, .value], "Move", "records to decide"),
    Binding(.nextUndecided, [.tab, ">"], [.list], "Move", "records to decide"),
    Binding(.previousUndecided, [.backTab, "<"], [.list], "Move", "records to decide"),
    Binding(.list(.sort), ["o"], [.list], "See", "another order"),
    Binding(
      .take(.client), ["c", .function(5)], [.merge], "Decide", "the client's here", hint: "client",
      rank: .needed),
    Binding(
      .take(.server), ["s", .function(6)], [.merge], "Decide", "the server's here", hint: "server",
      rank: .needed),
    Binding(
      .record(.both), ["b"], [.merge], "Decide", "both; B: server first", hint: "both", for: .twoTexts),
    Binding(.record(.bothServerFirst), ["B"], [.merge], "Decide", "both; B: server first"),
    Binding(.take(.ancestor), ["a"], [.merge], "Decide", "as it was", hint: "ancestor", for: .ancestors),
    Binding(.edit, ["e", .function(4)], [.merge], "Decide", "type words here", hint: "edit"),
    Binding(
      .accept, ["A"], [.merge], "Decide", "accept suggestions", hint: "accept value", rank: .handy),
    Binding(
      .list(.nextMatch), ["n"], [.list, .value, .merge, .text, .givenUp, .tree], "Move", "where the words are"
    ),
    Binding(
      .list(.previousMatch), ["N"], [.list, .value, .merge, .text, .givenUp, .tree], "Move",
      "where the words are"),
    Binding(.record(.takeCell), [" "], [.record], "Decide", "take this cell"),
    Binding(.record(.forget), ["x", .delete], [.record], "Decide", "not decided after all"),
    Binding(.open, [.enter, " "], [.alternatives], "Decide", "decide it so", hint: "take"),
    Binding(
      .drafts(.confirm), ["Y"], [.review], "Write and undo", "write, or take back", hint: "write",
      for: .confirmable,
      rank: .needed),
    Binding(
      .open, [.enter, .function(3)], [.review], "Move", "open the record", hint: "open", for: .reviewed),
    Binding(
      .drafts(.leaveOut), [" "], [.review], "Decide", "leave out, take in", hint: "leave out", for: .parted),
    Binding(.drafts(.note), ["n"], [.review], "Decide", "note for the log", hint: "note", for: .drafts),
    Binding(.edit, ["e", .function(4)], [.review], "Decide", "edit the value"),
    Binding(.drafts(.showSQL), ["d"], [.review], "See", "the SQL", hint: "SQL", for: .statements),
    Binding(.drafts(.showJSON), ["o"], [.review], "See", "the JSON", hint: "JSON", for: .drafts),
    Binding(.drafts(.more), ["i"], [.review], "See", "how it is done"),
    Binding(
      .review, ["w", .function(2)], [.list], "Write and undo", "review and write", hint: "write",
      rank: .needed),
    Binding(
      .mend, ["m"], [.list, .finding], "Write and undo", "mend a finding", hint: "mend", for: .findings),
    Binding(
      .take(.server), ["s", .function(6)], [.finding], "Write and undo", "take the server's side",
      hint: "server",
      for: .findingsOfSides),
    Binding(.record(.nextLeaf), ["]"], [.record], "See", "other leaves", hint: "leaf", for: .leaves),
    Binding(.record(.previousLeaf), ["["], [.record], "See", "other leaves"),
    Binding(
      .record(.alternatives), ["o"], [.record], "Decide", "the whole record", hint: "whole", for: .ways),
    Binding(.history, ["L"], [.list, .record], "See", "lifecycle, or tree", hint: "lifecycle"),
    Binding(.history, ["L"], [.finding], "See", "lifecycle, or tree", hint: "tree", for: .trees),
    Binding(.undo, ["u", .function(8)], [.list], "Write and undo", "undo", hint: "undo", rank: .needed),
    Binding(.undo, ["u", .function(8)], [.record], "Write and undo", "undo", hint: "undo", rank: .needed),
    Binding(
      .undo, ["u", .function(8)], [.review], "Write and undo", "undo", hint: "take back", for: .written),
    Binding(.nextUndecided, [.tab], [.review], "Move", "next problem", hint: "next problem", for: .problems),
    Binding(.previousUndecided, [.backTab], [.review], "Move", "next problem"),
    Binding(.redo, ["U"], [.list, .record], "Write and undo", "redo"),
    Binding(
      .list(.mark), [" ", .insert, .shiftDown], [.list], "Decide", "mark row, range, all", hint: "mark",
      for: .conflicts),
    Binding(.list(.bulk), ["B"], [.list], "Decide", "rules for many", hint: "bulk", for: .ruled),
    Binding(.search, ["/", .function(7)], [.list], "See", "filter by words", hint: "filter"),
    Binding(
      .open, [.enter, .function(3)], [.finding], "Move", "open the record", hint: "open its record",
      for: .findingsInConflict, rank: .handy),
    Binding(.search, ["/", .function(7)], [.record, .finding], "See", "filter the list"),
    Binding(
      .search, ["/", .function(7)], [.value, .merge, .text, .givenUp], "See", "find words", hint: "find",
      for: .longerTexts),
    Binding(.search, ["/", .function(7)], [.review], "See", "find a record, field"),
    Binding(.left, ["h", .left], [.walkthrough], "Story", "step before", hint: "step", rank: .needed),
    Binding(.right, ["l", .right], [.walkthrough], "Story", "next step", hint: "step", rank: .needed),
    Binding(.story(.play), [" "], [.walkthrough], "Story", "play, pause", hint: "play"),
    Binding(.story(.ruleSet), ["m"], [.walkthrough], "What if", "rules: model, today", hint: "compare"),
    Binding(.story(.nextStory), [.tab], [.walkthrough], "Story", "next, previous story", hint: "story"),
    Binding(
      .story(.tryIt), ["t"], [.walkthrough], "What if", "decide it yourself", hint: "try it", for: .decidable),
    Binding(.back, [.escape, "q"], [.walkthrough], "Any screen", "back", hint: "back"),
    Binding(.open, [.enter], [.walkthrough], "Story", "all steps, one step", hint: "all steps"),
    Binding(
      .move(.up), ["k", .up], [.walkthrough], "Move", "up, down", hint: "scroll", for: .longer, rank: .needed),
    Binding(
      .move(.down), ["j", .down], [.walkthrough], "Move", "up, down", hint: "scroll", for: .longer,
      rank: .needed),
    Binding(.move(.up), ["k", .up], [.value, .finding], "Move", "up, down", hint: "scroll", for: .longer),
    Binding(
      .move(.down), ["j", .down], [.value, .finding], "Move", "up, down", hint: "scroll", for: .longer),
    Binding(
      .back, [.escape, "q"], [.record, .value], "Move", "back",
      hint: "back", rank: .needed),
    Binding(
      .back, [.escape, "q"], [.alternatives, .review, .tree, .finding], "Move", "back", hint: "back"),
    Binding(.back, ["h", .left], [.value, .alternatives, .review, .finding], "Move", "back"),
    Binding(.line(.keep), [.enter], [.editor], "Decide", "take what is typed", hint: "take", for: .versions),
    Binding(.back, [.escape, .control("c")], [.editor], "Decide", "cancel", hint: "cancel"),
    Binding(
      .move(.up), [.up], [.editor], "Type", "other line; of one line: copy A, C, S", hint: "copy A C S",
      for: .versions),
    Binding(
      .move(.down), [.down], [.editor], "Type", "other line; of one line: copy A, C, S", hint: "copy A C S",
      for: .versions),
    Binding(
      .move(.pageUp), [.pageUp], [.editor], "Type", "copy A, C, S", hint: "copy A C S", for: .versions),
    Binding(
      .move(.pageDown), [.pageDown], [.editor], "Type", "copy A, C, S", hint: "copy A C S", for: .versions),
    Binding(.line(.breakLine), [.altEnter, .control("j")], [.editor], "Type", "break the line"),
    Binding(
      .line(.clear), [.control("u")], [.editor], "Type", "erase to the start", hint: "clear", for: .filled),
    Binding(.line(.setNull), [.control("n")], [.editor], "Type", "NULL", hint: "NULL", for: .notNull),
    Binding(.line(.otherKind), [.tab], [.editor], "Type", "as a text, a number, JSON"),
    Binding(
      .editOutside, [.control("x")], [.editor], "Decide", "open $EDITOR", hint: "$EDITOR",
      for: .texts),
    Binding(.line(.keep), [.enter, .up, .down], [.input], "Type", "take what is typed", hint: "take"),
    Binding(.back, [.escape, .control("c")], [.input], "Type", "cancel", hint: "cancel"),
    Binding(.line(.clear), [.control("u")], [.input, .help, .palette], "Type", "erase to the start"),
    Binding(.left, [.left, .control("b")], [.editor, .input], "Type", "back, on"),
    Binding(.right, [.right, .control("f")], [.editor, .input], "Type", "back, on"),
    Binding(.move(.first), [.home, .control("a")], [.editor, .input], "Type", "to the start"),
    Binding(.move(.last), [.end, .control("e")], [.editor, .input], "Type", "to the end"),
    Binding(.line(.wordBack), [.alt("b")], [.editor, .input], "Type", "back, on by a word"),
    Binding(.line(.wordOn), [.alt("f")], [.editor, .input], "Type", "back, on by a word"),
    Binding(.line(.eraseBefore), [.backspace], [.editor, .input, .help, .palette], "Type", "erase"),
    Binding(.line(.eraseAfter), [.delete, .control("d")], [.editor, .input], "Type", "erase"),
    Binding(.line(.eraseWord), [.control("w")], [.editor, .input, .help, .palette], "Type", "erase a word"),
    Binding(.line(.eraseToEnd), [.control("k")], [.editor, .input], "Type", "erase to the end"),
    Binding(.line(.eraseWordBack), [.altBackspace], [.editor, .input], "Type", "erase letters back, on"),
    Binding(.line(.eraseWordOn), [.alt("d")], [.editor, .input], "Type", "erase letters back, on"),
    Binding(.line(.yank), [.control("y")], [.editor, .input], "Type", "put back what was erased"),
    Binding(.line(.swap), [.control("t")], [.editor, .input], "Type", "swap two letters"),
    Binding(.line(.takeBack), [.control("_")], [.editor, .input], "Type", "undo typing"),
    Binding(.line(.older), [.control("p")], [.input], "Type", "what was typed before"),
    Binding(.line(.newer), [.control("n")], [.input], "Type", "what was typed before"),
    Binding(
      .back, [.escape, .enter, .function(1), "q", "?"], [.help], "Move", "clear, close", hint: "close"),
    Binding(.search, ["/"], [.help], "Type", "search by typing"),
    Binding(.move(.up), [.up], [.help], "Move", "up, down", hint: "scroll", for: .longer),
    Binding(.move(.down), [.down], [.help], "Move", "up, down", hint: "scroll", for: .longer),
    Binding(.nextTopic, [.tab], [.help], "Move", "next screen", hint: "next screen"),
    Binding(.quit, [.function(10), .control("c")], [.help], "Any screen", "quit from anywhere"),
    Binding(
      .anywhere(.palette), [":", .function(9)], [.help], "Any screen", "commands of the screen beneath",
      hint: "commands"),
    Binding(.quit, ["q"], [.list], "Move", "quit", hint: "quit"),
    Binding(
      .quit, [.function(10), .control("c")], screens.subtracting([.bulk]), "Any screen", "quit from anywhere"),
    Binding(
      .move(.up), ["k", .up], screens.subtracting([.value, .finding, .text, .walkthrough]), "Move", "up, down"
    ),
    Binding(
      .move(.down), ["j", .down], screens.subtracting([.value, .finding, .text, .walkthrough]), "Move",
      "up, down"),
    Binding(.left, ["h", .left], [.record], "Move", "cell of A, C, S"),
    Binding(.right, ["l", .right], [.record], "Move", "cell of A, C, S"),
    Binding(.move(.first), ["g", .home], screens, "Move", "first, last"),
    Binding(.move(.last), ["G", .end], screens, "Move", "first, last"),
    Binding(.move(.pageUp), [.pageUp, .control("u"), .control("b")], screens, "Move", "half a page"),
    Binding(.move(.pageDown), [.pageDown, .control("d"), .control("f")], screens, "Move", "half a page"),
    Binding(.record(.nextRecord), ["n", .controlPageDown], [.record], "Move", "neighbour rows"),
    Binding(.record(.previousRecord), ["N", .controlPageUp], [.record], "Move", "neighbour rows"),
    Binding(
      .record(.nextRecord), ["n", .tab, .controlPageDown], [.finding], "Move", "neighbour rows", hint: "next"),
    Binding(
      .record(.previousRecord), ["N", .backTab, .controlPageUp], [.finding], "Move", "neighbour rows"),
    Binding(
      .open, [.enter, .function(3)], [.value], "See", "bytes of an attachment", hint: "bytes",
      for: .attachments),
    Binding(.filter(.all), ["1"], [.list], "See", "all"),
    Binding(.filter(.toDecide), ["2"], [.list], "See", "to decide: ! ^ ~"),
    Binding(.filter(.clock), ["3"], [.list], "See", "to decide: ! ^ ~"),
    Binding(.filter(.sure), ["4"], [.list], "See", "to decide: ! ^ ~"),
    Binding(.filter(.ready), ["5"], [.list], "See", "ready, stuck, waiting"),
    Binding(.filter(.stuck), ["6"], [.list], "See", "ready, stuck, waiting"),
    Binding(.filter(.waiting), ["7"], [.list], "See", "ready, stuck, waiting"),
    Binding(.anywhere(.toggleUnchanged), ["="], [.record, .review], "See", "unchanged fields"),
    Binding(.anywhere(.toggleTime), ["T"], [.list], "See", "last edit: ago, time"),
    Binding(.anywhere(.toggleTime), ["T"], [.record, .value], "See", "local, ago, UTC"),
    Binding(.anywhere(.togglePrivate), ["P"], screens, "See", "hide all values"),
    Binding(.story(.faster), ["+"], [.walkthrough], "Story", "faster, slower"),
    Binding(.story(.slower), ["-"], [.walkthrough], "Story", "faster, slower"),
    Binding(.story(.previousStory), [.backTab], [.walkthrough], "Story", "next, previous story"),
    Binding(.story(.whatIf(1)), ["1"], [.walkthrough], "What if", "S newer; answer 1"),
    Binding(.story(.whatIf(2)), ["2"], [.walkthrough], "What if", "C newer; answer 2"),
    Binding(.story(.whatIf(3)), ["3"], [.walkthrough], "What if", "same time; answer 3"),
    Binding(.story(.whatIf(4)), ["4"], [.walkthrough], "What if", "C deletes; answer 4"),
    Binding(.story(.whatIf(5)), ["5"], [.walkthrough], "What if", "S deletes; answer 5"),
    Binding(
      .reload, ["r"], [.list, .record, .tree], "See", "read the store again", hint: "finish it",
      for: .interrupted, rank: .needed),
    Binding(
      .reload, ["r"], [.review], "See", "ask the store again", hint: "finish it", for: .interrupted,
      rank: .needed),
    Binding(.anywhere(.help), ["?", .function(1)], screens, "Any screen", "this help", hint: "help"),
    Binding(.anywhere(.copy), ["y"], [.list, .record, .value, .merge], "See", "copy; twice: as JSON"),
    Binding(.anywhere(.copy), ["y"], [.rules], "See", "copy; twice: all rules"),
    Binding(.anywhere(.copy), ["y"], [.finding], "See", "copy its id"),
    Binding(.drafts(.more), ["i"], [.record], "See", "raw: tags, times, ids"),
    Binding(.drafts(.more), ["i"], [.rules], "See", "all that is said"),
    Binding(.open, [.enter], [.palette], "Move", "do it", hint: "do it"),
    Binding(.back, [.escape, .control("c")], [.palette], "Move", "back", hint: "back"),
    Binding(.move(.up), [.up, .backTab, .control("p")], [.palette], "Move", "up, down", hint: "move"),
    Binding(.move(.down), [.down, .tab, .control("n")], [.palette], "Move", "up, down", hint: "move"),
    Binding(.move(.pageUp), [.pageUp], [.palette, .help], "Move", "half a page"),
    Binding(.move(.pageDown), [.pageDown], [.palette], "Move", "half a page"),
    Binding(.move(.pageDown), [.pageDown, " "], [.help], "Move", "half a page"),
    Binding(.move(.first), [.home], [.help], "Move", "first, last"),
    Binding(.move(.last), [.end], [.help], "Move", "first, last"),
    Binding(.quit, [.function(10)], [.palette, .editor, .input], "Any screen", "quit from anywhere"),
    Binding(.anywhere(.redraw), [.control("l")], Set(Topic.allCases), "Any screen", "draw again"),
    Binding(.anywhere(.suspend), [.control("z")], screens, "Any screen", "stop; fg goes on"),
    Binding(.drafts(.confirm), ["Y"], [.bulk], "Decide", "make the drafts", hint: "make drafts"),
    Binding(.list(.mark), [" "], [.bulk], "Decide", "rule on or off", hint: "rule on/off"),
    Binding(.open, [.enter, .function(3)], [.bulk], "Move", "open the record", hint: "see record"),
    Binding(.drafts(.showSQL), ["d"], [.bulk], "See", "the SQL"),
    Binding(.drafts(.showJSON), ["o"], [.bulk], "See", "the JSON", hint: "JSON"),
    Binding(.back, [.escape, "q", .control("c")], [.bulk], "Move", "back, or stop", hint: "back"),
    Binding(.quit, [.function(10)], [.bulk], "Any screen", "quit from anywhere"),
    Binding(.reload, ["r"], [.bulk], "See", "read them again"),
    Binding(.list(.markRange), ["v"], [.list], "Decide", "mark row, range, all"),
    Binding(.list(.markShown), ["*"], [.list], "Decide", "mark row, range, all"),
    Binding(
      .take(.client), ["c", .function(5)], [.value], "Decide", "take the change", hint: "client",
      for: .decidableNow, rank: .needed),
    Binding(
      .take(.server), ["s", .function(6)], [.value], "Decide", "take the change", hint: "server",
      for: .servers, rank: .needed),
    Binding(
      .record(.takeAll(.client)), ["C"], [.value], "Decide", "take the whole value",
      hint: "whole", for: .severalChanges, rank: .needed),
    Binding(
      .record(.takeAll(.server)), ["S"], [.value], "Decide", "take the whole value",
      hint: "whole", for: .severalChanges, rank: .needed),
    Binding(
      .take(.ancestor), ["a"], [.value], "Decide", "take the change", hint: "ancestor", for: .ancestors),
    Binding(
      .record(.nextChange), ["]", .controlDown], [.value, .merge], "Move", "next, previous change",
      hint: "change", rank: .needed),
    Binding(
      .record(.previousChange), ["[", .controlUp], [.value, .merge], "Move", "next, previous change",
      hint: "change", rank: .needed),
    Binding(.nextUndecided, [.tab], [.merge], "Move", "what is to decide", hint: "next"),
    Binding(.previousUndecided, [.backTab], [.merge], "Move", "what is to decide"),
    Binding(.edit, ["e", .function(4)], [.value], "Decide", "edit the value", hint: "edit", for: .editable),
    Binding(.editOutside, ["E"], [.value, .merge], "Decide", "edit it in $EDITOR"),
    Binding(.record(.forget), ["x", .delete], [.value, .merge], "Decide", "not decided after all"),
    Binding(
      .undo, ["u", .function(8)], [.value, .merge], "Write and undo", "undo", hint: "undo", rank: .needed),
    Binding(.redo, ["U"], [.value, .merge], "Write and undo", "redo"),
    Binding(
      .record(.takeAll(.client)), ["C"], [.merge], "Decide", "take the whole value",
      hint: "whole", for: .severalChanges),
    Binding(
      .record(.takeAll(.server)), ["S"], [.merge], "Decide", "take the whole value",
      hint: "whole", for: .severalChanges),
    Binding(
      .record(.columns), ["|"], [.value, .merge], "See", "one column, three", hint: "columns", for: .wide),
    Binding(.anywhere(.toggleUnchanged), ["="], [.value, .merge], "See", "all of the value"),
    Binding(.anywhere(.toggleTime), ["T"], [.merge], "See", "local, ago, UTC"),
    Binding(.back, [.escape, "q"], [.merge], "Move", "back", hint: "done", rank: .needed),
    Binding(.back, ["h", .left], [.merge, .text], "Move", "back"),
    Binding(.move(.up), ["k", .up], [.text], "Move", "up, down", hint: "scroll", for: .longer),
    Binding(.move(.down), ["j", .down], [.text], "Move", "up, down", hint: "scroll", for: .longer),
    Binding(
      .open, [.enter, .function(3)], [.text], "Move", "open at the cursor", hint: "open", for: .logged,
      rank: .needed),
    Binding(.back, [.escape, "q"], [.text], "Move", "back", hint: "back"),
    Binding(.anywhere(.log), ["H"], [.list, .record], "See", "log of this record"),
    Binding(.anywhere(.logOfTheStore), ["J"], [.list], "See", "log of the store"),
    Binding(.anywhere(.rules), ["R"], [.list, .record], "See", "rules of the table"),
    Binding(.open, [.enter], [.rules], "Decide", "choose a rule", hint: "choose"),
    Binding(.list(.forSession), ["t"], [.rules], "Decide", "for this session", hint: "this session"),
    Binding(.drafts(.confirm), ["Y"], [.rules], "Decide", "into the settings", hint: "into settings"),
    Binding(
      .record(.forget), ["x", .delete], [.rules], "Decide", "take it away, or back", hint: "take away"),
    Binding(.back, [.escape, "q"], [.rules], "Move", "back", hint: "back"),
    Binding(.list(.tables), ["t"], [.list], "See", "counts by table"),
    Binding(
      .anywhere(.givenUp), ["D"], [.list, .record, .value, .merge, .review], "See", "what was given up"),
    Binding(
      .open, [.enter, .function(3)], [.givenUp], "Move", "open the record", hint: "open", for: .losses),
    Binding(.anywhere(.copy), ["y"], [.givenUp], "See", "copy what was given up", hint: "copy", for: .losses),
    Binding(
      .anywhere(.copy), ["y"], [.text], "See", "copy what is shown", hint: "copy", for: .copiedTexts),
    Binding(
      .undo, ["u", .function(8)], [.givenUp], "Write and undo", "undo", hint: "take its write back",
      for: .writtenLosses),
    Binding(.back, [.escape, "q"], [.givenUp], "Move", "back", hint: "back"),
    Binding(.anywhere(.family), ["f"], [.list, .record], "Decide", "decide its family"),
    Binding(
      .accept, ["A"], [.family], "Decide", "accept suggestions", hint: "accept family", for: .relatives),
    Binding(
      .take(.client), ["c", .function(5)], [.family], "Decide", "one side for all", hint: "client",
      for: .relatives),
    Binding(
      .take(.server), ["s", .function(6)], [.family], "Decide", "one side for all", hint: "server",
      for: .relatives),
    Binding(
      .list(.bulk), ["B"], [.family], "Decide", "rules for all of them", hint: "bulk", for: .relatives),
    Binding(
      .open, [.enter, .function(3)], [.family], "Move", "open the record", hint: "open", for: .relatives),
    Binding(.back, [.escape, "q"], [.family], "Move", "back", hint: "back"),
    Binding(.undo, ["u", .function(8)], [.family], "Write and undo", "undo", hint: "undo"),
    Binding(.redo, ["U"], [.family], "Write and undo", "redo"),
    Binding(.review, ["w", .function(2)], [.family], "Write and undo", "review and write", hint: "write"),
    Binding(.reload, ["r"], [.family], "See", "look for them again"),
    // The last in a footer, and the first that goes where there is no room.
    Binding(
      .anywhere(.palette), [":", .function(9)], screens, "Any screen", "all commands", hint: "commands"),
  ]

  /// What `key` means on a screen. Letters of other alphabets count by their place on the keyboard.
  package static func command(for key: Key, on topic: Topic) -> Command? {
    binding(for: key, on: topic)?.command ?? latin(key).flatMap { binding(for: $0, on: topic)?.command }
  }

  package static func bindings(on topic: Topic) -> [Binding] { byTopic[topic] ?? [] }

  /// Parted once: every frame, and every key, asks for those of a screen.
  private static let byTopic: [Topic: [Binding]] = bindings.reduce(into: [:]) { known, binding in
    for topic in binding.topics { known[topic, default: []].append(binding) }
  }

  /// All that keys do on a screen: where words are typed beside other keys, those of every line of text hold as well, as far as they
  /// mean nothing else.
  package static func told(on topic: Topic) -> [Binding] {
    let own = bindings(on: topic)
    guard [.help, .palette].contains(topic) else { return own }
    let taken = Set(own.flatMap(\.keys))
    let typed = bindings(on: .input).filter { binding in
      // Nothing is kept there, so that nothing could come back.
      binding.group == "Type" && ![.line(.keep), .line(.older), .line(.newer)].contains(binding.command)
    }
    return own
      + typed.map { binding in binding.having(binding.keys.filter { !taken.contains($0) }) }
      .filter { !$0.keys.isEmpty }
  }

  private static func binding(for key: Key, on topic: Topic) -> Binding? {
    bindings(on: topic).first { $0.keys.contains(key) }
  }

  private static func latin(_ key: Key) -> Key? {
    guard case .character(let character) = key else { return nil }
    return OtherLayouts.latin(character).map { .character($0) }
  }
}
