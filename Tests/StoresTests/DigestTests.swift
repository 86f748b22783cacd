import Digests
import ExactJSON
import Testing

/// Known answers of FIPS 180-4 and RFC 1321: formats name these digests, and every file would be read as damaged by another.
@Suite struct DigestTests {
  @Test func theAnswersAreTheKnownOnes() {
    let abc = Array("abc".utf8)
    #expect(
      Hexadecimal.text(SHA256.of(abc)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(Hexadecimal.text(md5(abc)) == "900150983cd24fb0d6963f7d28e17f72")
    #expect(Hexadecimal.text(md5([])) == "d41d8cd98f00b204e9800998ecf8427e")
    var sha1 = SHA1()
    for byte in abc { sha1.update([byte]) }
    #expect(Hexadecimal.text(sha1.finish()) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(sha1.finish() == sha1.finish(), "asking ends nothing")
  }

  /// Wherever the bytes lie, and whatever they are.
  @Test func bytesAreWrittenInHexadecimal() {
    let all = Array(UInt8.min...UInt8.max)
    let text = Hexadecimal.text(all)
    #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff") && Hexadecimal.bytes(text) == all)
    #expect(Hexadecimal.text(all.reversed()) == Hexadecimal.text(Array(all.reversed())))
    #expect(Hexadecimal.text(all.prefix(16)) == String(text.prefix(32)) && Hexadecimal.text([]).isEmpty)
  }

  /// Of RFC 4231, the cases 1 and 2.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0B, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
  ])
  func soAreThoseByAKey(key: [UInt8], text: String, answer: String) {
    #expect(Hexadecimal.text(SHA256.of(Array(text.utf8), keyedBy: key)) == answer)
  }
}
