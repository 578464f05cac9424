import Files
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import MainKey

/// A folder that goes with the value, and what lies in it.
final class TestFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "mainkey-files-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(filePath: file(name)))
        return file(name)
    }

    func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: file(name))))
    }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}

/// Bytes behind a descriptor, in a file without a name. The descriptor lasts as long as ``named``.
final class TestStream {
    let named: OpenFile

    init(_ bytes: [UInt8] = []) throws {
        let file = try #require(tmpfile())
        named = OpenFile(owning: FileDescriptor(rawValue: dup(fileno(file))), path: "test stream")
        fclose(file)
        set(bytes)
    }

    /// Replaces the content and goes to its beginning.
    func set(_ bytes: [UInt8]) {
        ftruncate(named.descriptor.rawValue, 0)
        pwrite(named.descriptor.rawValue, bytes, bytes.count, 0)
        lseek(named.descriptor.rawValue, 0, SEEK_SET)
    }

    var bytes: [UInt8] {
        let count = Int(lseek(named.descriptor.rawValue, 0, SEEK_END))
        var bytes = [UInt8](repeating: 0, count: count)
        pread(named.descriptor.rawValue, &bytes, count, 0)
        return bytes
    }
}

/// A pipe that gives bytes a few at a time, and whose length nobody knows.
func withPipe<R>(_ bytes: [UInt8], _ body: (OpenFile) throws -> R) throws -> R {
    var ends: [CInt] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    let writer = Thread {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Array(rest.prefix(1777)).withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        close(writing)
    }
    // Writing to a pipe that is not read to its end is an error here, not a signal.
    signal(SIGPIPE, SIG_IGN)
    writer.start()
    defer { close(reading) }
    return try body(OpenFile(borrowing: reading, named: "test pipe"))
}

/// The epoch keys and files of the known answers.
struct KnownFiles {
    let cases: [JSON]
    let keys: FileKeySource
    private let scratch: TestStream

    init() throws {
        scratch = try TestStream()
        let known = try Fixture.json("files.json")
        cases = known["cases"].array
        let vaultID = try #require(known["vaultID"].hex)
        var subkeys: [UInt32: SecretBytes] = [:]
        for (name, key) in known["epochKeys"].object {
            let epoch = try #require(UInt32(name))
            subkeys[epoch] = try HMACSHA256.derive(
                SecretBytes(test: #require(key.hex)),
                salt: vaultID + withUnsafeBytes(of: epoch.bigEndian) { Array($0) }, .subkey("file"))
        }
        keys = Self.source(subkeys)
    }

    private static func source(_ subkeys: [UInt32: SecretBytes]) -> FileKeySource {
        FileKeySource(activeEpoch: 2) { (epoch) throws(MainKeyError) in
            guard let subkey = subkeys[epoch] else { throw .unknownEpoch(epoch) }
            return subkey
        }
    }

    static func bytes(_ known: JSON) throws -> [UInt8] {
        try Fixture.bytes("files/" + #require(known["file"].string))
    }

    static func context(_ known: JSON) throws -> [UInt8] {
        Array(try #require(known["context"].string).utf8)
    }

    static func pattern(count: Int, seed: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            for place in 0..<count {
                let value = (place &* 131) ^ ((place >> 8) &* 17) ^ ((place >> 16) &* 29) ^ seed
                bytes[place] = UInt8(truncatingIfNeeded: value)
            }
            filled = count
        }
    }

    static func plaintext(_ known: JSON) throws -> [UInt8] {
        pattern(
            count: try #require(known["plaintextLen"].int), seed: try #require(known["plaintextPatternSeed"].int))
    }

    /// A file of three chunks, 4096, 4096 and 5 bytes.
    static let small = pattern(count: 8197, seed: 7)

    func encrypt(_ plaintext: [UInt8], context: [UInt8] = [], chunkLog2: Int = 12) throws -> [UInt8] {
        let sink = try TestStream()
        try FileEncryption(keys: keys, context: context, chunkLog2: chunkLog2).run(
            from: TestStream(plaintext).named, to: sink.named)
        return sink.bytes
    }

    func decrypt(_ bytes: [UInt8], context: [UInt8] = []) throws -> [UInt8] {
        let sink = try TestStream()
        try FileDecryption(keys: keys, context: context).run(from: TestStream(bytes).named, to: sink.named)
        return sink.bytes
    }

    /// - Returns: the error of verifying; nil if it is whole.
    func refusal(_ bytes: [UInt8], context: [UInt8] = []) throws -> MainKeyError? {
        scratch.set(bytes)
        do throws(MainKeyError) {
            try FileDecryption(keys: keys, context: context).run(from: scratch.named, to: nil)
            return nil
        } catch { return error }
    }
}

extension [UInt8] {
    /// A chunk of 4096 bytes with its tag in an encrypted file.
    func sealedChunk(_ chunk: Int) -> ArraySlice<UInt8> {
        self[80 + chunk * 4112..<Swift.min(80 + (chunk + 1) * 4112, count)]
    }
}
