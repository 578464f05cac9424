/// How many frames a direction has carried. Counters only rise; a reader keeps what it has seen.
package struct FrameTally: Hashable, Sendable {
    package internal(set) var text = 0
    package internal(set) var binary = 0
    package internal(set) var continuation = 0
    package internal(set) var ping = 0
    package internal(set) var pong = 0
    package internal(set) var close = 0
    /// Data messages whose last frame is complete.
    package internal(set) var messages = 0
    /// Bytes of data frames' payloads, as sent.
    package internal(set) var payloadBytes = 0

    @inline(__always) mutating func count(_ start: FrameStart) {
        switch start.first & 0x0f {
        case 0: continuation &+= 1
        case 1: text &+= 1
        case 2: binary &+= 1
        case 8: close &+= 1
        case 9: ping &+= 1
        default: pong &+= 1
        }
    }
}
