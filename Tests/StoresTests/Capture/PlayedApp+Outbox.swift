@testable import ParleyOutbox

extension PlayedApp {
  /// Runs the code that an app copies, with the app's clock at this time.
  func drainOutbox(at time: Int64) throws {
    setTime(time)
    try drainParleyOutbox(queue)
  }
}
