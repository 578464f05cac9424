/// Where the chunks of an encrypted file lie, from its length alone. A chunk is followed by its tag.
///
/// The length is not authentic before the last chunk has opened as the last one.
struct EncryptedFileLayout: Equatable, Sendable {
    /// The plaintext bytes of each chunk but the last.
    let chunkByteCount: Int
    /// The number of chunks, at least 1: an empty file is one empty chunk.
    let chunkCount: Int
    /// The plaintext bytes of the whole file.
    let plaintextByteCount: Int

    /// The most chunks of a file: they are numbered with 32 bits.
    static let chunkCountMost = 1 << 32

    /// - Parameters:
    ///   - bodyByteCount: bytes behind the header, not negative.
    ///   - chunkByteCount: of plaintext.
    /// - Throws: ``MainKeyError/truncated(_:)`` if no whole file has this length.
    init(bodyByteCount: Int, chunkByteCount: Int) throws(MainKeyError) {
        let sealedByteCount = chunkByteCount + AEAD.tagByteCount
        let (whole, rest) = bodyByteCount.quotientAndRemainder(dividingBy: sealedByteCount)
        switch rest {
        case 0: chunkCount = whole
        case AEAD.tagByteCount where whole == 0: chunkCount = 1
        case ...AEAD.tagByteCount: throw .truncated(.file)
        default: chunkCount = whole + 1
        }
        guard chunkCount > 0 else { throw .truncated(.file) }
        guard chunkCount <= Self.chunkCountMost else {
            throw .malformed(.file, reason: "it has more chunks than can be numbered")
        }
        self.chunkByteCount = chunkByteCount
        plaintextByteCount = bodyByteCount - chunkCount * AEAD.tagByteCount
    }

    /// The plaintext bytes of a chunk.
    func byteCount(ofChunk chunk: Int) -> Int {
        isLast(chunk) ? plaintextByteCount - chunk * chunkByteCount : chunkByteCount
    }

    func isLast(_ chunk: Int) -> Bool { chunk == chunkCount - 1 }

    /// Where a chunk begins in the file.
    func offset(ofChunk chunk: Int) -> Int {
        EncryptedFileHeader.byteCount + chunk * (chunkByteCount + AEAD.tagByteCount)
    }
}
