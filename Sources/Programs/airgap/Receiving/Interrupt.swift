import Foundation
import Synchronization

/// Control-C ends the reading, not the program, so that what was read can be kept; a second one ends the program.
enum Interrupt {
    private static let requests = Atomic<Int>(0)

    static var isRequested: Bool { requests.load(ordering: .relaxed) > 0 }

    static func catchOnce() {
        signal(SIGINT) { _ in
            if Interrupt.requests.add(1, ordering: .relaxed).newValue > 1 { _exit(130) }
        }
    }
}
