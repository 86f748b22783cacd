import Foundation

/// A path as an SQLite URI: everything but unreserved characters is percent-encoded, so that `?` and `%` in names work.
package func databaseURI(_ path: String, query: String) -> String {
  let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  var uri = "file:"
  for byte in absolute.utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      uri.append(Character(Unicode.Scalar(byte)))
    default:
      let digits = String(byte, radix: 16, uppercase: true)
      uri += digits.utf8.count == 1 ? "%0" + digits : "%" + digits
    }
  }
  return uri + "?" + query
}
