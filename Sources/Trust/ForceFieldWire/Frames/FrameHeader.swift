/// The 24 bytes that every FF1 frame begins with, little endian.
///
/// Source: `forcefield` section 11.
package struct FrameHeader: Hashable, Sendable {
    package static let count = 24
    /// The flag of a stream's last item.
    package static let end: UInt8 = 1

    /// Payload bytes behind the header.
    package var length: UInt32
    /// A ``FrameType``, or what the peer made up.
    package var type: UInt8
    package var flags: UInt8
    /// Descriptors that ride on the header's first byte.
    package var descriptors: UInt16
    package var id: UInt64
    package var aux: UInt32

    package init(
        _ type: FrameType, length: Int = 0, flags: UInt8 = 0, descriptors: UInt16 = 0, id: UInt64 = 0, aux: UInt32 = 0
    ) {
        self.length = UInt32(length)
        self.type = type.rawValue
        self.flags = flags
        self.descriptors = descriptors
        self.id = id
        self.aux = aux
    }

    /// - Parameter bytes: 24.
    /// - Returns: nil if the check word is wrong.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count == Self.count)
        func load<I: FixedWidthInteger>(_ offset: Int) -> I {
            I(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: I.self))
        }
        guard load(20) == FNV1a.hash32(UnsafeRawBufferPointer(rebasing: bytes[..<20])) else { return nil }
        length = load(0)
        type = bytes[4]
        flags = bytes[5]
        descriptors = load(6)
        id = load(8)
        aux = load(16)
    }

    /// - Parameter capacity: of the array, for what follows the header.
    package func bytes(capacity: Int = Self.count) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(capacity)
        bytes.append(littleEndian: length)
        bytes.append(type)
        bytes.append(flags)
        bytes.append(littleEndian: descriptors)
        bytes.append(littleEndian: id)
        bytes.append(littleEndian: aux)
        bytes.append(littleEndian: FNV1a.hash32(bytes))
        return bytes
    }
}
