import TestSupport
import Testing

@testable import MainKey

@Suite("Encrypted files, damage")
struct EncryptedFileDamageTests {
    private let known: KnownFiles
    private let file: [UInt8]

    init() throws {
        known = try KnownFiles()
        file = try known.encrypt(KnownFiles.small)
    }

    @Test("every changed bit is found, and what it is in is told")
    func everyBit() throws {
        let plaintext = KnownFiles.pattern(count: 4101, seed: 3)
        let file = try known.encrypt(plaintext)
        let source = try TestStream()
        let sink = try TestStream()
        for bit in 0..<file.count * 8 {
            source.set(file.flipping(bit: bit))
            sink.set([])
            do throws(MainKeyError) {
                try FileDecryption(keys: known.keys, context: []).run(from: source.named, to: sink.named)
                Issue.record("bit \(bit) was not found")
            } catch {
                guard isRight(error, forBitInByte: bit / 8, flipped: file.flipping(bit: bit)[bit / 8]) else {
                    Issue.record("bit \(bit): \(error)")
                    return
                }
            }
            let written = sink.bytes
            guard written.isEmpty || written == Array(plaintext.prefix(4096)) && bit / 8 >= 80 + 4112 else {
                Issue.record("bit \(bit): \(written.count) bytes were written")
                return
            }
        }
    }

    private func isRight(_ error: MainKeyError, forBitInByte byte: Int, flipped: UInt8) -> Bool {
        switch (byte, error) {
        case (0..<4, .badMagic(.file)), (4..<6, .unsupportedVersion(.file, Int(flipped))): true
        case (6, .malformed): !(12...20).contains(flipped)
        case (6, .fileKeyMismatch): (12...20).contains(flipped)
        case (7, .malformed), (12..<16, .malformed): true
        case (8..<12, .unknownEpoch), (16..<80, .fileKeyMismatch): true
        case (80..<80 + 4112, .authFailed(.file, 0)), (80 + 4112..<Int.max, .authFailed(.file, 1)): true
        default: false
        }
    }

    @Test("a file that is cut off anywhere does not decrypt")
    func everyLength() throws {
        for count in 0..<file.count {
            let rest = (count - 80) % 4112
            // 96 bytes are the length of an empty file.
            let expected: MainKeyError =
                count < 80 || rest <= 16 && count != 96
                ? .truncated(.file) : .authFailed(.file, chunk: (count - 80) / 4112)
            guard try known.refusal(Array(file[..<count])) == expected else {
                Issue.record("cut to \(count) bytes: \(try known.refusal(Array(file[..<count])) as Any)")
                return
            }
        }
    }

