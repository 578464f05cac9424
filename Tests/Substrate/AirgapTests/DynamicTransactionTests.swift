import Airgap
import SCALE
import Substrate
import TestSupport
import Testing
import TextForms

@Suite("Transactions of derived keys and with proofs")
struct DynamicTransactionTests {
    private static func transaction(_ bytes: [UInt8]) throws -> TransactionPayload {
        guard case .transaction(let transaction) = try Payload(bytes) else {
            throw PayloadError.unknownKind(bytes[2])
        }
        return transaction
    }

    @Test("a derived key is named by the seed's root, a path and a scheme", arguments: SignatureScheme.allCases)
    func author(scheme: SignatureScheme) throws {
        let bytes = [0x53, scheme.rawValue, 5] + Fixtures.derivedAuthor("//polkadot/0") + Fixtures.body
        let transaction = try Self.transaction(bytes)
        let path = try DerivationPath(parsing: "//polkadot/0")
        #expect(transaction.author == .derived(root: .sr25519(Fixtures.alice), path: path, scheme: scheme))
        #expect(transaction.author.scheme == scheme && transaction.networkKey.scheme == scheme)
        #expect(transaction.genesisHash.bytes == Fixtures.genesis && transaction.proof == nil)
        let parts = try #require(transaction.parts())
        #expect(Array(bytes[parts.call]) == [4, 3] && Array(bytes[parts.extensions]) == [0xaa, 0xbb, 0xcc])
    }

    @Test("the root itself has the empty path")
    func root() throws {
        let transaction = try Self.transaction([0x53, 1, 5] + Fixtures.derivedAuthor("") + Fixtures.body)
        #expect(transaction.author == .derived(root: .sr25519(Fixtures.alice), path: .root, scheme: .sr25519))
    }

    @Test("a proof stands between author and call", arguments: [GeneratedProof.remark, .transfer])
    func proof(known: GeneratedProof) throws {
        let bytes = Fixtures.payload(known)
        let transaction = try Self.transaction(bytes)
        let proof = try #require(transaction.proof)
        #expect(proof.range == 35..<35 + Fixtures.bytes(known.proof).count)
        #expect(try proof.digest().hash.hex == GeneratedProof.metadataHash)
        #expect(transaction.genesisHash.hex == known.genesis)
        let parts = try #require(transaction.parts())
        #expect(Hex.encode(bytes[parts.call]) == known.call)
        #expect(Hex.encode(bytes[parts.extensions]) == known.included + known.signed)
    }

    @Test("a derived key can come with a proof")
    func both() throws {
        let plain = try Self.transaction(Fixtures.payload(.transfer))
        let transaction = try Self.transaction(
            [0x53, 0, 7] + Fixtures.derivedAuthor("//0") + Fixtures.payload(.transfer).dropFirst(35))
        #expect(transaction.proof == plain.proof && transaction.genesisHash == plain.genesisHash)
        let path = try DerivationPath(parsing: "//0")
        #expect(transaction.author == .derived(root: .sr25519(Fixtures.alice), path: path, scheme: .ed25519))
    }

    @Test("a scheme that is none is refused", arguments: [5, 7], [4, 0xff] as [UInt8])
    func scheme(kind: UInt8, scheme: UInt8) {
        let error = #expect(throws: PayloadError.unknownScheme(scheme)) {
            try Payload([0x53, scheme, kind] + Fixtures.derivedAuthor("//0") + Fixtures.body)
        }
        #expect(error?.code == "Codec")
    }

    @Test(
        "a path that is none is refused",
        arguments: ["polkadot", "//", "/", "//a//", "//a///password", "//a\u{7}", "a//b"])
    func path(text: String) {
        let error = #expect(
            throws: PayloadError.malformedRecord(.invalidText(offset: 35, kind: "derivation path"))
        ) {
            try Payload([0x53, 1, 5] + Fixtures.derivedAuthor(text) + Fixtures.body)
        }
        #expect(error?.code == "Codec")
    }

    @Test("a path has its bound")
    func longPath() throws {
        let most = "//" + String(repeating: "a", count: 1022)
        #expect(throws: Never.self) { try Payload([0x53, 1, 5] + Fixtures.derivedAuthor(most) + Fixtures.body) }
        #expect(throws: PayloadError.malformedRecord(.lengthExceedsInput(offset: 35, claimed: 1025, available: 1024))) {
            try Payload([0x53, 1, 5] + Fixtures.derivedAuthor(most + "a") + Fixtures.body)
        }
    }

    @Test("an author that is cut is damage, a body that is cut is too short")
    func cuts() {
        let bytes = [0x53, 1, 5] + Fixtures.derivedAuthor("//0") + Fixtures.body
        let author = 3 + 32 + 4
        for end in 3..<bytes.count - 6 {
            let error = #expect(throws: PayloadError.self) { try Payload(Array(bytes[..<end])) }
            #expect(error?.code == (end < author ? "Codec" : "TooShort"), "cut at \(end)")
        }
    }

    @Test("what is no proof is refused as an unknown network, whoever signs")
    func noProof() {
        for head in [[0x53, 1, 6] + Fixtures.alice, [0x53, 1, 7] + Fixtures.derivedAuthor("//0")] {
            let error = #expect(throws: PayloadError.self) { try Payload(head + [0xff] + Fixtures.body) }
            guard case .malformedProof = error else {
                Issue.record("refused as \(String(describing: error))")
                continue
            }
            #expect(error?.code == "UnknownNetwork")
        }
    }

    @Test("a proof without a transaction behind it is too short")
    func proofOnly() {
        let bytes = Array(Fixtures.payload(.remark)[..<(35 + Fixtures.bytes(GeneratedProof.remark.proof).count)])
        #expect(throws: PayloadError.tooShort(found: bytes.count, needed: bytes.count + 32)) { try Payload(bytes) }
    }
}
