internal import Dispatch

/// When work that may wait is done. Tests have one whose time they set.
package protocol StoreTimer: Sendable {
    /// The time since some instant that stays; it never goes back.
    var now: Duration { get }

    /// Does work once, later.
    func run(after time: Duration, _ work: @escaping @Sendable () -> Void)
}

/// The time of the machine.
package struct SystemTimer: StoreTimer {
    private let start = ContinuousClock().now
    private let queue = DispatchQueue(label: "store.timer")

    package init() {}

    package var now: Duration { start.duration(to: ContinuousClock().now) }

    package func run(after time: Duration, _ work: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(time.milliseconds)), execute: work)
    }
}