    @Test("a stream of unknown length that is cut off does not decrypt either")
    func cutPipes() throws {
        for count in [0, 3, 4, 79, 80, 81, 96, 97, 4191, 4192, 4193, 4208, 4209, 8304, 8305, 8320, 8324] {
            let expected = try #require(try known.refusal(Array(file[..<count])))
            #expect(throws: expected) {
                try withPipe(Array(file[..<count])) {
                    try FileDecryption(keys: known.keys, context: []).run(from: $0, to: nil)
                }
            }
        }
    }

    @Test("chunks can be neither swapped, doubled, left out nor taken from another file")
    func movedChunks() throws {
        let header = file[..<80]
        let chunks = (0..<3).map { file.sealedChunk($0) }
        let other = try known.encrypt(KnownFiles.small)
        func refusal(_ parts: ArraySlice<UInt8>...) throws -> MainKeyError? {
            try known.refusal(Array(parts.joined()))
        }
        #expect(try refusal(header, chunks[0], chunks[1], chunks[2]) == nil)
        #expect(try refusal(header, chunks[1], chunks[0], chunks[2]) == .authFailed(.file, chunk: 0))
        #expect(try refusal(header, chunks[0], chunks[0], chunks[2]) == .authFailed(.file, chunk: 1))
        #expect(try refusal(header, chunks[0], chunks[2]) == .authFailed(.file, chunk: 1))
        #expect(try refusal(header, chunks[0], chunks[1]) == .truncated(.file))
        #expect(try refusal(header, chunks[0]) == .truncated(.file))
        #expect(try refusal(header, chunks[0], other.sealedChunk(1), chunks[2]) == .authFailed(.file, chunk: 1))
        #expect(try refusal(other[..<80], chunks[0], chunks[1], chunks[2]) == .authFailed(.file, chunk: 0))
    }

    @Test("what follows the last chunk is found, in files of one piece and of several")
    func trailingData() throws {
        let one = try known.encrypt(KnownFiles.pattern(count: 4096, seed: 1))
        #expect(try known.refusal(one + one.sealedChunk(0)) == .trailingData(chunk: 0))
        #expect(try known.refusal(one + one.sealedChunk(0).prefix(17)) == .trailingData(chunk: 0))
        #expect(try known.refusal(one + one.sealedChunk(0).prefix(16)) == .truncated(.file))
        let chunksPerPiece = PieceReader.pieceByteCount / 4112
        let piece = try known.encrypt(KnownFiles.pattern(count: chunksPerPiece * 4096, seed: 1))
        #expect(try known.refusal(piece) == nil)
        #expect(try known.refusal(piece + piece.sealedChunk(1)) == .trailingData(chunk: chunksPerPiece - 1))
    }

    @Test("random bytes behind a right beginning are refused without a trap", arguments: 0..<20)
    func randomBytes(seed: Int) throws {
        var random = SplitMix64(state: UInt64(seed))
        let codes = [
            "badMagic", "truncated", "unsupportedVersion", "malformed", "unknownEpoch", "fileKeyMismatch", "authFailed",
        ]
        for _ in 0..<500 {
            let kept = Int.random(in: 0...96, using: &random)
            let added = Int.random(in: 0...5000, using: &random)
            let bytes = Array(file.prefix(kept)) + (0..<added).map { _ in random.byte() }
            let error = try #require(try known.refusal(bytes))
            #expect(codes.contains(error.code))
        }
    }

    @Test("a file opens in its own context only")
    func contexts() throws {
        let file = try known.encrypt([1, 2, 3], context: Array("blocks/1".utf8))
        #expect(try known.decrypt(file, context: Array("blocks/1".utf8)) == [1, 2, 3])
        for context in ["", "blocks/2", "blocks/1/", "blocks/1\0"] {
            #expect(try known.refusal(file, context: Array(context.utf8)) == .fileKeyMismatch)
        }
        let longest = [UInt8](repeating: 1, count: 65535)
        #expect(try known.decrypt(known.encrypt([9], context: longest), context: longest) == [9])
        #expect("a longer one") { try known.encrypt([9], context: longest + [1]) } throws: {
            ($0 as? MainKeyError)?.code == "limitExceeded"
        }
    }

    @Test("a chunk that wrongly ends the file, or wrongly does not, leaves nothing behind", arguments: [0, 2])
    func misplacedEnd(chunk: Int) throws {
        let header = try EncryptedFileHeader(parsing: Array(file.prefix(EncryptedFileHeader.byteCount)))
        let cipher = try ChunkCipher(header, context: [], keys: known.keys)
        let start = EncryptedFileHeader.byteCount + chunk * (header.chunkByteCount + AEAD.tagByteCount)
        let sealed = Array(file[start...].prefix(header.chunkByteCount + AEAD.tagByteCount))
        let isLast = start + sealed.count == file.count
        var plaintext = [UInt8](repeating: 0xaa, count: sealed.count - AEAD.tagByteCount)
        func open(isLast: Bool) throws {
            try sealed.withUnsafeBytes { sealed in
                try plaintext.withUnsafeMutableBytes { try cipher.open(sealed, chunk: chunk, isLast: isLast, into: $0) }
            }
        }
        try open(isLast: isLast)
        #expect(plaintext.contains { $0 != 0 })
        #expect(code { try open(isLast: !isLast) } == (isLast ? "trailingData" : "truncated"))
        #expect(plaintext.allSatisfy { $0 == 0 })
    }
}
