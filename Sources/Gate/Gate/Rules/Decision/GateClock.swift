package import NIOCore

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

    package func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        // Each word is a call of the system: eight bytes for one.
        while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
        return Array(bytes.prefix(count))
    }
}

/// Names one request in answers, in the log and to the upstream.
package struct RequestID: Hashable, Sendable, CustomStringConvertible {
    /// The name as 16 hexadecimal digits.
    package let description: String

    package init(_ random: some RandomSource) {
        let value = random.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let digits = String(value, radix: 16)
        description = String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
