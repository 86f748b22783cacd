#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// The properties of a row's type: its primary key, and the fields in the order of their declarations.
  struct RowProperties {
    let access: String
    /// The declaration of `primaryKey`; nil where the type has its own, or none.
    private(set) var primaryKey: String?
    private(set) var fields: [RowProperty] = []
    /// Whether nothing was told to be wrong.
    private(set) var areFine = true
    private let context: any MacroExpansionContext

    init(of row: StructDeclSyntax, in context: some MacroExpansionContext) {
      self.context = context
      access = row.modifiers.map(\.name.text).filter { ["public", "package"].contains($0) }.map { $0 + " " }
        .joined()
      let properties = row.memberBlock.members.flatMap { member in all(in: member.decl) }
      for property in properties { refuseMarks(of: property) }
      let keys = primaryKeys(properties, of: row)
      for property in properties where !keys.contains(property.text) { add(property) }
      refuseColumns(of: properties.filter { keys.contains($0.text) && $0.isStored } + fields)
    }

    private mutating func refuse(_ misuse: Misuse, at node: some SyntaxProtocol) {
      context.diagnose(misuse, at: node)
      areFine = false
    }

    private mutating func all(in member: DeclSyntax) -> [RowProperty] {
      if let conditional = member.as(IfConfigDeclSyntax.self), conditional.declaresVariables {
        refuse(.conditional, at: conditional)
      }
      guard let declaration = member.as(VariableDeclSyntax.self) else { return [] }
      return declaration.bindings.compactMap { binding in
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
          refuse(.severalNames, at: binding.pattern)
          return nil
        }
        return RowProperty(name, binding, of: declaration)
      }
    }

    /// The names of what is no field for being the primary key, or part of one that the type writes itself.
    private mutating func primaryKeys(_ properties: [RowProperty], of row: StructDeclSyntax) -> Set<String> {
      let marked = properties.filter { $0.isPrimaryKey == true }
      let keys = marked.isEmpty ? properties.filter { $0.text == "id" && $0.isPrimaryKey == nil } : marked
      let names = Set(keys.map(\.text) + ["primaryKey"])
      for key in keys { refuseMarks(beside: key) }
      if properties.contains(where: { $0.text == "primaryKey" }) { return names }
      if let key = keys.first {
        if keys.count > 1 { refuse(.secondPrimaryKey, at: keys[1].name) }
        declare(key)
      } else {
        refuse(.noPrimaryKey(type: row.name.text), at: row.name)
      }
      return names
    }

    private mutating func declare(_ key: RowProperty) {
      guard let type = key.type else { return refuse(.primaryKeyWithoutType(key.text), at: key.name) }
      primaryKey = "\(access)var primaryKey: \(type) { \(key.name.text) }"
    }

    private mutating func refuseMarks(beside key: RowProperty) {
      if let policy = key.policy { refuse(.marksThatExclude("PrimaryKey", "Policy"), at: policy) }
    }

    private mutating func refuseMarks(of property: RowProperty) {
      if let mark = property.conditional { refuse(.conditionalMark(property.text), at: mark) }
      if let policy = property.secondPolicy { refuse(.secondPolicy(property.text), at: policy) }
    }

    /// Of a name that is no text nothing is known before the app runs.
    private mutating func refuseColumns(of properties: [RowProperty]) {
      var known: [String: String] = [:]
      for property in properties {
        guard let column = property.columnText else { continue }
        if column.isEmpty { refuse(.noColumnName(property.text), at: property.name) }
        if let other = known.updateValue(property.text, forKey: column.lowercased()) {
          refuse(.secondColumn(column, of: other), at: property.name)
        }
      }
    }

    private mutating func add(_ property: RowProperty) {
      if property.isNotMerged {
        if let policy = property.policy { refuse(.marksThatExclude("NotMerged", "Policy"), at: policy) }
      } else if !property.isStored {
        if let policy = property.policy { refuse(.policyOfNoField(property.text), at: policy) }
      } else if property.isConstant {
        // What every row has alike is no column.
        let isColumn = !property.hasValue || property.policy != nil
        if isColumn { refuse(.fieldThatCannotBeSet(property.text), at: property.name) }
      } else if property.isSeveralColumns {
        refuse(.severalColumns(property.text), at: property.name)
      } else {
        fields.append(property)
      }
    }
  }

  extension IfConfigDeclSyntax {
    fileprivate var declaresVariables: Bool {
      clauses.contains { clause in
        clause.elements?.as(MemberBlockItemListSyntax.self)?.contains { member in
          member.decl.is(VariableDeclSyntax.self)
            || member.decl.as(IfConfigDeclSyntax.self)?.declaresVariables == true
        } ?? false
      }
    }
  }
#endif
