extension Sequence<Int> {
  /// Their sum, and the greatest number where that is beyond it: sizes and keys that a file tells may be any.
  package var saturatedSum: Int {
    reduce(0) { sum, next in
      let (all, isBeyond) = sum.addingReportingOverflow(next)
      return isBeyond ? .max : all
    }
  }
}
