import Merging
import Testing

@testable import Simulation

/// Random histories of two devices. The seeds are fixed: every run plays the same ones.
struct HistoryTests {
  static let seeds: Range<UInt64> = 0..<300

  @Test(arguments: TieRule.allCases)
  func underTheModelDevicesConverge(tie: TieRule) {
    let rules = RuleSet.model(MergeRules(tie: tie))
    let diverges = { (history: History) in !PlayedHistory(history, under: rules).converged }
    let found = HistoryTests.histories(deletions: true, skew: true).first(where: diverges)
    #expect(found == nil, "\(String(describing: found?.shrunk(while: diverges)))")
  }

  @Test(arguments: TieRule.allCases)
  func underTheModelNoEditThatWasNewestIsLost(tie: TieRule) {
    let rules = RuleSet.model(MergeRules(tie: tie))
    let loses = { (history: History) in !PlayedHistory(history, under: rules).lostColumns.isEmpty }
    let found = HistoryTests.histories().first(where: loses)
    #expect(found == nil, "\(String(describing: found?.shrunk(while: loses)))")
  }

  /// The reason to keep a time for each field: an old edit rides on the row's time of a later one.
  @Test func withOneTimeForTheRowTheModelConvergesAndCanLoseTheNewestEdit() throws {
    let played = { (history: History) in PlayedHistory(history, under: .model(), keepsTimesOfFields: false) }
    #expect(HistoryTests.histories().allSatisfy { played($0).converged })
    let smallest = try #require(HistoryTests.smallestHistory { !played($0).lostColumns.isEmpty })
    #expect(smallest.acts.map(\.kind).allSatisfy { $0 == .editCount || $0 == .editTitle })
    #expect(smallest.acts.count == 3, "\(smallest)")
    #expect(PlayedHistory(smallest, under: .model()).lostColumns.isEmpty)
  }

  @Test func underSQLiteDataTheNewestEditIsLostAsTheShippedScenarioTells() throws {
    let loses = { (history: History) in !PlayedHistory(history, under: .sqliteData()).lostColumns.isEmpty }
    let smallest = try #require(HistoryTests.smallestHistory(loses))
    #expect(smallest.isShared)
    #expect(Told.edits(smallest) == Told.edits(of: .lostEdit), "\(smallest)")
    #expect(PlayedHistory(smallest, under: .model()).lostColumns.isEmpty)
  }

  @Test func underSQLiteDataTwoDevicesDivergeByTies() throws {
    let diverges = { (history: History) in !PlayedHistory(history, under: .sqliteData()).converged }
    let smallest = try #require(HistoryTests.smallestHistory(diverges))
    #expect(smallest.acts.allSatisfy { $0.delay == 0 }, "all at the same time: \(smallest)")
    #expect(smallest.acts.count == 3, "\(smallest)")
    let played = PlayedHistory(smallest, under: .sqliteData())
    #expect(played.row("phone") != played.row("tablet"))
    let settled = played.world.devices.values.filter(\.isSettled)
    #expect(settled.count == 2, "and neither has anything to send")
    #expect(PlayedHistory(smallest, under: .model()).converged)
  }

  @Test func aShrunkHistoryCannotBeMadeSmaller() throws {
    let loses = { (history: History) in !PlayedHistory(history, under: .sqliteData()).lostColumns.isEmpty }
    let found = try #require(HistoryTests.histories().first(where: loses))
    let shrunk = found.shrunk(while: loses)
    #expect(loses(shrunk))
    #expect(shrunk.acts.count < found.acts.count)
    #expect(shrunk.shrunk(while: loses) == shrunk)
  }

  static func histories(deletions: Bool = false, skew: Bool = false) -> some Sequence<History> {
    seeds.lazy.map { History.random(seed: $0, length: 14, deletions: deletions, skew: skew) }
  }

  /// The smallest of the first twenty that are found, each shrunk.
  static func smallestHistory(_ fails: (History) -> Bool) -> History? {
    let shrunk = histories().filter(fails).prefix(20).map { $0.shrunk(while: fails) }
    return shrunk.min { $0.size.lexicographicallyPrecedes($1.size) }
  }
}

extension History {
  /// Shared starts before separate ones, then few acts, then short delays.
  fileprivate var size: [Int] {
    [isShared ? 0 : 1, acts.count, acts.dropFirst().map { Int($0.delay) }.reduce(0, +)]
      + acts.map { ($0.kind == .editCount ? 0 : 1) + ($0.device == "tablet" ? 0 : 1) }
  }
}

/// An edit as a story tells it: who, which field, and whether it is later than the edit before.
private struct Told: Equatable {
  var device: String
  var columns: Set<String>
  var isLater: Bool

  static func edits(_ history: History) -> [Told] {
    history.acts.enumerated().map { index, act in
      Told(
        device: act.device, columns: act.kind == .editCount ? ["count"] : [act.kind.rawValue],
        isLater: index > 0 && act.delay > 0)
    }
  }

  static func edits(of scenario: Scenario) -> [Told] {
    var last = Int64.max
    return scenario.chapters.compactMap { chapter in
      guard let moment = chapter.moment, case .device(let device, .edit(_, let values)) = moment.step else {
        return nil
      }
      defer { last = moment.time }
      return Told(device: device, columns: Set(values.keys), isLater: moment.time > last)
    }
  }
}
