import CSodium
import SecretMemory

/// Memory for a piece of a file, used again for the next piece and zeroised at the end. It begins with any
/// content: what is read was written.
final class PieceBuffer {
    let bytes: UnsafeMutableRawBufferPointer

    private static let pageSize = 4096

    init(count: Int) {
        bytes = .allocate(byteCount: count, alignment: Self.pageSize)
    }

    deinit {
        sodium_memzero(bytes.asBytes, bytes.count)
        bytes.deallocate()
    }

    subscript(range: Range<Int>) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: bytes[range])
    }
}
