#if os(Linux)
    /// The last bytes of what a worker wrote: more is forgotten, so that memory is bounded.
    ///
    /// Source: `forcefield` sections 14 and 16.
    struct OutputTail: Sendable {
        static let limit = 64 << 10
        private var ring: [UInt8] = []
        /// Where the oldest byte lies once the ring is full.
        private var start = 0

        var bytes: [UInt8] { Array(ring[start...] + ring[..<start]) }

        mutating func append(_ bytes: UnsafeRawBufferPointer) {
            var rest = bytes[max(0, bytes.count - Self.limit)...]
            let room = Self.limit - ring.count
            ring.append(contentsOf: rest.prefix(room))
            rest = rest.dropFirst(room)
            while !rest.isEmpty {
                let piece = rest.prefix(Self.limit - start)
                ring.withUnsafeMutableBytes { ring in
                    UnsafeMutableRawBufferPointer(rebasing: ring[start..<start + piece.count])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: piece))
                }
                start = (start + piece.count) % Self.limit
                rest = rest.dropFirst(piece.count)
            }
        }
    }
#endif
