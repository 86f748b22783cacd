#if Macros
  import SwiftSyntax

  /// A property of a row's type, and what its attributes say of it.
  struct RowProperty {
    /// As it stands in the type, which knows its place.
    let name: TokenSyntax
    let type: TypeSyntax?
    let isConstant: Bool
    let hasValue: Bool
    /// Of every row, and not computed: what can be a field.
    let isStored: Bool
    private let attributes: AttributeListSyntax

    /// The attributes that are read.
    fileprivate static let marks: Set = [
      "Policy", "NotMerged", "PrimaryKey", "Column", "Columns", "Ephemeral",
    ]

    init(_ name: TokenSyntax, _ binding: PatternBindingSyntax, of declaration: VariableDeclSyntax) {
      self.name = name
      type = binding.typeAnnotation?.type.trimmed
      isConstant = declaration.bindingSpecifier.tokenKind == .keyword(.let)
      hasValue = binding.initializer != nil
      let isOfTheType = declaration.modifiers.contains { ["static", "class", "lazy"].contains($0.name.text) }
      isStored = !isOfTheType && !binding.isComputed
      attributes = declaration.attributes
    }

    /// Without the backticks of a keyword.
    var text: String { name.identifier?.name ?? name.text }

    var policy: AttributeSyntax? { attribute("Policy") }
    var secondPolicy: AttributeSyntax? { attributes.all(named: "Policy").dropFirst().first }
    /// What is said under a condition, which the macro does not know.
    var conditional: IfConfigDeclSyntax? {
      attributes.lazy.compactMap { $0.as(IfConfigDeclSyntax.self) }.first(where: \.marks)
    }
    var isNotMerged: Bool {
      attribute("NotMerged") != nil || attribute("Ephemeral") != nil || columnArgument("generated") != nil
    }
    /// Marked as it; nil where nothing is said, and the name tells.
    var isPrimaryKey: Bool? {
      if attribute("PrimaryKey") != nil { return true }
      return columnArgument("primaryKey").map { $0.expression.trimmedDescription == "true" }
    }
    /// SQLiteData's attribute for a value that lies in several columns.
    var isSeveralColumns: Bool { attribute("Columns") != nil }

    /// As an expression.
    var column: String { namedColumn?.trimmedDescription ?? "\"\(text)\"" }

    /// nil where it is made by an expression that is no text.
    var columnText: String? {
      guard let namedColumn else { return text }
      return namedColumn.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }

    private var namedColumn: ExprSyntax? {
      let named = policy?.argument("column") ?? attribute("Column")?.argument(nil)
      return named?.expression.is(NilLiteralExprSyntax.self) == true ? nil : named?.expression
    }

    /// How the field is declared by hand. With the type before it, the compiler tells best what does not fit.
    var call: String {
      let comparing = policy?.argument("comparing").map { "comparing: \($0.expression.trimmedDescription)" }
      let own = policy?.argument(nil)?.expression.trimmedDescription
      let arguments = [column, "\\.\(name.text)"] + [comparing, own].compactMap(\.self)
      return "MergeField<Self>.field(\(arguments.joined(separator: ", ")))"
    }

    func attribute(_ name: String) -> AttributeSyntax? { attributes.first(named: name) }

    private func columnArgument(_ label: String) -> LabeledExprSyntax? {
      attribute("Column")?.argument(label)
    }
  }

  extension AttributeListSyntax {
    func first(named name: String) -> AttributeSyntax? { all(named: name).first }

    func all(named name: String) -> [AttributeSyntax] {
      compactMap { $0.as(AttributeSyntax.self) }.filter { $0.name == name }
    }
  }

  extension IfConfigDeclSyntax {
    /// Whether it has, at whatever depth, an attribute that the macro reads.
    fileprivate var marks: Bool {
      clauses.contains { clause in
        clause.elements?.as(AttributeListSyntax.self)?.contains { element in
          switch element {
          case .attribute(let attribute): RowProperty.marks.contains(attribute.name)
          case .ifConfigDecl(let nested): nested.marks
          }
        } ?? false
      }
    }
  }

  extension AttributeSyntax {
    /// Without the module that may stand before it.
    var name: String {
      attributeName.as(MemberTypeSyntax.self)?.name.text
        ?? attributeName.as(IdentifierTypeSyntax.self)?.name.text ?? attributeName.trimmedDescription
    }

    fileprivate func argument(_ label: String?) -> LabeledExprSyntax? {
      arguments?.as(LabeledExprListSyntax.self)?.first { $0.label?.text == label }
    }
  }

  extension PatternBindingSyntax {
    /// What only observes its changes is stored.
    fileprivate var isComputed: Bool {
      switch accessorBlock?.accessors {
      case nil: false
      case .getter: true
      case .accessors(let accessors):
        !accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
      }
    }
  }
#endif
