extension History {
  /// The smallest history near this one that still `fails`: acts are left out, and delays, columns and clocks made simple,
  /// one at a time, until nothing can be taken away.
  func shrunk(while fails: (History) -> Bool) -> History {
    var smallest = self
    while let smaller = smallest.smaller.first(where: fails) { smallest = smaller }
    return smallest
  }

  private var smaller: [History] { withoutAct + withSimplerAct + withSimplerStart }

  private var withoutAct: [History] {
    acts.indices.map { index in
      var copy = self
      let removed = copy.acts.remove(at: index)
      // The acts after it keep their times.
      if index < copy.acts.count { copy.acts[index].delay += removed.delay }
      return copy
    }
  }

  private var withSimplerAct: [History] {
    acts.indices.flatMap { index in
      acts[index].simpler.map { act in
        var copy = self
        copy.acts[index] = act
        return copy
      }
    }
  }

  private var withSimplerStart: [History] {
    var copies: [History] = []
    if !skew.isEmpty { copies.append(History(isShared: isShared, acts: acts)) }
    if !isShared { copies.append(History(isShared: true, skew: skew, acts: acts)) }
    return copies
  }
}

extension History.Act {
  fileprivate var simpler: [History.Act] {
    var copies: [History.Act] = []
    if delay > 0 {
      for smaller in Set([0, delay - 1]).sorted() {
        var copy = self
        copy.delay = smaller
        copies.append(copy)
      }
    }
    if kind == .editTitle {
      var copy = self
      copy.kind = .editCount
      copies.append(copy)
    }
    return copies
  }
}
