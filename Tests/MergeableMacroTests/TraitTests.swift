#if !Macros
  import Testing

  /// Stands for all tests of the macro, so that a run without them says so.
  @Suite(
    .disabled("needs the trait: swift test --disable-xctest --traits Macros --filter MergeableMacroTests"))
  struct MergeableMacroTests {
    @Test func aTypeIsMergedAsIfItsFieldsWereListedByHand() {}
  }
#endif
