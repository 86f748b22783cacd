/// The record that results, ready to be written. Without primary key and generated columns.
public struct Draft: Sendable, Equatable {
  public enum Action: Sendable, Equatable {
    case save([FieldDraft])
    case delete
  }

  public let id: String
  public let action: Action

  public init(id: String, action: Action) {
    self.id = id
    self.action = action
  }

  public subscript(name: String) -> Value? {
    if case .save(let fields) = action { fields.first { $0.name == name }?.value } else { nil }
  }
}

/// One field of a draft, and where its value comes from.
public struct FieldDraft: Sendable, Equatable {
  public let name: String
  public let value: Value
  /// nil if the field was unchanged on all sides.
  public let source: Source?

  public init(name: String, value: Value, source: Source?) {
    self.name = name
    self.value = value
    self.source = source
  }
}

extension RecordConflict {
  /// The draft, or nil while something is undecided.
  public func draft(_ resolution: Resolution) -> Draft? {
    guard isReady(resolution) else { return nil }
    if let choice = resolution[.record], isWhole { return wholeDraft(choice) }
    let fields = fields.filter(\.field.isWritable).map { $0.draft(resolution[.field($0.name)]) }
    return Draft(id: id, action: .save(fields))
  }

  private func wholeDraft(_ choice: Choice) -> Draft? {
    guard case .take(let side) = choice else { return nil }
    guard let values = version(side).fields else { return Draft(id: id, action: .delete) }
    let drafts = fields.filter(\.field.isWritable).map { conflict in
      FieldDraft(name: conflict.name, value: values[conflict.name]?.value ?? .null, source: Source(side))
    }
    return Draft(id: id, action: .save(drafts))
  }
}

extension FieldConflict {
  /// What the draft holds for this field once `choice` is made; without one, what is suggested.
  public func draft(_ choice: Choice?) -> FieldDraft {
    switch choice {
    case nil: FieldDraft(name: name, value: suggestion.value, source: suggestion.source)
    case .edit(let value)?: FieldDraft(name: name, value: value, source: .edited)
    case .merged(let value)?: FieldDraft(name: name, value: value, source: .merged)
    case .take(let side)?:
      FieldDraft(name: name, value: value(takenFrom: side) ?? .null, source: source(takenFrom: side))
    }
  }

  /// Taking either of two equal sides takes both.
  private func source(takenFrom side: Side) -> Source {
    side != .ancestor && change == .same ? .both : Source(side)
  }
}
