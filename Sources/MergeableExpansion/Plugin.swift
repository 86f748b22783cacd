#if Macros
  import SwiftCompilerPlugin
  import SwiftSyntaxMacros

  @main struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [MergeableMacro.self, FieldMarker.self]
  }
#else
  // A macro is a program, which has to have a beginning. Without the trait nobody starts it.
  @main enum Plugin {
    static func main() {}
  }
#endif
