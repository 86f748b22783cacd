import Foundation
import Samples
import Testing

@testable import parley

/// `parley write --copy`: what is said and left before, while and after a container is copied.
@Suite("Container copies by command") struct ContainerCopyCommandTests {
  private func withContainer(_ body: (_ path: String, _ folder: String) throws -> Void) throws {
    try withTemporaryFolder { folder in try body(SampleStores.make(.smsync, in: folder + "/a"), folder) }
  }

  @Test("The command for a copy that is there can be pasted, whatever its folder is called")
  func copyIsThere() throws {
    try withContainer { path, folder in
      Live.run("resolve", path, ContainerDemoStore.uuid(2), "--set", "record=server")
      let copy = folder + "/a copy"
      #expect(Live.run("write", path, "--copy", copy, "--yes").output.contains("written: "))
      let again = Live.run("write", path, "--copy", copy, "--yes")
      #expect(again.status == .refused && again.errors.contains("parley write '\(copy)' --yes"), "\(again)")
    }
  }
}
