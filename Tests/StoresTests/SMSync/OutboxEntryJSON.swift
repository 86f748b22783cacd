import ExactJSON

/// What tests look at in an entry of the outbox.
extension JSONValue {
  /// The versions that the requests of an entry expect.
  var preconditions: [Int] {
    guard case .object(let entry) = self, case .array(let requests)? = entry["requests"] else { return [] }
    return requests.compactMap { request in
      guard case .object(let request) = request, case .object(let condition)? = request["precondition"],
        case .literal(let version)? = condition["FileVersion"]
      else { return nil }
      return Int(version)
    }
  }

  /// "UploadFile 7", of an entry of the outbox.
  var requests: [String] {
    guard case .object(let entry) = self, case .array(let requests)? = entry["requests"] else { return [] }
    return requests.compactMap { request in
      guard case .object(let request) = request, case .string(let operation)? = request["operation"],
        case .object(let parameters)? = request["parameters"]
      else { return nil }
      var file = parameters
      if case .array(let files)? = parameters["FilesToDelete"], case .object(let first)? = files.first {
        file = first
      }
      guard case .literal(let version)? = file["FileVersion"] else { return nil }
      return "\(operation.text) \(version)"
    }
  }
}
