import Testing

@testable import KeyedArchives
@testable import SQLiteDataStores

@Suite struct XMLPropertyListTests {
  private static let classes = """
    <dict><key>$classname</key><string>CKEncryptedString</string>
    <key>$classes</key><array><string>CKEncryptedString</string></array></dict>
    """

  /// A record in XML as plutil prints it, with its one title in base64.
  private func archive(title: String = "MgZz\n\tZWNyZXQ=", head: String = "", zone: String = "zone")
    -> [UInt8]
  {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\(head)
      <plist version="1.0">
      <dict>
        <key>$archiver</key> <string>NSKeyedArchiver</string>
        <key>$version</key> <integer>100000</integer>
        <key>$top</key>
        <dict>
          <key>RecordType</key> \(uid(1))
          <key>KnownToServer</key> <true/>
          <key>RecordID</key> \(uid(2))
          <key>EncryptedValueStore</key> \(uid(5))
        </dict>
        <key>$objects</key>
        <array>
          <string>$null</string>
          <string>reminders &amp; lists</string>
          <dict><key>RecordName</key>\(uid(1))<key>ZoneID</key>\(uid(3))</dict>
          <dict><key>ZoneName</key>\(uid(4))<key>ownerName</key>\(uid(4))<key>databaseScopeKey</key><integer>0</integer></dict>
          <string>\(zone)</string>
          <dict><key>RecordValues</key>\(uid(6))</dict>
          <dict><key>NS.keys</key><array>\(uid(4))</array><key>NS.objects</key><array>\(uid(7))</array></dict>
          <dict><key>$class</key>\(uid(8))<key>EncryptedData</key>\(uid(9))</dict>
          \(Self.classes)
          <data>
          \(title)
          </data>
        </array>
      </dict>
      </plist>
      """.utf8)
  }

  private func uid(_ number: Int) -> String { "<dict><key>CF$UID</key><integer>\(number)</integer></dict>" }

  @Test func archivesInXMLAreRead() throws {
    let record = try ArchivedRecord(decoding: archive())
    #expect(record.recordType == "reminders & lists")
    #expect(record.values == ["zone": .string("secret")])
  }

  @Test func aByteOrderMarkAndCommentsArePassedOver() throws {
    #expect(
      try ArchivedRecord(decoding: [0xEF, 0xBB, 0xBF] + archive(head: "<!-- <plist> -->")).zoneName == "zone")
  }

  @Test(arguments: [
    ("a&#228;&#x1F600;&lt;&gt;&quot;&apos;", "aä😀<>\"'"), ("<![CDATA[<&]]>x", "<&x"), ("a<!-- - -->b", "ab"),
    (" ü ", " ü "),
  ])
  func textsAreUnescaped(xml: String, text: String) throws {
    #expect(try ArchivedRecord(decoding: archive(zone: xml)).zoneName == text)
  }

  @Test(arguments: [
    "&bomb;", "&", "&#xD800;", "&#99999999;", "<b/>", "</dict>", "<![CDATA[", "<!--", "<", "</string", "&amp",
  ])
  func damagedTextsAreRefused(xml: String) { #expect(refusal(archive(zone: xml)) != nil) }

  @Test(arguments: ["?", "A", "AA", "AAA", "A===", "=AAA", "AA=A"])
  func damagedBase64IsRefused(base64: String) { #expect(refusal(archive(title: base64)) != nil) }

  @Test func entitiesOfADocumentTypeOfItsOwnAreRefused() {
    let bytes = Array(
      #"<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]><plist><string>&b;</string></plist>"#
        .utf8)
    guard case .xml? = refusal(bytes)?.problem else {
      Issue.record("read")
      return
    }
  }

  @Test(arguments: ["array", "dict"])
  func elementsNestedAThousandDeepAreTooDeep(name: String) {
    let level = name == "dict" ? "<dict><key>a</key>" : "<array>"
    let bytes = Array(("<plist>" + String(repeating: level, count: 1000)).utf8)
    guard case .tooDeep? = refusal(bytes)?.problem else {
      Issue.record("followed")
      return
    }
  }

  @Test func everyBeginningOfAnArchiveIsRefusedInPeace() {
    let bytes = archive()
    for count in stride(from: 0, to: bytes.count - "</plist>".utf8.count, by: 7) {
      #expect(refusal(Array(bytes.prefix(count))) != nil)
    }
  }
}
