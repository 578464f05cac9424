import CZlib

/// One chunk of a PNG file, its checksum verified.
struct PNGChunk {
    let type: ChunkType
    /// Where the content lies in the file.
    let content: Range<Int>
    /// Where the next chunk starts.
    var end: Int { content.upperBound + 4 }

    struct ChunkType: Equatable {
        /// The four letters, as a big-endian number.
        let code: UInt32

        static let header = ChunkType("IHDR")
        static let palette = ChunkType("PLTE")
        static let transparency = ChunkType("tRNS")
        static let imageData = ChunkType("IDAT")
        static let end = ChunkType("IEND")
        static let animationControl = ChunkType("acTL")
        static let frameControl = ChunkType("fcTL")
        static let frameData = ChunkType("fdAT")

        init(code: UInt32) { self.code = code }

        private init(_ name: StaticString) {
            code = name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
        }

        /// A decoder that does not know a critical chunk cannot show the picture; the letter's case says which it is.
        var isCritical: Bool { code & 0x2000_0000 == 0 }
        var isFourLetters: Bool {
            [24, 16, 8, 0].allSatisfy { shift in
                let letter = UInt8(code >> UInt32(shift) & 0xff) | 0x20
                return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
            }
        }
        var name: String { String(decoding: [24, 16, 8, 0].map { UInt8(code >> UInt32($0) & 0xff) }, as: UTF8.self) }
    }

    /// Reads the chunk that starts at `offset`.
    init(at offset: Int, in bytes: [UInt8]) throws(PictureError) {
        guard bytes.count - offset >= 12 else { throw .png("the file ends inside a chunk", at: bytes.count) }
        let length = Int(Self.number(at: offset, in: bytes))
        type = ChunkType(code: Self.number(at: offset + 4, in: bytes))
        guard type.isFourLetters else {
            throw .png("the type of a chunk is not four letters", at: offset + 4)
        }
        guard length <= bytes.count - offset - 12 else {
            throw .png("the \(type.name) chunk is longer than the file", at: offset)
        }
        content = offset + 8..<offset + 8 + length
        let checksum = bytes[offset + 4..<offset + 8 + length].withUnsafeBufferPointer {
            crc32_z(0, $0.baseAddress, $0.count)
        }
        guard checksum == Self.number(at: content.upperBound, in: bytes) else {
            throw .png("the checksum of the \(type.name) chunk is wrong", at: content.upperBound)
        }
    }

    func malformed(_ reason: String) -> PictureError {
        .png("the \(type.name) chunk: \(reason)", at: content.lowerBound)
    }

    /// Four bytes, most significant first.
    static func number(at offset: Int, in bytes: [UInt8]) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
