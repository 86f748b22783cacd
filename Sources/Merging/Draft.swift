/// The record that results, ready to be written. Without primary key and generated columns.
public struct Draft: Sendable, Equatable {
  /// What is done with the record in its store.
  public enum Action: Sendable, Equatable {
    case save([FieldDraft])
    case delete
    /// What an ``Alternative`` of the store does that is neither.
    case alternative(Alternative.ID)
  }

  /// The record's name in its store, as ``RecordConflict/id``.
  public let id: String
  /// Whether the record is saved, and with which values, or deleted.
  public let action: Action

  /// A draft that somebody else has put together: nothing of it is checked here.
  public init(id: String, action: Action) { (self.id, self.action) = (id, action) }

  /// Whether only its store knows what it does: it may make records, which a store can refuse though it has no rules for values.
  package var isOfOwnKind: Bool { if case .alternative = action { true } else { false } }

  /// The value that is saved in the field of this name; nil where it has none, and where no fields are saved.
  public subscript(name: String) -> Value? {
    if case .save(let fields) = action { fields.first { $0.name == name }?.value } else { nil }
  }
}

/// One field of a draft, and where its value comes from.
public struct FieldDraft: Sendable, Equatable {
  /// As the store calls the field, as ``Field/name``.
  public let name: String
  /// The value that the store is to write.
  public let value: Value
  /// nil if the field was unchanged on all sides.
  public let source: Source?

  /// A field of a draft; `source` is nil for one that was unchanged on all sides.
  public init(name: String, value: Value, source: Source?) {
    (self.name, self.value, self.source) = (name, value, source)
  }
}

extension RecordConflict {
  /// The draft, or nil while something is undecided, or an earlier draft waits for the app.
  public func draft(_ resolution: Resolution) -> Draft? {
    guard isReady(resolution), details.waitingSince == nil else { return nil }
    if let alternative = alternative(in: resolution) {
      return Draft(id: id, action: action(of: alternative).edited(resolution[.record], details.ownValue))
    }
    if isWhole { return Draft(id: id, action: wholeAction(resolution[.record])) }
    let fields = fields
    let writable = fields.declared.indices.lazy.filter { fields.declared[$0].isWritable }
    let drafts = writable.map { place in
      let choice = resolution[.field(fields.declared[place].name)]
      return fields.look(at: place) { $0.pointee.draft(choice) }
    }
    return Draft(id: id, action: .save(Array(drafts)))
  }

  /// A choice of a whole record was let through as one of a side, present or gone; none is needed where both are gone.
  private func wholeAction(_ choice: Choice?) -> Draft.Action {
    guard case .take(let side)? = choice, version(side).isPresent else { return .delete }
    return .save(fields.filter(\.field.isWritable).compactMap { $0.wholeDraft(side) })
  }
}

extension Draft.Action {
  /// The same, with the value that a person gave told as such.
  fileprivate func edited(_ choice: Choice?, _ own: OwnValue?) -> Draft.Action {
    guard case .save(let fields) = self, case .edit(let value)? = choice, let own else { return self }
    return .save(
      fields.map { $0.name == own.field ? FieldDraft(name: own.field, value: value, source: .edited) : $0 })
  }
}

extension FieldConflict {
  /// What the draft holds for this field once `choice` is made; without one, what is suggested.
  public func draft(_ choice: Choice?) -> FieldDraft {
    switch choice {
    case .edit(let value)?: FieldDraft(name: name, value: value, source: .edited)
    case .merged(let value)?: FieldDraft(name: name, value: value, source: .merged)
    case .parts(let parts)? where parts.value != nil:
      FieldDraft(name: name, value: parts.value ?? .null, source: .merged)
    // The second of a whole record only.
    case nil, .alternative?, .parts?:
      FieldDraft(name: name, value: suggestion.value, source: suggestion.source)
    case .take(let side)?:
      FieldDraft(name: name, value: value(takenFrom: side) ?? .null, source: source(takenFrom: side))
    }
  }

  /// Taking either of two equal sides takes both, and taking any of three equal ones takes none.
  private func source(takenFrom side: Side) -> Source? {
    switch change {
    case .unchanged: nil
    case .same where side != .ancestor: .both
    case .same, .onlyClient, .onlyServer, .different: Source(side)
    }
  }

  /// This field of a record that is taken whole from `side`: a field which that side does not know keeps the ancestor's
  /// value. nil if the ancestor does not know it either: the store's own default is better than a NULL.
  fileprivate func wholeDraft(_ side: Side) -> FieldDraft? {
    if let value = value(takenFrom: side) {
      return FieldDraft(name: name, value: value, source: Source(side))
    }
    return ancestor.map { FieldDraft(name: name, value: $0.value, source: .ancestor) }
  }
}
