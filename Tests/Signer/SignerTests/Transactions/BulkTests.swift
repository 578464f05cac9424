import Airgap
import Substrate
import Testing
import TextForms

@testable import Signer

@Suite("Several transactions at once")
struct BulkTests {
    /// The demo seed's keys at the default paths.
    private func author(_ vault: Vault, _ path: String) throws -> [UInt8] {
        try #require(vault.keys().first { $0.details.path == path }).signer.publicKey
    }

    /// One transaction on Polkadot and one on Westend, by different keys.
    private func members(_ vault: Vault) throws -> [[UInt8]] {
        let (polkadot, westend) = try (Chain("polkadot"), Chain("westend"))
        return [
            try polkadot.payload(polkadot.transfer(), by: author(vault, "//polkadot")),
            try westend.payload(westend.transfer(), by: author(vault, "//westend")),
        ]
    }

    /// Moving codes put together again, repair symbols among them.
    private func join(_ codes: TransferSender) throws -> [UInt8] {
        #expect(codes.contentSize == 8 + 128 && codes.isEndless)
        let reader = TransferReader(numbering: .vault)
        var number = 1
        while true {
            if case .payload(let payload) = try reader.read(codes.content(number)) { return payload }
            number += 1
            try #require(number < 100)
        }
    }

    @Test("one yes signs all of them, each with its own key, and the answer lists the signatures in order")
    func signed() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let payload = Chain.bulk(try members(vault))
        let answer = try vault.process(payload)
        guard case .signBulk(let requests) = answer.action else {
            Issue.record("cannot be signed")
            return
        }
        #expect(answer.items.map { $0.network?.name } == ["polkadot", "westend"])
        #expect(answer.items.allSatisfy { !$0.cards.method.isEmpty })
        #expect(requests.map(\.key.details.path) == ["//polkadot", "//westend"])
        let signed = try test.sign(payload, in: vault)
        #expect(signed.isValid(for: requests))
        let record: [UInt8] =
            [0x04, 2 << 2]
            + signed.signatures.flatMap { signature -> [UInt8] in
                [0x01] + signature.signature
            }
        #expect(try join(signed.codes()) == record)
        #expect(signed.text == Hex.encode(record))
    }

    @Test("they are one entry of the log, with an event for each")
    func logged() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let count = try vault.log().count
        _ = try test.sign(Chain.bulk(members(vault)), in: vault)
        let log = try vault.log()
        #expect(log.count == count + 1)
        let names = log.last?.entry.events.map { event in
            if case .transactionSigned(let record) = event { record.networkName } else { event.name }
        }
        #expect(names == ["polkadot", "westend"])
    }

    @Test("a bulk of one answers like a single transaction")
    func one() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let member = try members(vault)[0]
        let signed = try test.sign(Chain.bulk([member]), in: vault)
        #expect(signed.text.count == 130 && signed.text.hasPrefix("01"))
        #expect(try signed.codes().content(0) == Array(signed.text.utf8) && signed.codes().sourceCount == 1)
        #expect(signed.isValid(for: try vault.process(member).requests))
    }

    @Test("one member that is refused keeps all from being signed, and is named")
    func refusedMember() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let good = try members(vault)
        let westend = try Chain("westend")
        let unread = try westend.payload(
            westend.transfer(), Chain.Choices(specVersion: 9123), by: author(vault, "//westend"))
        let before = try test.files()
        do {
            _ = try vault.process(Chain.bulk([good[0], unread, good[1]]))
            Issue.record("not refused")
        } catch let error as RefusedPayload {
            #expect(error.code == "AllExtensionsParsingFailed" && "\(error)".contains("Transaction 2 of the bulk"))
        }
        #expect(try test.files() == before)
    }

    @Test("one member that can only be read keeps all from being signed, and is shown")
    func readMember() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let good = try members(vault)
        let westend = try Chain("westend")
        let foreign = try westend.payload(westend.transfer(), by: Person.alice)
        let payload = Chain.bulk(good + [foreign])
        let answer = try vault.process(payload)
        guard case .read = answer.action else {
            Issue.record("may be signed")
            return
        }
        #expect(answer.refusedMember == 2 && answer.requests.isEmpty && answer.items.isEmpty)
        #expect(answer.warningCodes == ["AuthorNotFound"] && !answer.cards.method.isEmpty)
        let count = try vault.log().count
        #expect(throws: SignerError.notToBeSigned) { try test.sign(payload, in: vault) }
        #expect(try vault.log().count == count)
    }

    @Test("messages, bulks, nothing and bytes behind the end are refused")
    func malformed() throws {
        let vault = try TestVault().withSeed()
        let good = try members(vault)
        let message = try [0x53, 1, 3] + author(vault, "//westend") + Array("<Bytes>a</Bytes>".utf8)
        let genesis = try Chain("westend").specs.genesisHash.bytes
        for (payload, code) in [
            (Chain.bulk([]), "Codec"), (Chain.bulk(good) + [0], "Codec"), (Chain.bulk(good).dropLast(), "Codec"),
            (Chain.bulk([good[0], message + genesis]), "PayloadNotSupported"),
            (Chain.bulk([Chain.bulk(good)]), "PayloadNotSupported"),
        ] as [([UInt8], String)] {
            do {
                _ = try vault.process(payload)
                Issue.record("not refused: \(code)")
            } catch let error as RefusedPayload {
                #expect(error.code == code)
            }
        }
    }

    @Test("a danger in one member is confirmed before any is signed")
    func danger() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let chain = try Chain("polkadot")
        let dangerous = try chain.payload(
            chain.call("Proxy", method: "create_pure", arguments: [0], [0, 0, 0, 0], [0, 0]),
            by: author(vault, "//polkadot"))
        let payload = Chain.bulk(try members(vault) + [dangerous])
        #expect(try vault.process(payload).confirmations.map(\.text) == ["create_pure"])
        let before = try vault.log().count
        #expect(throws: SignerError.riskNotConfirmed) { try test.sign(payload, in: vault) }
        #expect(try vault.log().count == before)
        #expect(try test.sign(payload, in: vault, confirmations: ["create_pure"]).signatures.count == 3)
    }

    @Test("a danger is asked for with the number of its transaction, and for each of two by itself")
    func dangersOfMembers() throws {
        let chain = try Chain("polkadot")
        let vault = try chain.vault()
        let (safe, all) = try (
            chain.payload(chain.remark("a")),
            chain.payload(chain.call("Proxy", method: "create_pure", arguments: [0], [0, 0, 0, 0], [0, 0]))
        )
        let asked = try vault.process(Chain.bulk([safe, all, all])).confirmations
        #expect(asked.map(\.member) == [2, 3] && asked.map(\.text) == ["create_pure", "create_pure"])
        #expect(asked.missing(from: ["create_pure"]).map(\.member) == [3])
    }

    @Test("each key has its own password, and a wrong one signs none")
    func passwords() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let chain = try Chain("polkadot")
        func key(_ path: String, password: String) throws -> MultiSigner {
            try vault.deriveKey(
                seed: "demo", path: path, password: TestVault.secret(password), network: chain.specs
            ).signer
        }
        let (first, second) = try (key("//a", password: "first"), key("//b", password: "second"))
        let payload = Chain.bulk(
            try members(vault)
                + [first, second, first].map { try chain.payload(chain.transfer(), by: $0.publicKey) })
        var proposal = try vault.propose(payload)
        let requests = proposal.answer.requests
        #expect(requests.map(\.needsPassword) == [false, false, true, true, true])
        let count = try vault.log().count
        // Each the other's.
        #expect(throws: SignerError.wrongPassword(attemptsLeft: 2)) {
            try vault.sign(
                &proposal,
                passwords: [first: TestVault.secret("second"), second: TestVault.secret("first")], comment: "")
        }
        let failure = try #require(try vault.log().last)
        #expect(try vault.log().count == count + 1)
        #expect(failure.entry.events.map(\.name) == ["TransactionSignError"])
        let signed = try vault.sign(
            &proposal,
            passwords: [first: TestVault.secret("first"), second: TestVault.secret("second")], comment: "")
        #expect(signed.isValid(for: requests))
    }
}
