/// The header of a frame as its bytes say it, before any rule is asked.
struct FrameStart {
    let first: UInt8
    let second: UInt8
    /// What the length field says.
    let length: UInt64
    /// Bytes of the header.
    let count: Int
    /// Meant only if ``isMasked``.
    let key: MaskingKey

    var isFinal: Bool { first & 0x80 != 0 }
    var isCompressed: Bool { first & 0x40 != 0 }
    var isControl: Bool { first & 0x08 != 0 }
    var isMasked: Bool { second & 0x80 != 0 }

    /// - Parameter bytes: begin with the header.
    /// - Returns: nil if they end inside of it.
    @inline(__always) init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 2 else { return nil }
        first = bytes[0]
        second = bytes[1]
        let form = second & 0x7f
        let lengthEnd = form < 126 ? 2 : form == 126 ? 4 : 10
        count = lengthEnd + (second & 0x80 != 0 ? 4 : 0)
        guard bytes.count >= count else { return nil }
        length =
            switch form {
            case 126: UInt64(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
            case 127: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
            default: UInt64(form)
            }
        key =
            second & 0x80 != 0
            ? MaskingKey(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: lengthEnd, as: UInt32.self)))
            : MaskingKey(0)
    }
}
