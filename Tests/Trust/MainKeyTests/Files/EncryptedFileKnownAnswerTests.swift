import CSodium
import SecretMemory
import TestSupport
import Testing

@testable import MainKey

@Suite("Encrypted files, known answers")
struct EncryptedFileKnownAnswerTests {
    private let known: KnownFiles

    init() throws {
        known = try KnownFiles()
        #expect(known.cases.count == 42)
    }

    private var good: [JSON] { known.cases.filter { $0["expect"].string == "ok" } }
    private var bad: [JSON] { known.cases.filter { $0["expect"].string != "ok" } }

    @Test("decrypts the known files, of known and of unknown length")
    func decryption() throws {
        #expect(good.count == 10)
        for file in good {
            let plaintext = try KnownFiles.plaintext(file)
            let context = try KnownFiles.context(file)
            var hash = [UInt8](repeating: 0, count: 32)
            crypto_hash_sha256(&hash, plaintext, UInt64(plaintext.count))
            #expect(hash == file["plaintextSHA256"].hex)
            let bytes = try KnownFiles.bytes(file)
            #expect(try known.decrypt(bytes, context: context) == plaintext, "\(file["file"])")
            let sink = try TestStream()
            let count = try withPipe(bytes) {
                try FileDecryption(keys: known.keys, context: context).run(from: $0, to: sink.named)
            }
            #expect(Int(count) == plaintext.count)
            #expect(sink.bytes == plaintext)
        }
    }

    @Test("seals the known files byte for byte under their salts")
    func sealing() throws {
        for file in good {
            let bytes = try KnownFiles.bytes(file)
            let plaintext = try KnownFiles.plaintext(file)
            var header = try EncryptedFileHeader(parsing: Array(bytes.prefix(80)))
            #expect(header.encoded == Array(bytes.prefix(80)))
            #expect(Int(header.epoch) == file["epoch"].int)
            #expect(header.chunkLog2 == file["chunkLog2"].int)
            header.commitment = []
            let cipher = try ChunkCipher(
                completing: &header, context: KnownFiles.context(file), keys: known.keys)
            var sealed = header.encoded
            let layout = try EncryptedFileLayout(
                bodyByteCount: bytes.count - 80, chunkByteCount: header.chunkByteCount)
            for chunk in 0..<layout.chunkCount {
                let start = chunk * header.chunkByteCount
                let part = Array(plaintext[start..<start + layout.byteCount(ofChunk: chunk)])
                var output = [UInt8](repeating: 0, count: part.count + 16)
                try part.withUnsafeBytes { part in
                    try output.withUnsafeMutableBytes {
                        try cipher.seal(part, chunk: chunk, isLast: layout.isLast(chunk), into: $0)
                    }
                }
                sealed += output
            }
            #expect(sealed == bytes, "\(file["file"])")
        }
    }

    @Test("reads any part of the known files")
    func parts() throws {
        var random = SplitMix64(state: 10)
        for file in good {
            let plaintext = try KnownFiles.plaintext(file)
            let reader = try EncryptedFileReader(
                path: Fixture.folder.appending(path: "files/" + #require(file["file"].string)).path,
                context: KnownFiles.context(file), keys: known.keys)
            #expect(reader.byteCount == plaintext.count)
            #expect(try reader.read(at: 0, count: .max) == plaintext)
            for _ in 0..<100 {
                let start = Int.random(in: 0...plaintext.count + 3, using: &random)
                let count = Int.random(in: 0...9000, using: &random)
                let expected = Array(plaintext.dropFirst(start).prefix(count))
                #expect(try reader.read(at: start, count: count) == expected)
            }
        }
    }

    private enum Way { case file, check, pipe, parts }

    /// Where a way of reading meets something else first: a pipe has no length to begin with, and reading in parts
    /// begins with the last chunk.
    private static let seenOtherwise: [Way: [String: String]] = [
        .pipe: ["n29.mkf": "trailingData"], .parts: ["n28.mkf": "authFailed"],
    ]

    @Test("refuses the known bad files by the known codes, however they are read, and writes no file")
    func refusals() throws {
        #expect(bad.count == 32)
        let folder = try TestFolder()
        for file in bad {
            let bytes = try KnownFiles.bytes(file)
            let context = try KnownFiles.context(file)
            let decryption = FileDecryption(keys: known.keys, context: context)
            let path = try folder.write("in", bytes)
            let ways: [(Way, () throws -> Void)] = [
                (.file, { try decryption.run(path, to: folder.file("out")) }),
                (.check, { try decryption.check(path) }),
                (.pipe, { _ = try withPipe(bytes) { try decryption.run(from: $0, to: nil) } }),
                (.parts, { try EncryptedFileReader(path: path, context: context, keys: known.keys).readAll() }),
            ]
            for (way, read) in ways {
                let expected = try Self.seenOtherwise[way]?[#require(file["file"].string)] ?? file["expect"].string
                #expect("\(file["file"]) \(file["name"]), \(way)") { try read() } throws: {
                    ($0 as? MainKeyError)?.code == expected
                }
            }
            #expect(try folder.names == ["in"])
        }
    }
}

extension EncryptedFileReader {
    fileprivate func readAll() throws {
        _ = try read(at: 0, count: byteCount)
    }
}
