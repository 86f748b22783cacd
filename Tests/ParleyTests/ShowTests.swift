import Merging
import Testing

@testable import parley

@Suite("show")
struct ShowTests {
  @Test("leaves out what joins emoji, as its help says, and --json does not")
  func joiners() {
    let family = "👩\u{200D}👧"
    let record = Samples.edited(
      "F8", title: "Family", ancestor: ["title": .text("Family")], client: ["title": .text(family)],
      server: ["title": (.text("Families"), 1)])
    let session = Session([record])
    #expect(session.run("show a.sqlite").output.contains("👩👧"))
    let json = session.run("show a.sqlite --json").output
    #expect(json.contains(family) || json.lowercased().contains("👩\\u200d👧"), "\(json)")
    let help = session.run("help show").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.contains("as what joins emoji, is left out") && help.contains("--json has every character."))
  }

  @Test("prints a conflict with the documented keys in their order")
  func json() {
    let run = Session([Samples.milk]).run("show a.sqlite --json")
    let prints = Samples.milk.decisions(
      about: Samples.milk.fields.map { .field($0.name) } + [.record], in: Resolution(), at: 0
    ).map(\.fingerprint.stored)
    #expect(
      run.output == """
        {"id":"M2:reminders","kind":"edit","table":"reminders","primaryKey":"M2","ancestorTag":"a00b",\
        "serverTag":"c00b","fields":[\
        {"name":"id","change":"unchanged","certainty":null,\
        "ancestor":{"value":"M2","time":1795165200000000000},"client":{"value":"M2","time":1795165200000000000},\
        "server":{"value":"M2","time":1795165200000000000},\
        "suggestion":{"source":null,"value":"M2","reason":"unchanged"},"decision":null,"type":"text","writable":false,"today":null,"fingerprint":"\(prints[0])"},\
        {"name":"title","change":"unchanged","certainty":null,\
        "ancestor":{"value":"Milk","time":1795165200000000000},"client":{"value":"Milk","time":1795165200000000000},\
        "server":{"value":"Milk","time":1795165200000000000},\
        "suggestion":{"source":null,"value":"Milk","reason":"unchanged"},"decision":null,"type":"text","writable":true,"today":null,"fingerprint":"\(prints[1])"},\
        {"name":"priority","change":"onlyServer","certainty":"sure",\
        "ancestor":{"value":1,"time":1795165200000000000},"client":{"value":1,"time":1795165200000000000},\
        "server":{"value":2,"time":1795165260000000000},\
        "suggestion":{"source":"server","value":2,"reason":"only server changed"},"decision":null,"type":"integer",\
        "writable":true,"today":null,"fingerprint":"\(prints[2])"},\
        {"name":"weight","change":"unchanged","certainty":null,\
        "ancestor":{"value":null,"time":1795165200000000000},"client":{"value":null,"time":1795165200000000000},\
        "server":{"value":null,"time":1795165200000000000},\
        "suggestion":{"source":null,"value":null,"reason":"unchanged"},"decision":null,"type":"real","writable":true,"today":null,"fingerprint":"\(prints[3])"},\
        {"name":"cover","change":"unchanged","certainty":null,"ancestor":null,"client":null,"server":null,\
        "suggestion":{"source":null,"value":null,"reason":"unchanged"},"decision":null,"type":"blob","writable":true,"today":null,"fingerprint":"\(prints[4])"},\
        {"name":"slug","change":"unchanged","certainty":null,"ancestor":null,"client":null,"server":null,\
        "suggestion":{"source":null,"value":null,"reason":"unchanged"},"decision":null,"type":"text","writable":false,"today":null,"fingerprint":"\(prints[5])"},\
        {"name":"extra","change":"unchanged","certainty":null,"ancestor":null,"client":null,"server":null,\
        "suggestion":{"source":null,"value":null,"reason":"unchanged"},"decision":null,"type":"any","writable":true,"today":null,"fingerprint":"\(prints[6])"}],\
        "title":"Milk","certainty":"sure","state":"open","receivedAt":"2026-11-20T12:09:02Z","serverDevice":"iPad",\
        "versions":{"ancestor":{"is":"present"},"client":{"is":"present"},"server":{"is":"present"}},"record":null,\
        "notes":[],"notWritable":null,"ancestorNotChoosable":null,"waitingSince":null,"leaves":[],"alternatives":[],"outdated":[],"moved":false,"fingerprint":"\(prints[7])"}

        """)
  }

  @Test("tells decisions with the value they give")
  func decided() throws {
    let session = Session([Samples.dentist])
    _ = session.run(["resolve", "a.sqlite", "D1", "--set", "title=text:client", "--set", "weight=server"])
    let output = session.run("show a.sqlite --json").output
    #expect(output.contains(#""decision":{"source":"edited","value":"client"},"type":"text""#))
    #expect(output.contains(#""decision":{"source":"server","value":4.0},"type":"real""#))
    #expect(output.contains(#""state":"open""#))
  }

  @Test("tells what a record that is decided as a whole waits for")
  func whole() {
    let session = Session([Samples.invoice])
    #expect(
      session.run("show a.sqlite --json").output.contains(
        #""versions":{"ancestor":{"is":"present"},"client":{"is":"present"},"server":{"is":"deleted","time":1795165290000000000}},"#
          + #""record":{"suggestion":"client","reason":"deleted on the server, edited on the client","decision":null,"today":null}"#
      ))
    _ = session.run("resolve a.sqlite I3 --set record=server")
    let decided = session.run("show a.sqlite --json")
    #expect(decided.output.contains(#""decision":"server","today":null}"#))
    #expect(decided.status == .nothingLeft)
  }

  @Test("ends with 1 while something that was asked for is undecided")
  func status() {
    let session = Session()
    _ = session.run("resolve a.sqlite M2 --accept all")
    #expect(session.run("show a.sqlite M2").status == .nothingLeft)
    #expect(session.run("show a.sqlite M2 D1").status == .left)
    #expect(session.run("show a.sqlite").status == .left)
    #expect(Session([]).run("show a.sqlite").status == .nothingLeft)
  }

  @Test("is a table of ancestor, client, server and draft, with times, reasons and word differences")
  func plain() {
    #expect(
      Session([Samples.dentist]).run("show a.sqlite").output == """
        D1:reminders  Call dentist
          edited on both sides; open: 3 of 3 fields undecided
          received 2026-11-20T12:09:02Z
          A ancestor: present, tag a00b
          C client: present
          S server: present, tag c00b, from iPad

          ^ title: server newer by 5m 00s
            A  2026-11-20T09:00:00Z            Call dentist
            C  2026-11-20T12:04:00Z            Call dentist today
            S  2026-11-20T12:09:00Z            Call Dr. Wu
            R  suggested: server               Call Dr. Wu
            A to C: Call dentist{+ today+}
            A to S: Call [-dentist-]{+Dr. Wu+}

          ~ priority: only server changed
            A  2026-11-20T09:00:00Z            1
            C  2026-11-20T09:00:00Z            1
            S  2026-11-20T12:09:00Z            3
            R  suggested: server               3

          ! weight: same time
            A  2026-11-20T09:00:00Z            1.0
            C  2026-11-20T12:04:00Z            2.0
            S  2026-11-20T12:04:00Z            4.0
            R  suggested: client               2.0

          unchanged
            id: D1
            cover: -
            slug: -  (generated: a write computes it anew)
            extra: -

        """)
  }

  @Test("tells a deletion as a whole, and each record once")
  func plainWhole() {
    #expect(
      Session().run("show a.sqlite I3 I3:reminders").output == """
        I3:reminders  Old invoice
          deleted on the server, edited on the client; open: the record is undecided
          A ancestor: present
          C client: present
          S server: deleted 2026-11-20T09:01:30Z
          R undecided; suggested: take the client, so that no edit is lost

          ! title: deleted on the server, edited on the client
            A  2026-11-20T09:00:00Z            Invoice
            C  2026-11-20T09:00:30Z            Old invoice
            S  -                               -
            A to C: [-Invoice-]{+Old invoice+}

          unchanged
            id: I3
            priority: -
            weight: -
            cover: -
            slug: -  (generated: a write computes it anew)
            extra: -

        """)
  }

  @Test("a field that is decided is no longer marked as one that is to decide, also if nobody changed it")
  func decidedSigns() {
    let session = Session([Samples.dentist])
    for choice in ["title=server", "extra=7"] { _ = session.run("resolve a.sqlite D1 --set \(choice)") }
    let lines = session.run("show a.sqlite D1").lines
    for line in ["  ✓ title: server newer by 5m 00s", "  ✓ extra: unchanged", "  ! weight: same time"] {
      #expect(lines.contains(line), "\(lines)")
    }
  }

  @Test("a column of bytes is no attachment, and whoever asks for it is told what there is")
  func noAttachment() {
    let run = Session([Samples.dentist]).run("show a.sqlite D1 --attachment cover")
    #expect(run.status == .usage)
    #expect(run.errors == "parley: D1:reminders has no attachment cover. Its attachments: none.\n")
  }

  @Test("what one side alone has changed is not called edited on both")
  func editors() {
    #expect(Session([Samples.milk]).run("show a.sqlite M2").output.contains("  edited on the server; open"))
    #expect(
      Session([Samples.dentist]).run("show a.sqlite D1").output.contains("  edited on both sides; open"))
  }
}
