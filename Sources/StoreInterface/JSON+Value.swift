import ExactJSON
import Merging

extension JSON {
  /// A stored value, so that two different ones never look alike:
  ///
  ///     text                     "Call dentist"
  ///     integer                  7                                 within 53 bits, as JavaScript can hold
  ///     integer beyond           {"integer":"9007199254740993"}
  ///     real                     7.0                               always with a fraction or an exponent
  ///     real without a number    {"real":"inf"}                    also "-inf", "nan"
  ///     NULL                     null
  ///     blob                     {"blob":"00ff"}
  ///     blob not at hand         {"sha256":"…","bytes":52133}      bytes only where the length is known
  ///     part of a document       {"json":"[1.10,true]"}           its exact text: lists, objects, true, false, other numbers
  ///     what is attached         {"attachment":"{\"length\":9,…}"}
  ///     no such key              {"missing":true}                  where another side has one
  ///     not understood           {"opaque":"00ff","kind":"CKReference"}
  package init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .integer(let integer):
      let isExact = integer.magnitude < 1 << 53
      self = isExact ? .integer(integer) : JSON(members: ["integer": .string("\(integer)")])
    case .real(let real):
      self = real.isFinite ? .real(real) : JSON(members: ["real": .string(real.description)])
    case .text(let text): self = .string(text)
    case .blob(let blob): self.init(blob)
    case Value.missing: self = JSON(members: ["missing": .bool(true)])
    case .opaque(Value.jsonKind, let bytes):
      self = JSON(members: ["json": .string(String(decoding: bytes, as: UTF8.self))])
    case .opaque(Value.attachmentKind, let bytes):
      self = JSON(members: ["attachment": .string(String(decoding: bytes, as: UTF8.self))])
    case .opaque(let kind, let bytes):
      self = JSON(members: ["opaque": .digits(bytes), "kind": .string(kind)])
    }
  }

  private init(_ blob: Blob) {
    guard let bytes = blob.bytes else {
      let length = blob.count.map { [(name: "bytes", value: JSON($0))] } ?? []
      self = .object([(name: "sha256", value: .digits(blob.sha256))] + length)
      return
    }
    self = JSON(members: ["blob": .digits(bytes)])
  }

  /// `{"value":…,"time":…}`; null where that side has no such field.
  package init(_ version: FieldVersion<Value>?) {
    self = version.map { JSON(members: ["value": JSON($0.value), "time": JSON($0.time)]) } ?? .null
  }
}
