import Foundation

/// The pauses between questions of which each starts a program. A machine that is busy is not kept busy by them: they
/// grow while there is no answer.
struct GrowingPause {
    private var seconds = 0.02

    mutating func pass() {
        Thread.sleep(forTimeInterval: seconds)
        seconds = min(seconds * 1.5, 0.4)
    }
}
