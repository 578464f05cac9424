import Files
import Foundation
import TestSupport
import Testing

@testable import MainKey

@Suite("EncryptedFileReader")
struct EncryptedFileReaderTests {
    private let known: KnownFiles
    private let folder: TestFolder

    init() throws {
        known = try KnownFiles()
        folder = try TestFolder()
    }

    private func reader(_ bytes: [UInt8]) throws -> EncryptedFileReader {
        try EncryptedFileReader(path: folder.write("file", bytes), context: [], keys: known.keys)
    }

    @Test("parts are those of the whole, at any offset", arguments: [12, 13, 16])
    func parts(chunkLog2: Int) throws {
        var random = SplitMix64(state: UInt64(chunkLog2))
        for count in [0, 1, 4096, 8192, 100_001] {
            let plaintext = KnownFiles.pattern(count: count, seed: 1)
            let reader = try reader(known.encrypt(plaintext, chunkLog2: chunkLog2))
            for _ in 0..<300 {
                let start = Int.random(in: 0...count, using: &random)
                let length = Int.random(in: 0...20_000, using: &random)
                guard
                    try reader.read(at: start, count: length) == Array(plaintext[start...].prefix(length))
                else {
                    Issue.record("\(length) bytes at \(start) of \(count)")
                    return
                }
            }
        }
    }

    @Test("nothing lies behind the end")
    func behindTheEnd() throws {
        let reader = try reader(known.encrypt([1, 2, 3]))
        #expect(try reader.read(at: 2, count: .max) == [3])
        for offset in [3, 4, 4096, Int.max] {
            #expect(try reader.read(at: offset, count: 10) == [])
            #expect(try reader.read(at: offset, count: .max) == [])
        }
        #expect(try reader.read(at: 0, count: 0) == [])
    }

    @Test("the size is verified before anything is read")
    func size() throws {
        let file = try known.encrypt(KnownFiles.small)
        #expect(throws: MainKeyError.truncated(.file)) { try reader(Array(file[..<(80 + 2 * 4112)])) }
        #expect(throws: MainKeyError.authFailed(.file, chunk: 2)) { try reader(file.dropLast()) }
        #expect(throws: MainKeyError.authFailed(.file, chunk: 2)) { try reader(file + [0]) }
    }

    @Test("a changed chunk is refused each time it is asked for, and the others are not")
    func changedChunk() throws {
        let file = try known.encrypt(KnownFiles.small)
        let reader = try reader(file.flipping(bit: (80 + 4112 + 9) * 8))
        for _ in 0..<2 {
            #expect(try reader.read(at: 0, count: 4096) == Array(KnownFiles.small[..<4096]))
            #expect(throws: MainKeyError.authFailed(.file, chunk: 1)) { try reader.read(at: 5000, count: 3) }
            #expect(throws: MainKeyError.authFailed(.file, chunk: 1)) { try reader.read(at: 0, count: .max) }
            #expect(try reader.read(at: 8192, count: 9) == Array(KnownFiles.small[8192...]))
        }
    }

