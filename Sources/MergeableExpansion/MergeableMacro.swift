#if Macros
  import SwiftSyntax
  import SwiftSyntaxBuilder
  import SwiftSyntaxMacros

  /// `@Mergeable`: the conformance that lists the fields.
  public struct MergeableMacro: ExtensionMacro {
    public static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
      providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
      in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      guard let row = declaration.as(StructDeclSyntax.self) else {
        context.diagnose(.notAStruct, at: node)
        return []
      }
      let properties = RowProperties(of: row, in: context)
      guard properties.areFine else { return [] }
      let conformance = protocols.isEmpty ? "" : ": Mergeable"
      let members = [properties.primaryKey, list(properties, row), listing(properties.fields, context)]
      let source: DeclSyntax = """
        nonisolated extension \(type.trimmed)\(raw: conformance) {
        \(raw: members.compactMap(\.self).joined(separator: "\n\n"))
        }
        """
      return source.as(ExtensionDeclSyntax.self).map { [$0] } ?? []
    }

    /// A generic type has no stored static properties.
    private static func list(_ properties: RowProperties, _ row: StructDeclSyntax) -> String {
      let isGeneric = row.genericParameterClause != nil
      let declaration =
        "\(properties.access)static \(isGeneric ? "var" : "let") mergeFields: [MergeField<Self>]"
      return declaration + (isGeneric ? " { listMergeFields() }" : " = listMergeFields()")
    }

    /// Each field is told to lie where the app declares it, and so is the error of a policy that does not fit.
    private static func listing(_ fields: [RowProperty], _ context: some MacroExpansionContext) -> String {
      let lines = fields.flatMap { field in
        [place(of: field, in: context), "fields.append(\(field.call))"].compactMap(\.self)
      }
      let body = ["var fields: [MergeField<Self>] = []"] + lines + ["#sourceLocation()", "return fields"]
      let start = "private static func listMergeFields() -> [MergeField<Self>] {"
      return ([start] + (fields.isEmpty ? ["return []"] : body) + ["}"]).joined(separator: "\n")
    }

    private static func place(of field: RowProperty, in context: some MacroExpansionContext) -> String? {
      context.location(of: field.name, at: .afterLeadingTrivia, filePathMode: .filePath).map {
        "#sourceLocation(file: \($0.file), line: \($0.line))"
      }
    }
  }

  /// `@Policy`, `@PrimaryKey` and `@NotMerged`: read by ``MergeableMacro``, and of no effect of their own. Where that does not read
  /// them, in a type without it, in an extension, at a function, they would be passed over in silence.
  public struct FieldMarker: PeerMacro {
    public static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      let row = context.lexicalContext.first?.as(StructDeclSyntax.self)
      if row?.attributes.first(named: "Mergeable") == nil || !declaration.is(VariableDeclSyntax.self) {
        context.diagnose(.markOfNothing(node.name), at: node)
      }
      return []
    }
  }
#endif
