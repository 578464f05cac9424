/// A tag and a value of what the dynamic loader reads.
///
/// Source: System V ABI, "Dynamic Section".
struct DynamicEntry {
    enum Tag {
        static let needed: UInt64 = 1
        static let stringTable: UInt64 = 5
        static let stringTableSize: UInt64 = 10
        static let soname: UInt64 = 14
        static let rpath: UInt64 = 15
        static let textRelocations: UInt64 = 22
        /// `DT_JMPREL`: the table of functions that may be looked up late.
        static let functionRelocations: UInt64 = 23
        static let bindNow: UInt64 = 24
        static let runpath: UInt64 = 29
        static let flags: UInt64 = 30
        static let flags1: UInt64 = 0x6fff_fffb
    }

    static let textRelocationsFlag: UInt64 = 4
    /// `DF_BIND_NOW`, of ``Tag/flags``.
    static let bindNowFlag: UInt64 = 8
    /// `DF_1_NOW`, of ``Tag/flags1``.
    static let nowFlag: UInt64 = 1
    /// `DF_1_NODEFLIB`, of ``Tag/flags1``.
    static let avoidsDefaultFoldersFlag: UInt64 = 0x800

    let tag: UInt64
    let value: UInt64
    /// The offset of the entry in the source.
    let position: UInt64
}

extension LoadableImage {
    /// Hands over the entries before the one that ends the list.
    ///
    /// - Parameters:
    ///   - start: where in `source` the list begins.
    ///   - size: of the list in bytes.
    ///   - body: returns whether to go on.
    func forEachDynamicEntry(
        from start: UInt64, size: UInt64, in source: any ImageBytes,
        _ body: (DynamicEntry) throws(ImageFailure) -> Bool
    ) throws(ImageFailure) {
        let entrySize = UInt64(2 * `class`.addressSize)
        let pieceSize: UInt64 = 4096
        var done: UInt64 = 0
        while size - done >= entrySize {
            let count = min(pieceSize, (size - done) / entrySize * entrySize)
            let fields = Fields(try source.bytes(at: start &+ done, count: Int(count)), byteOrder)
            for offset in stride(from: 0, to: count, by: UInt64.Stride(entrySize)) {
                let entry = DynamicEntry(
                    tag: fields.address(Int(offset), `class`),
                    value: fields.address(Int(offset) + `class`.addressSize, `class`),
                    position: start &+ done &+ offset)
                guard entry.tag != 0, try body(entry) else { return }
            }
            done += count
        }
    }
}
