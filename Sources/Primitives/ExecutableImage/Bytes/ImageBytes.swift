/// Bytes that can be read at any place: a file, an array, or the memory of a process, where offsets are addresses.
public protocol ImageBytes: Sendable {
    /// Offsets run from 0 to this.
    var count: UInt64 { get }

    /// Fills all of `buffer` with the bytes from `offset` on.
    ///
    /// - Throws: ``ImageFailure/unreadable(offset:reason:)`` if not all of them can be had.
    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(ImageFailure)
}

/// Bytes in the memory of this program.
public struct BytesInMemory: ImageBytes {
    private let bytes: [UInt8]

    /// - Parameter bytes: the whole file.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// How many bytes there are.
    public var count: UInt64 { UInt64(bytes.count) }

    /// Fills a buffer from an offset.
    ///
    /// - Throws: ``ImageFailure`` where it lies outside.
    public func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(ImageFailure) {
        guard let wanted = Extent(at: offset, count: UInt64(buffer.count)).range(within: count) else {
            throw .unreadable(offset: offset, reason: "there are \(count) bytes")
        }
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[wanted])) }
    }
}
