import Zstandard

extension FuzzTarget {
    /// The first three bytes say how many bytes are to come out; the rest is the frame.
    static let zstdFrame = FuzzTarget(
        name: "zstd-frame",
        seeds: [
            // A raw block, a repeated byte, a bomb that says three bytes, a dictionary, a skippable frame, two frames.
            [3, 0, 0, 0x28, 0xb5, 0x2f, 0xfd, 0x20, 3, 0x19, 0, 0, 0x61, 0x62, 0x63],
            [9, 0, 0, 0x28, 0xb5, 0x2f, 0xfd, 0x20, 9, 0x4b, 0, 0, 0x7a],
            [3, 0, 0, 0x28, 0xb5, 0x2f, 0xfd, 0x20, 3, 2, 0, 0x10, 0x7a, 2, 0, 0x10, 0x7a, 1, 0, 0],
            [3, 0, 0, 0x28, 0xb5, 0x2f, 0xfd, 0x21, 7, 3, 0x19, 0, 0, 0x61, 0x62, 0x63],
            [3, 0, 0, 0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 0],
            [0, 1, 0, 0x28, 0xb5, 0x2f, 0xfd, 0x40, 0x60, 0, 0, 3, 8, 0, 0x7a, 0x28, 0xb5, 0x2f, 0xfd],
        ]
            + [0, 300, 5_000].map { count in
                let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) }
                return [UInt8(count & 0xff), UInt8(count >> 8), 0] + ((try? ZstdFrame.compress(bytes)) ?? [])
            }
    ) { bytes in
        guard bytes.count > 3 else { return }
        if let expanded = try? ZstdFrame.expand(Array(bytes[3...]), limit: 1 << 20) {
            precondition(expanded.count <= 1 << 20)
        }
        let count = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
        guard let expanded = try? ZstdFrame.expand(Array(bytes[3...]), to: count, limit: 4 << 20) else { return }
        precondition(expanded.count == count)
    }
}
