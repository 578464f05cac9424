import BasicFoundation
import Synchronization

/// Control-C ends the reading, not the program, so that what was read can be kept; a second one ends the program as the
/// first would have.
enum Interrupt {
    private static let requests = Atomic<Int>(0)

    static var isRequested: Bool { requests.load(ordering: .relaxed) > 0 }

    static func catchOnce() {
        before = signal(SIGINT) { _ in
            Interrupt.requests.add(1, ordering: .relaxed)
            signal(SIGINT, Interrupt.before)
        }
    }

    /// What the signal did before; nil ends the program. Written once, and read by the handler alone; a signal that
    /// comes in between ends the program.
    nonisolated(unsafe) private static var before: (@convention(c) (Int32) -> Void)?
}
