import Merging

extension DemoSamples {
  /// Records that are stuck, each in its own way.
  var stuck: [Sample] {
    [
      reminder(201, "Invoice March").withAncestor(.none),
      reminder(202, "Book the campsite").editedHere(
        ["notes": .text("Pitch 14, by the lake")], ago(minutes: 300)),
      reminder(203, "Renew library card").editedHere(["isCompleted": .integer(1)], ago(minutes: 30)).queued(
        .save),
      reminder(204, "Broken lamp").deletedHere(ago(minutes: 35)),
      reminder(205, "Season tickets").withAncestor(.damaged),
      reminder(206, "Thank-you cards").withAncestor(.systemFields),
      reminder(207, "Lost umbrella").withoutRow(),
      Sample(
        table: "boards", key: DemoSamples.key(208),
        row: ["id": .text(DemoSamples.key(208)), "title": .text("Kitchen board")], time: agreed
      ).withoutRow(),
    ]
  }
}
