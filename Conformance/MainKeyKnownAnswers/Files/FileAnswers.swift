import Cryptography
import Foundation
import KnownAnswers
import MainKey

/// Encrypted files, in the folder of the list's name. Their plaintext follows a pattern.
enum FileAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("vaultID", "epochKeys") && content["cases"].has("file", "context", "expect")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        let pattern = "byte i = ((i*131) xor ((i>>8)*17) xor ((i>>16)*29) xor seed) and 0xff"
        guard content["pattern"].string == pattern else { throw RowError.missing("the pattern that is made here") }
        let keys = try FileKeySource(KnownKeys(content).open())
        report.check(content["cases"]) { row in try check(&row, keys, in: file) }
    }

    private static func check(_ row: inout Row, _ keys: FileKeySource, in list: AnswerFile) throws {
        let encrypted = try EncryptedAnswer(row, of: list, keys)
        let plaintext = try row.outcome { try encrypted.decrypted() }
        guard let plaintext else {
            row.expect("is read in parts", (try? encrypted.readInParts()) != nil, equals: false)
            return
        }
        if !row["fileLen"].isNull {
            row.expect("fileLen", try encrypted.file.bytes().count, equals: row["fileLen"].int)
        }
        row.expect("chunkLog2", try encrypted.header().chunkLog2, equals: row["chunkLog2"].int)
        try encrypted.check(
            plaintext, KnownPlaintext(count: row.integer("plaintextLen"), seed: row.integer("plaintextPatternSeed")),
            sha256: row.bytes("plaintextSHA256"), in: &row)
    }
}

/// A file of a known answer.
struct EncryptedAnswer {
    let file: AnswerFile
    let context: [UInt8]
    let keys: FileKeySource

    /// - Parameter list: in the folder of whose name the file lies.
    init(_ row: Row, of list: AnswerFile, _ keys: FileKeySource) throws {
        file = list.inside(try row.text("file"))
        context = Array(try row.text("context").utf8)
        self.keys = keys
    }

    func header() throws -> EncryptedFileHeader {
        try EncryptedFileHeader(parsing: file.bytes())
    }

    /// The plaintext, decrypted from the beginning to the end.
    func decrypted() throws -> [UInt8] {
        let output = FileManager.default.temporaryDirectory.appending(path: "known-answer-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }
        try FileDecryption(keys: keys, context: context).run(file.location().path, to: output.path)
        return Array(try Data(contentsOf: output))
    }

    /// The plaintext, read in pieces that no chunk has the size of, the last first.
    func readInParts() throws -> [UInt8] {
        let reader = try EncryptedFileReader(path: file.location().path, context: context, keys: keys)
        var plaintext = [UInt8](repeating: 0, count: reader.byteCount)
        for offset in stride(from: 0, to: reader.byteCount, by: Self.partByteCount).reversed() {
            let part = try reader.read(at: offset, count: Self.partByteCount)
            plaintext.replaceSubrange(offset..<offset + part.count, with: part)
        }
        return plaintext
    }

    private static let partByteCount = 5001

    /// Compares with what was encrypted.
    func check(_ plaintext: [UInt8], _ known: KnownPlaintext, sha256: [UInt8], in row: inout Row) throws {
        // Not printed: they may have megabytes.
        row.expect("has the pattern", plaintext == known.bytes, equals: true)
        row.expect("sha256", SHA256Hash.of(plaintext), equals: sha256)
        row.expect("epoch", try header().epoch, equals: try row.integer("epoch"))
        row.expect("is read in parts", try readInParts() == plaintext, equals: true)
    }
}

/// Bytes that follow from their position and a seed.
struct KnownPlaintext {
    let count: Int
    let seed: Int

    var bytes: [UInt8] {
        (0..<count).map { index in
            UInt8(truncatingIfNeeded: index * 131 ^ (index >> 8) * 17 ^ (index >> 16) * 29 ^ seed)
        }
    }
}
