import SecretMemory
import TestSupport
import Testing

@testable import MainKey

@Suite("The list of what a change may leave in the TPM")
struct IndexJournalTests {
    private let secrets: MainKeySecrets
    private let others: MainKeySecrets
    private var journal = IndexJournal()

    init() throws {
        let vault = try #require(VaultID([UInt8](repeating: 7, count: 16)))
        secrets = try MainKeySecrets(SecretBytes(test: [UInt8](repeating: 1, count: 32)), vault: vault)
        others = try MainKeySecrets(SecretBytes(test: [UInt8](repeating: 2, count: 32)), vault: vault)
        journal.add(IndexJournal.Entry(index: 0x0180_4d00, counterValue: 5))
        journal.add(IndexJournal.Entry(index: 0x0180_4d01, counterValue: nil))
    }

    @Test("it has its documented bytes")
    func bytes() throws {
        let key = try HMACSHA256.derive(
            SecretBytes(test: [UInt8](repeating: 1, count: 32)), salt: [UInt8](repeating: 7, count: 16),
            .indexJournal)
        let listed: [UInt8] =
            Array("MKN1".utf8) + [UInt8](repeating: 7, count: 16) + [2]
            + [1, 0x80, 0x4d, 0, 0, 0, 0, 0, 0, 0, 0, 5] + [1, 0x80, 0x4d, 1, 0, 0, 0, 0, 0, 0, 0, 0]
        #expect(
            try journal.bytes(under: [secrets]) == listed + [1] + secrets.id + HMACSHA256.code(key: key, [listed]))
        #expect(KeyLabel.indexJournal.bytes == Array("mainkey/v1/tpm/indices\0".utf8))
    }

    @Test("each MainKey that it was written under reads it, and no other")
    func keys() throws {
        let both = try journal.bytes(under: [secrets, others])
        #expect(try IndexJournal.verified(both, under: secrets) == journal)
        #expect(try IndexJournal.verified(both, under: others) == journal)
        #expect(try IndexJournal.verified(journal.bytes(under: [secrets]), under: others) == nil)
        let stranger = try MainKeySecrets(
            SecretBytes(test: [UInt8](repeating: 1, count: 32)),
            vault: #require(VaultID([UInt8](repeating: 8, count: 16))))
        #expect(try IndexJournal.verified(both, under: stranger) == nil)
    }

    @Test("one that is cut off, longer or flipped anywhere is nothing")
    func damaged() throws {
        let bytes = try journal.bytes(under: [secrets])
        for count in bytes.indices { #expect(try IndexJournal.verified(Array(bytes[..<count]), under: secrets) == nil) }
        for bit in 0..<bytes.count * 8 {
            #expect(try IndexJournal.verified(bytes.flipping(bit: bit), under: secrets) == nil, "bit \(bit)")
        }
        #expect(try IndexJournal.verified(bytes + [0], under: secrets) == nil)
        var random = SystemRandomNumberGenerator()
        for count in 0..<500 {
            let noise = bytes.prefix(21) + (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(try IndexJournal.verified(Array(noise), under: secrets) == nil)
        }
    }

    @Test("a handle is listed once, as it was last, and the newest stay where there are too many")
    func limits() throws {
        var journal = journal
        journal.add(IndexJournal.Entry(index: 0x0180_4d01, counterValue: 9))
        #expect(journal.entries.map(\.counterValue) == [5, 9])
        for index in 0..<UInt32(IndexJournal.entryLimit) {
            journal.add(IndexJournal.Entry(index: index, counterValue: nil))
        }
        #expect(journal.entries.map(\.index) == Array(0..<UInt32(IndexJournal.entryLimit)))
        let bytes = try journal.bytes(under: [secrets, others])
        #expect(bytes.count == IndexJournal.byteLimit)
        #expect(try IndexJournal.verified(bytes, under: others) == journal)
    }
}
