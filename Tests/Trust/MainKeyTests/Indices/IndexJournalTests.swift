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
        journal.add(Self.entry(0x0180_4d00, counterValue: 5))
        journal.add(Self.entry(0x0180_4d01, counterValue: nil))
    }

    private static let storageKey = [0x00, 0x0b] + [UInt8](repeating: 3, count: 32)

    private static func entry(
        _ index: UInt32, counterValue: UInt64?, in storageKey: [UInt8] = storageKey
    ) -> IndexJournal.Entry {
        IndexJournal.Entry(place: IndexJournal.Place(storageKey: storageKey, index: index), counterValue: counterValue)
    }

    private static func verified(
        _ bytes: [UInt8], _ secrets: MainKeySecrets, besides own: [IndexJournal.Entry] = []
    ) throws -> IndexJournal? {
        try IndexJournal.verified(bytes, under: IndexJournalKey(secrets), besides: own)
    }

    /// The list as it was written when it did not say of which TPM it is.
    private func firstVersion() throws -> [UInt8] {
        let key = try secrets.indexJournalKey()
        let listed: [UInt8] =
            Array("MKN1".utf8) + [UInt8](repeating: 7, count: 16) + [2]
            + [1, 0x80, 0x4d, 0, 0, 0, 0, 0, 0, 0, 0, 5] + [1, 0x80, 0x4d, 1, 0, 0, 0, 0, 0, 0, 0, 0]
        return listed + [1] + secrets.id + HMACSHA256.code(key: key, [listed])
    }

    @Test("a list of the first version is one of the key file's TPM if it lists the key file's counter, else of none")
    func firstVersions() throws {
        let bytes = try firstVersion()
        for value: UInt64 in [5, 6] {
            let own = Self.entry(0x0180_4d00, counterValue: value)
            #expect(try Self.verified(bytes, secrets, besides: [own]) == journal)
        }
        let strange = [
            Self.entry(0x0180_4d00, counterValue: 4), Self.entry(0x0180_4d00, counterValue: 7),
            Self.entry(0x0180_4d02, counterValue: 5), Self.entry(0x0180_4d01, counterValue: nil),
        ]
        for own in [[]] + strange.map({ [$0] }) {
            #expect(try Self.verified(bytes, secrets, besides: own) == IndexJournal())
        }
        let own = Self.entry(0x0180_4d00, counterValue: 5)
        #expect(try Self.verified(bytes, others, besides: [own]) == nil)
        for bit in 0..<bytes.count * 8 {
            #expect(try Self.verified(bytes.flipping(bit: bit), secrets, besides: [own]) == nil, "bit \(bit)")
        }
    }

    @Test("the same handle of two TPMs is listed twice")
    func twoTPMs() throws {
        var journal = journal
        journal.add(Self.entry(0x0180_4d00, counterValue: 5, in: [0x00, 0x0b] + [UInt8](repeating: 4, count: 32)))
        #expect(journal.entries.map(\.place.index) == [0x0180_4d00, 0x0180_4d01, 0x0180_4d00])
        #expect(try Self.verified(journal.bytes(under: [IndexJournalKey(secrets)]), secrets) == journal)
    }

    @Test("it has its documented bytes")
    func bytes() throws {
        let key = try HMACSHA256.derive(
            SecretBytes(test: [UInt8](repeating: 1, count: 32)), salt: [UInt8](repeating: 7, count: 16),
            .indexJournal)
        let listed: [UInt8] =
            Array("MKN2".utf8) + [UInt8](repeating: 7, count: 16) + [2]
            + Self.storageKey + [1, 0x80, 0x4d, 0, 0, 0, 0, 0, 0, 0, 0, 5]
            + Self.storageKey + [1, 0x80, 0x4d, 1, 0, 0, 0, 0, 0, 0, 0, 0]
        #expect(
            try journal.bytes(under: [IndexJournalKey(secrets)])
                == listed + [1] + secrets.id + HMACSHA256.code(key: key, [listed]))
        #expect(KeyLabel.indexJournal.bytes == Array("mainkey/v1/tpm/indices\0".utf8))
    }

    @Test("an index that is about to be made has a value that no counter has, until it is listed as made")
    func intended() throws {
        var journal = IndexJournal()
        let place = IndexJournal.Place(storageKey: Self.storageKey, index: 0x0180_4d00)
        journal.add(.intended(place))
        #expect(journal.entries.allSatisfy { $0.isIntended })
        let bytes = try journal.bytes(under: [IndexJournalKey(secrets)])
        #expect(Array(bytes[21..<67]) == Self.storageKey + [1, 0x80, 0x4d, 0] + [UInt8](repeating: 0xff, count: 8))
        #expect(try Self.verified(bytes, secrets) == journal)
        journal.add(Self.entry(0x0180_4d00, counterValue: 5))
        #expect(journal.entries == [Self.entry(0x0180_4d00, counterValue: 5)])
        journal.add(.intended(place))
        journal.remove(.intended(place))
        #expect(journal.entries.isEmpty)
    }

    @Test("what a new counter takes to count goes along for each MainKey, and for nobody else")
    func authorisation() throws {
        var journal = journal
        journal.authorisation = [UInt8](repeating: 9, count: 32)
        let keys = [try IndexJournalKey(secrets), try IndexJournalKey(others)]
        // Nothing is about to be made.
        #expect(try Self.verified(journal.bytes(under: keys), secrets)?.authorisation == nil)
        journal.add(.intended(IndexJournal.Place(storageKey: Self.storageKey, index: 0x0180_4d02)))
        let bytes = try journal.bytes(under: keys)
        for secrets in [secrets, others] { #expect(try Self.verified(bytes, secrets) == journal) }
        let key = try secrets.indexJournalKey()
        let listed = Array(bytes.prefix(21 + 3 * 46))
        #expect(listed.starts(with: Array("MKN3".utf8)))
        let mask = HMACSHA256.code(key: key, [listed, secrets.id + others.id])
        let masked = zip(mask, [UInt8](repeating: 9, count: 32)).map { $0 ^ $1 }
        #expect(
            Array(bytes[listed.count..<listed.count + 81])
                == [2] + secrets.id + HMACSHA256.code(key: key, [listed]) + masked)
        // It says nothing where it was changed, and the list is as it was.
        let other = try Self.verified(bytes.flipping(bit: (listed.count + 49) * 8), secrets)
        #expect(other?.entries == journal.entries && other?.authorisation != journal.authorisation)
        for count in bytes.indices { #expect(try Self.verified(Array(bytes[..<count]), secrets) == nil) }
    }

    @Test("each MainKey that it was written under reads it, and no other")
    func keys() throws {
        let both = try journal.bytes(under: [IndexJournalKey(secrets), IndexJournalKey(others)])
        #expect(try Self.verified(both, secrets) == journal)
        #expect(try Self.verified(both, others) == journal)
        #expect(try Self.verified(journal.bytes(under: [IndexJournalKey(secrets)]), others) == nil)
        let stranger = try MainKeySecrets(
            SecretBytes(test: [UInt8](repeating: 1, count: 32)),
            vault: #require(VaultID([UInt8](repeating: 8, count: 16))))
        #expect(try Self.verified(both, stranger) == nil)
    }

    @Test("of a vault that is being made, the account reads it too, and no other account")
    func account() throws {
        let (own, another) = (try SecretBytes(test: "account's"), try SecretBytes(test: "another's"))
        let key = try IndexJournalKey(ofAccount: own, making: secrets.vault)
        let bytes = try journal.bytes(under: [key, IndexJournalKey(secrets)])
        #expect(try IndexJournal.verified(bytes, under: key, besides: []) == journal)
        #expect(try Self.verified(bytes, secrets) == journal)
        let strange = try IndexJournalKey(ofAccount: another, making: secrets.vault)
        #expect(try IndexJournal.verified(bytes, under: strange, besides: []) == nil)
    }

    @Test("one that is cut off, longer or flipped anywhere is nothing")
    func damaged() throws {
        let bytes = try journal.bytes(under: [IndexJournalKey(secrets)])
        for count in bytes.indices { #expect(try Self.verified(Array(bytes[..<count]), secrets) == nil) }
        for bit in 0..<bytes.count * 8 {
            #expect(try Self.verified(bytes.flipping(bit: bit), secrets) == nil, "bit \(bit)")
        }
        #expect(try Self.verified(bytes + [0], secrets) == nil)
        var random = SplitMix64(state: 25)
        for count in 0..<500 {
            let noise = bytes.prefix(21) + (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(try Self.verified(Array(noise), secrets) == nil)
        }
    }

    @Test("a handle is listed once, as it was last, and the newest stay where there are too many")
    func limits() throws {
        var journal = journal
        journal.add(Self.entry(0x0180_4d01, counterValue: 9))
        #expect(journal.entries.map(\.counterValue) == [5, 9])
        for index in 0..<UInt32(IndexJournal.entryLimit) {
            journal.add(Self.entry(index, counterValue: nil))
        }
        #expect(journal.entries.map(\.place.index) == Array(0..<UInt32(IndexJournal.entryLimit)))
        let bytes = try journal.bytes(under: [IndexJournalKey(secrets), IndexJournalKey(others)])
        #expect(bytes.count == IndexJournal.byteLimit)
        #expect(try Self.verified(bytes, others) == journal)
    }
}
