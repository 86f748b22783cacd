import Merging
import Testing

@Suite struct ReasonWordsTests {
  @Test(arguments: [
    (Reason.unchanged, "unchanged"),
    (.onlyChanged(.client), "only client changed"),
    (.agree, "client and server agree"),
    (.newer(.server, by: 302_000_000_000), "server newer by 5m 02s"),
    (
      .withinMargin(.server, client: 10_000_000_000, server: 11_000_000_000, margin: 2_000_000_000),
      "server newer by 1s, margin 2s"
    ),
    (.sameTime(100, tieRule: .client), "same time"),
    (.sameTime(nil, tieRule: .client), "both changed"),
    (.onlyTimeKnown(.server), "only the server's time is known"),
    (.noAncestor(newer: .client), "no ancestor, client newer"),
    (.noAncestor(newer: nil), "no ancestor"),
    (.noAncestorTimeOf(.server), "no ancestor, only the server's time is known"),
    (.policy("counter"), "policy counter"),
    (.policyNotApplicable("counter"), "policy counter does not fit"),
    (.overlap(places: 1), "1 overlap"),
    (.overlap(places: 2), "2 overlaps"),
    (.notAtHand(.server), "the server's bytes are not here"),
    (.notKnown(.server), "server not known"),
    (.deletedAgainstEdit(deleted: .client), "deleted on the client, edited on the server"),
    (.deletedAgainstEdit(deleted: .server), "deleted on the server, edited on the client"),
    (.goneSince, "deleted since, nobody knows where"),
    (.onlyOn(.server), "on the server alone, the client has no record of it"),
    (.onlyOn(.client), "on the client alone, the server has no record of it"),
  ])
  func aReasonIsOnePhrase(reason: Reason, words: String) { #expect(reason.description == words) }

  @Test(arguments: [
    (Int64(0), "0ns"), (1, "1ns"), (999, "999ns"), (1_000, "1us"), (999_999, "999us"), (1_000_000, "1ms"),
    (999_999_999, "999ms"), (1_000_000_000, "1s"), (59_999_999_999, "59s"), (60_000_000_000, "1m 00s"),
    (3_599_000_000_000, "59m 59s"), (3_600_000_000_000, "1h 00m"), (86_399_000_000_000, "23h 59m"),
    (86_400_000_000_000, "1d 00h"), (273_600_000_000_000, "3d 04h"), (-1, "1ns"),
    (.max, "106751d 23h"), (.min, "106751d 23h"),
  ])
  func aDurationHasItsTwoLargestUnits(nanoseconds: Int64, words: String) {
    #expect(Reason.duration(nanoseconds) == words)
  }
}
