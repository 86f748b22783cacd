import Foundation
import TerminalTestSupport
import Testing

@Suite("The pictures in Screenshots show the program as it is", .onItsOwnThread)
struct PictureTests {
  @Test(
    "the screens are those that the picture was taken from",
    .enabled(if: TmuxTerminal.isInstalled, "tmux is not installed"),
    arguments: try PictureList.read())
  func screens(picture: Picture) throws {
    let taken = try PictureList.screens(of: picture)
    let now = try picture.screens(like: taken)
    guard now != taken else { return }
    // Not by #expect, which would print both screens whole.
    let line = zip(lines(taken), lines(now)).first { $0 != $1 }
    Issue.record(
      """
      Screenshots/\(picture.name) shows what the program does not show any more: “\(line?.0 ?? "")” is now \
      “\(line?.1 ?? "")”. Screenshots/make \(picture.name) makes it anew; look at it before you commit it.
      """)
  }

  private func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test("each picture of the list lies there with its text, and nothing else does")
  func complete() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: PictureList.folder.path)
    let listed = try PictureList.read().flatMap { picture in
      [picture.name + ".txt", picture.name + (picture.moves ? ".gif" : ".png")]
    }
    #expect(Set(files) == Set(listed + ["make", "pictures.txt"]))
  }
}
