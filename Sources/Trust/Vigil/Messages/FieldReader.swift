import BigEndian

/// Reads the fields of a message one after the other. Every lack is a ``Refusal``, never a trap.
package struct FieldReader {
    /// The side that the message says it comes from.
    let sender: Role
    private var reader: BigEndianReader<[UInt8]>

    /// - Parameter length: bytes that the whole message has to have; nil where its own fields say so.
    /// - Throws: ``Refusal``: what ``MessageHeader/init(of:)`` throws, `malformed` for another type, role or length.
    init(
        _ message: [UInt8], type: MessageType, from roles: Set<Role>, length: Int?
    ) throws(Refusal) {
        let header = try MessageHeader(of: message)
        guard header.type == type else { throw Refusal(.malformed, "\(type) expected, \(header.type) received") }
        guard roles.contains(header.role) else {
            throw Refusal(.malformed, "\(type) does not come from the \(header.role)")
        }
        if let length, message.count != length {
            throw Refusal(.malformed, "\(type) has \(length) bytes, not \(message.count)")
        }
        sender = header.role
        reader = BigEndianReader(message)
        _ = try take(MessageHeader.count)
    }

    private mutating func take(_ count: Int) throws(Refusal) -> ArraySlice<UInt8> {
        do { return try reader.take(count) } catch {
            let end = error.offset + error.left
            throw Refusal(.malformed, "the message ends at byte \(end), before its field at \(error.offset)")
        }
    }

    mutating func bytes(_ count: Int) throws(Refusal) -> [UInt8] { Array(try take(count)) }

    mutating func bytes32() throws(Refusal) -> Bytes32 {
        guard let bytes = Bytes32(try bytes(Bytes32.count)) else { throw Refusal(.malformed, "32 bytes expected") }
        return bytes
    }

    mutating func integer<I: FixedWidthInteger>(_: I.Type = I.self) throws(Refusal) -> I {
        try take(MemoryLayout<I>.size).reduce(0) { $0 << 8 | I(truncatingIfNeeded: $1) }
    }

    mutating func value<V: RawRepresentable>(_ what: String) throws(Refusal) -> V where V.RawValue == UInt8 {
        let number: UInt8 = try integer()
        guard let value = V(rawValue: number) else { throw Refusal(.malformed, "\(number) is no \(what)") }
        return value
    }

    mutating func flag(_ what: String) throws(Refusal) -> Bool {
        switch try integer(UInt8.self) {
        case 0: false
        case 1: true
        case let other: throw Refusal(.malformed, "\(what) is 0 or 1, not \(other)")
        }
    }

    /// Steps over reserved bytes.
    mutating func zeros(_ count: Int) throws(Refusal) {
        guard try take(count).allSatisfy({ $0 == 0 }) else {
            throw Refusal(.malformed, "the reserved bytes at \(reader.offset - count) have to be zero")
        }
    }

    /// The last field has been read.
    func end() throws(Refusal) {
        guard reader.left == 0 else { throw Refusal(.malformed, "\(reader.left) bytes behind the last field") }
    }
}
