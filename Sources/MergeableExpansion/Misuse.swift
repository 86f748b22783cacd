#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// What cannot be listed, told where it stands.
  enum Misuse: DiagnosticMessage {
    case notAStruct
    case noPrimaryKey(type: String)
    case secondPrimaryKey
    case primaryKeyWithoutType(String)
    case policyOfNoField(String)
    case fieldThatCannotBeSet(String)
    case severalNames
    case severalColumns(String)
    case conditional
    case marksThatExclude(String, String)
    case conditionalMark(String)
    case secondPolicy(String)
    case noColumnName(String)
    case secondColumn(String, of: String)
    case markOfNothing(String)

    var message: String {
      switch self {
      case .notAStruct: "@Mergeable lists the fields of a struct"
      case .noPrimaryKey(let type):
        "'\(type)' has no primary key: call it 'id', mark it @PrimaryKey, or write 'var primaryKey' in the type"
      case .secondPrimaryKey:
        "the primary key is one property: for a key of several columns write 'var primaryKey', of a type that is Equatable"
      case .primaryKeyWithoutType(let name):
        "the primary key '\(name)' needs its type written: '\(name): Int'"
      case .policyOfNoField(let name):
        "'\(name)' is no field, and has no policy: only a stored property of each row is merged"
      case .fieldThatCannotBeSet(let name):
        "'\(name)' cannot be set, and so not be merged: make it a 'var', or mark it @NotMerged"
      case .severalNames: "a field has a name of its own: declare each by itself"
      case .severalColumns(let name):
        "'\(name)' is several columns, and a field is one: write 'mergeFields' by hand, or mark it @NotMerged"
      case .conditional: "fields under '#if' are not seen: write 'mergeFields' by hand"
      case .conditionalMark(let name):
        "what '#if' says of '\(name)' is not seen: mark it always, or write 'mergeFields' by hand"
      case .secondPolicy(let name): "'\(name)' is merged by one policy: leave the others out"
      case .noColumnName(let name):
        "the column of '\(name)' needs a name: leave 'column' out where it is called '\(name)'"
      case .secondColumn(let column, let other):
        "'\(other)' has the column '\(column)' already: a column is one field, whose name SQLite reads in any case"
      case .markOfNothing(let mark):
        "@\(mark) says nothing without @Mergeable at its struct: mark that, or write 'mergeFields' by hand"
      case .marksThatExclude(let one, let other): "@\(one) and @\(other) exclude each other"
      }
    }

    var diagnosticID: MessageID {
      MessageID(domain: "Mergeable", id: Mirror(reflecting: self).children.first?.label ?? "\(self)")
    }

    var severity: DiagnosticSeverity { .error }
  }

  extension MacroExpansionContext {
    func diagnose(_ misuse: Misuse, at node: some SyntaxProtocol) {
      diagnose(Diagnostic(node: Syntax(node), message: misuse))
    }
  }
#endif
