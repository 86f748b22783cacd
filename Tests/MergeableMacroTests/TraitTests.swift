#if !Macros
  import TerminalTestSupport
  import Testing

  /// Stands for all tests of the macro, so that a run without them says so.
  @Suite(
    .disabled(
      "needs the trait: swift test --disable-xctest --enable-all-traits --filter MergeableMacroTests"))
  struct MergeableMacroTests {
    @Test func aTypeIsMergedAsIfItsFieldsWereListedByHand() {}
  }

  @Suite(.enabled(if: SwiftCompiler.isHere, "needs swiftc, and the modules of this build"))
  struct WithoutTraitTests {
    @Test func theMacroSaysThatItNeedsTheTrait() throws {
      let errors = try SwiftCompiler.errors(
        in: "import MergeableMacro\n@Mergeable struct Note { let id: Int; var title: String }")
      #expect(errors[2]?.contains("the package trait 'Macros' of Parley makes this macro") == true)
      #expect(errors.count == 1, "\(errors)")
    }
  }
#endif
