import Merging

/// One thing that is done in the world: by a person or an engine at a device, or at the server.
package enum Step: Sendable, Equatable {
  case device(String, DeviceAction)
  case server(ServerAction)
}

package enum DeviceAction: Sendable, Equatable {
  case create(RecordID, [String: Value])
  case edit(RecordID, [String: Value])
  case delete(RecordID)
  /// Puts the row back as it was when it was deleted here.
  case undelete(RecordID)
  /// Everything that is pending goes to the server, as one batch. The answer is under way.
  case send
  /// The answer arrives: a confirmation, or the conflict on send.
  case receiveAnswer
  /// What the server has that is new here arrives. An answer that is under way arrives before it.
  case fetch
  /// Writes the draft of a conflict that waits: what the resolution says, and the suggestion for everything else.
  case resolve(RecordID, Resolution)
  /// A newer version of the app knows this table.
  case register(Table)
}

package enum ServerAction: Sendable, Equatable {
  /// Another device's save arrives: these fields, with their times.
  case save(RecordID, RecordVersion.Fields)
  /// Other software saves values and leaves all times as they are, as CloudKit's console does.
  case overwrite(RecordID, [String: Value])
  case delete(RecordID)
  /// The zone is thrown away because its encryption keys were lost.
  case reset
}

/// A step, and the clock it is done at.
package struct Moment: Sendable, Equatable {
  /// Nanoseconds since 1970: what the clock of the device says, which need not be right.
  package var time: Int64
  package var step: Step

  package init(_ time: Int64, _ step: Step) { (self.time, self.step) = (time, step) }
}
