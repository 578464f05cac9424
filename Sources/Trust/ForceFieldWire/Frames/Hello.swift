/// The version of FF1 spoken here: major in the high word, minor in the low one. Another major version is another
/// protocol.
package enum FrameVersion {
    package static let current: UInt32 = 0x0001_0000

    package static func isSpoken(_ version: UInt32) -> Bool { version >> 16 == current >> 16 }
}

/// What a worker says first.
///
/// Source: `forcefield` section 11.
package struct Hello: Hashable, Sendable {
    package enum Role: UInt32, Sendable {
        /// The worker does not say; the known answers do so.
        case unsaid = 0
        case linked = 1
        case exec = 2
    }

    static let count = 32
    private static let magic = Array("FFW1".utf8)

    package var role: Role
    package var interfaceHash: UInt64
    /// Payload bytes that the worker takes.
    package var maxFrame: UInt32
    /// Requests that the worker takes at a time.
    package var maxInFlight: UInt32

    package init(role: Role, interfaceHash: UInt64, maxFrame: UInt32, maxInFlight: UInt32) {
        self.role = role
        self.interfaceHash = interfaceHash
        self.maxFrame = maxFrame
        self.maxInFlight = maxInFlight
    }

    /// - Returns: nil unless it is 32 bytes of this form, with sizes that can be.
    package init?(payload: [UInt8]) {
        guard payload.count == Self.count, var fields = PayloadFields(payload, magic: Self.magic),
            let role = Role(rawValue: fields.next())
        else { return nil }
        self.init(role: role, interfaceHash: fields.next(), maxFrame: fields.next(), maxInFlight: fields.next())
        guard fields.next(UInt64.self) == 0, maxInFlight > 0, Int(maxFrame) >= FrameLimits.smallestFrame else {
            return nil
        }
    }

    var payload: [UInt8] {
        var payload = Self.magic
        payload.append(littleEndian: role.rawValue)
        payload.append(littleEndian: interfaceHash)
        payload.append(littleEndian: maxFrame)
        payload.append(littleEndian: maxInFlight)
        payload.append(littleEndian: UInt64(0))
        return payload
    }
}

/// What the host answers: the terms that hold for both.
///
/// Source: `forcefield` section 11.
package struct Welcome: Hashable, Sendable {
    /// Bytes before the configuration.
    static let fixedCount = 32
    private static let magic = Array("FFH1".utf8)

    package var interfaceHash: UInt64
    package var maxFrame: UInt32
    package var maxInFlight: UInt32
    /// An FFV1 value; empty for none.
    package var configuration: [UInt8]

    package init(interfaceHash: UInt64, maxFrame: UInt32, maxInFlight: UInt32, configuration: [UInt8] = []) {
        self.interfaceHash = interfaceHash
        self.maxFrame = maxFrame
        self.maxInFlight = maxInFlight
        self.configuration = configuration
    }

    /// - Returns: nil unless it is of this form, with sizes that can be. The configuration is not looked at.
    package init?(payload: [UInt8]) {
        guard payload.count >= Self.fixedCount, var fields = PayloadFields(payload, magic: Self.magic),
            fields.next(UInt32.self) == 0
        else { return nil }
        interfaceHash = fields.next()
        maxFrame = fields.next()
        maxInFlight = fields.next()
        configuration = Array(payload[Self.fixedCount...])
        guard fields.next(UInt64.self) == 0, maxInFlight > 0,
            (FrameLimits.smallestFrame...FrameLimits.largestFrame).contains(Int(maxFrame))
        else { return nil }
    }

    var fixed: [UInt8] {
        var fixed = Self.magic
        fixed.append(littleEndian: UInt32(0))
        fixed.append(littleEndian: interfaceHash)
        fixed.append(littleEndian: maxFrame)
        fixed.append(littleEndian: maxInFlight)
        fixed.append(littleEndian: UInt64(0))
        return fixed
    }
}

/// Reads little-endian fields of a payload whose size has been checked.
package struct PayloadFields {
    private let payload: [UInt8]
    private var offset = 0

    package init(_ payload: [UInt8]) { self.payload = payload }

    /// - Returns: nil if the payload begins with something else.
    init?(_ payload: [UInt8], magic: [UInt8]) {
        guard payload.starts(with: magic) else { return nil }
        self.payload = payload
        offset = magic.count
    }

    package mutating func next<I: FixedWidthInteger>(_: I.Type = I.self) -> I {
        defer { offset += MemoryLayout<I>.size }
        return payload[offset..<offset + MemoryLayout<I>.size].reversed().reduce(0) {
            $0 << 8 | I(truncatingIfNeeded: $1)
        }
    }
}
