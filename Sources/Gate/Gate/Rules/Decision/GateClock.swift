package import NIOCore
internal import TextForms

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The time, in the two forms that the gate needs.
package protocol GateClock: Sendable {
    /// The time of day. The clock may be set, and jump.
    var now: Timestamp { get }
    /// The time of a clock that nobody can set.
    var uptime: NIODeadline { get }
}

/// Where the gate's random bytes come from.
package protocol RandomSource: Sendable {
    func bytes(_ count: Int) -> [UInt8]
}

/// The system's generator for keys.
package struct SystemRandomSource: RandomSource {
    package init() {}

    /// - Parameter count: at most 256, which one call of the system gives.
    package func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, drawn in
            guard let start = bytes.baseAddress else { return }
            #if canImport(Darwin)
                arc4random_buf(start, count)
            #else
                precondition(getentropy(start, count) == 0, "The system gives no random bytes.")
            #endif
            drawn = count
        }
    }
}

/// Names one request in answers, in the log and to the upstream.
package struct RequestID: Hashable, Sendable, CustomStringConvertible {
    /// The name as 16 hexadecimal digits.
    package let description: String

    package init(_ random: some RandomSource) {
        description = Hex.encode(random.bytes(8))
    }
}
