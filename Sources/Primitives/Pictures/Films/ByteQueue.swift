/// Bytes that come in behind and are taken out in front, counted from the start of the file.
struct ByteQueue {
    private var bytes: [UInt8] = []
    private var start = 0
    /// Bytes taken out so far.
    private(set) var offset = 0

    var count: Int { bytes.count - start }

    subscript(index: Int) -> UInt8 { bytes[start + index] }

    mutating func append(_ piece: some Sequence<UInt8>) { bytes += piece }

    mutating func removeFirst(_ count: Int) {
        start += count
        offset += count
        // Moves the rest at the most as often as bytes were taken out.
        if start > bytes.count / 2 {
            bytes.removeFirst(start)
            start = 0
        }
    }

    mutating func takeFirst(_ count: Int) -> [UInt8] {
        let taken = Array(bytes[start..<start + count])
        removeFirst(count)
        return taken
    }

    /// Where a byte stands first, among the first `limit`.
    func firstIndex(of byte: UInt8, limit: Int) -> Int? {
        bytes[start..<min(start + limit, bytes.count)].firstIndex(of: byte).map { $0 - start }
    }

    func starts(with other: [UInt8]) -> Bool { bytes[start...].starts(with: other) }
}
