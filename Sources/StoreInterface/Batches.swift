extension RandomAccessCollection {
  /// The elements in their order, so many at a time; the last batch has what is left.
  ///
  /// Each is made when its turn comes: whoever goes no further copies no more.
  package func inBatches(of size: Int) -> some Sequence<[Element]> {
    stride(from: 0, to: count, by: size).lazy.map { Array(self.dropFirst($0).prefix(size)) }
  }
}