    @Test("no unverified byte reaches the buffer")
    func buffer() throws {
        let file = try known.encrypt(KnownFiles.small)
        let reader = try reader(file.flipping(bit: (80 + 4112 + 9) * 8))
        var buffer = [UInt8](repeating: 0xee, count: 8192)
        #expect(throws: MainKeyError.self) {
            try buffer.withUnsafeMutableBytes { _ = try reader.read(at: 0, into: $0) }
        }
        #expect(buffer[..<4096].elementsEqual(KnownFiles.small[..<4096]))
        #expect(buffer[4096...].allSatisfy { $0 == 0 })
    }

    @Test("a file that is cut off while it is open is told from one that was changed")
    func cutWhileOpen() throws {
        let path = try folder.write("cut", known.encrypt(KnownFiles.small))
        let reader = try EncryptedFileReader(path: path, context: [], keys: known.keys)
        #expect(truncate(path, 4000) == 0)
        #expect(try reader.read(at: 8192, count: 5) == Array(KnownFiles.small[8192...]))
        #expect(throws: MainKeyError.truncated(.file)) { try reader.read(at: 0, count: 1) }
    }

    @Test("a locked vault reads no more, not even what was read before")
    func locked() throws {
        let path = try folder.write("file", known.encrypt(KnownFiles.small))
        var isLocked = false
        var keys = known.keys
        keys.isRevoked = { isLocked }
        let reader = try EncryptedFileReader(path: path, context: [], keys: keys)
        #expect(try reader.read(at: 8192, count: 5).count == 5)
        isLocked = true
        #expect(throws: MainKeyError.locked) { try reader.read(at: 8192, count: 5) }
        #expect(throws: MainKeyError.locked) { try EncryptedFileReader(path: path, context: [], keys: keys) }
    }

    @Test("what is no regular file is not read in parts")
    func devices() throws {
        #expect("a device") {
            try EncryptedFileReader(path: "/dev/zero", context: [], keys: known.keys)
        } throws: {
            ($0 as? MainKeyError)?.code == "io"
        }
    }

    @Test("gives back each descriptor, also of files that are refused")
    func descriptors() throws {
        let path = try folder.write("bad", [UInt8](repeating: 1, count: 200))
        let good = try folder.write("good", known.encrypt(KnownFiles.small))
        let changed = try folder.write("changed", known.encrypt(KnownFiles.small).dropLast())
        for path in [path, good, changed] {
            for _ in 0..<50 { _ = try? EncryptedFileReader(path: path, context: [], keys: known.keys) }
        }
        // Other tests open and close their own meanwhile.
        #if os(Linux)
            let kept = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
                let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
                return [path, good, changed].contains(file)
            }
            #expect(kept == [])
        #endif
    }

    @Test("layouts of all lengths agree with the size that encryption gives")
    func layouts() throws {
        let chunk = 4096
        for plaintext in 0...3 * chunk {
            let chunks = max(1, (plaintext + chunk - 1) / chunk)
            let layout = try EncryptedFileLayout(bodyByteCount: plaintext + 16 * chunks, chunkByteCount: chunk)
            #expect(layout.chunkCount == chunks && layout.plaintextByteCount == plaintext)
            #expect((0..<chunks).reduce(0) { $0 + layout.byteCount(ofChunk: $1) } == plaintext)
        }
        for body in [-80, -1, 0, 1, 15, 4113, 4128, 8225] {
            #expect(throws: MainKeyError.truncated(.file)) {
                try EncryptedFileLayout(bodyByteCount: body, chunkByteCount: chunk)
            }
        }
        #expect(throws: MainKeyError.self) {
            try EncryptedFileLayout(bodyByteCount: .max - 80, chunkByteCount: chunk)
        }
    }

    @Test("a file that was written anew since it was compared is not read, neither whole nor in parts")
    func writtenAnew() throws {
        let path = try folder.write("file", known.encrypt([1, 2, 3]))
        func digest() throws -> [UInt8] {
            try EncryptedFileHeader(parsing: Array(folder.read("file").prefix(EncryptedFileHeader.byteCount))).digest
        }
        let compared = try digest()
        func file(_ digest: [UInt8]) throws -> FreshFile {
            FreshFile(source: try OpenFile(reading: path), digest: digest)
        }
        let decryption = FileDecryption(keys: known.keys, context: [])
        #expect(try EncryptedFileReader(file(compared), context: [], keys: known.keys).byteCount == 3)
        #expect(try decryption.check(file(compared)) == 3)
        _ = try folder.write("file", known.encrypt([4, 5, 6]))
        #expect(
            code { _ = try EncryptedFileReader(file(compared), context: [], keys: known.keys) } == "rolledBack")
        #expect(code { _ = try decryption.check(file(compared)) } == "rolledBack")
        let out = folder.file("out")
        #expect(code { _ = try decryption.run(file(compared), to: out) } == "rolledBack")
        #expect(!FileManager.default.fileExists(atPath: out))
        #expect(try decryption.check(file(digest())) == 3)
    }
}
