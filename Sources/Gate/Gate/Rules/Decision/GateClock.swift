/// The time, in the two forms that the gate needs.
protocol GateClock: Sendable {
    /// Milliseconds since 1970, UTC. The clock may be set, and jump.
    var wallMilliseconds: Int64 { get }
    /// Nanoseconds since some moment. The clock only rises.
    var monotonicNanoseconds: UInt64 { get }
}

/// Where the gate's random bytes come from.
protocol RandomSource: Sendable {
    func bytes(_ count: Int) -> [UInt8]
}

/// The system's generator for keys.
struct SystemRandomSource: RandomSource {
    init() {}

    func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 7)
        // Each word is a call of the system: eight bytes for one.
        while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
        return Array(bytes.prefix(count))
    }
}

/// Names one request in answers, in the log and to the upstream.
struct RequestID: Hashable, Sendable, CustomStringConvertible {
    /// The name as 16 hexadecimal digits.
    let description: String

    init(_ random: some RandomSource) {
        let value = random.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let digits = String(value, radix: 16)
        description = String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
