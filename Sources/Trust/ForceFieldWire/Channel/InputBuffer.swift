/// Bytes that have arrived and not been used.
///
/// Sendable because it is the only owner of its memory: it cannot be copied, and its pointers are lent for one closure
/// only.
package struct InputBuffer: ~Copyable, @unchecked Sendable {
    /// Bytes that may wait while there is room for as many more.
    static let room = 64 << 10

    private let base: UnsafeMutableRawPointer
    package let capacity = 2 * InputBuffer.room
    private var start = 0
    private var end = 0

    package init() { base = .allocate(byteCount: capacity, alignment: 16) }

    deinit { base.deallocate() }

    /// Bytes that wait.
    package var count: Int { end - start }

    /// Lets `read` write behind the bytes that wait, of which there are no more than ``room``.
    ///
    /// - Parameter read: gets at least ``room`` bytes; returns how many it has written.
    package mutating func fill<E: Error>(
        _ read: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(E) -> Int {
        precondition(count <= Self.room)
        if capacity - end < Self.room {
            base.copyMemory(from: base + start, byteCount: count)
            (start, end) = (0, count)
        }
        let space = UnsafeMutableRawBufferPointer(start: base + end, count: capacity - end)
        let written = try read(space)
        precondition((0...space.count).contains(written))
        end += written
        return written
    }

    package borrowing func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(start: base + start, count: count))
    }

    /// - Parameter count: no more than wait.
    package mutating func take(_ count: Int) -> [UInt8] {
        precondition((0...self.count).contains(count))
        let bytes = Array(UnsafeRawBufferPointer(start: base + start, count: count))
        consume(count)
        return bytes
    }

    /// - Parameter count: no more than wait.
    package mutating func consume(_ count: Int) {
        precondition((0...self.count).contains(count))
        start += count
        if start == end { (start, end) = (0, 0) }
    }
}
