import Foundation
import Substrate
import TestSupport
import Testing
import TextForms

@testable import Signer

@Suite("Payloads and signing")
struct SigningTests {
    private func sign(_ payload: [UInt8], with vault: Vault) throws -> SignedAnswer {
        var proposal = try vault.propose(payload)
        return try vault.sign(&proposal, comment: "to Bob")
    }

    @Test("a transaction of an own key is shown, signed, and logged before the signature is out")
    func transaction() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let payload = try TestVault.transfer()
        let answer = try vault.process(payload)
        guard case .sign(let request) = answer.action, case .transaction(let signable, _) = request.content else {
            Issue.record("cannot be signed")
            return
        }
        #expect(answer.cards.method.map(\.line).last?.contains("100.000000000 mWND") == true)
        var proposal = try vault.propose(payload)
        let signed = try vault.sign(&proposal, comment: "to Bob")
        #expect(signed.text.count == 130 && signed.text.hasPrefix("01"))
        #expect(
            SignatureVerifier.isValid(
                signature: signed.signatures[0].signature, message: SigningPayload.message(for: signable),
                publicKey: request.key.signer.publicKey, scheme: .sr25519))
        guard case .transactionSigned(let record)? = try vault.log().last?.entry.events.first else {
            Issue.record("not logged")
            return
        }
        #expect(record.networkName == "westend" && record.comment == "to Bob")
        // It can be signed once.
        #expect(throws: SignerError.nothingPending) {
            try vault.sign(&proposal, comment: "")
        }
    }

    @Test("a message is signed whole and answered without the kind of signature")
    func message() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let text = Array("<Bytes>hello</Bytes>".utf8)
        let key = Hex.decode("3efeca331d646d8a2986374bb3bb8d6e9e3cfcdd7c45c2b69104fab5d61d3f34") ?? []
        let genesis = try vault.network(named: "westend").genesisHash.bytes
        for payload in [[0x53, 1, 3] + key + text + genesis, [0x53, 1, 8] + key + text] {
            #expect(try vault.process(payload).cards.message.map(\.line) == ["text: hello"])
            let signed = try sign(payload, with: vault)
            #expect(signed.text.count == 128)
            #expect(
                SignatureVerifier.isValid(
                    signature: signed.signatures[0].signature, message: text, publicKey: key, scheme: .sr25519))
        }
    }

    @Test("a message for any chain is signed in the scheme that it names, or refused where the row is for another")
    func messageSchemes() throws {
        var bundle = try NetworkBundle.shipped(metadataOf: { _ in false })
        var ecdsa = try #require(bundle.networks.map(\.specs).first { $0.name == "westend" })
        (ecdsa.scheme, ecdsa.title) = (.ecdsa, "Westend ecdsa")
        var ethereum = ecdsa
        (ethereum.scheme, ethereum.title) = (.ethereum, "Westend ethereum")
        bundle.networks += [ecdsa, ethereum].map { NetworkBundle.Network(specs: $0, metadata: []) }
        let test = try TestVault(bundle)
        let vault = try test.withSeed()
        let text = Array("<Bytes>hello</Bytes>".utf8)
        for network in [ecdsa, ethereum] {
            let key = try vault.deriveKey(
                seed: "demo", path: "//\(network.scheme.name)", password: nil, network: network)
            let authors: [(SignatureScheme, [UInt8])] = [
                (.ecdsa, key.signer.publicKey), (.ethereum, try #require(key.signer.ethereumAddress)),
            ]
            for (scheme, author) in authors {
                let payload = [0x53, scheme.rawValue, 8] + author + text
                guard scheme == network.scheme else {
                    let refused = #expect(throws: RefusedPayload.self) { try vault.process(payload) }
                    #expect(refused?.code == "AddrNotFound", "\(scheme) by a row of \(network.scheme)")
                    continue
                }
                let signed = try sign(payload, with: vault)
                #expect(
                    SignatureVerifier.isValid(
                        signature: signed.signatures[0].signature, message: text, publicKey: key.signer.publicKey,
                        scheme: scheme))
            }
        }
    }

    @Test("a payload that is refused leaves every byte of the vault as it was")
    func refused() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let before = try test.files()
        let good = try TestVault.transfer()
        var unknownNetwork = good
        unknownNetwork[unknownNetwork.count - 1] ^= 1
        for payload in [
            [], [0x53], good.dropLast(40).map { $0 }, unknownNetwork, try TestVault.transfer(specVersion: 9123),
        ] {
            #expect(throws: RefusedPayload.self) { try vault.process(payload) }
        }
        #expect(try test.files() == before)
    }

    @Test("a transaction of another version says which is needed and which is held")
    func wrongVersion() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        for (version, advice) in [(9123 as UInt32, "Get metadata"), (9121, "Reload the wallet")] {
            do {
                _ = try vault.process(TestVault.transfer(specVersion: version))
                Issue.record("not refused")
            } catch let error as RefusedPayload {
                #expect(error.code == "AllExtensionsParsingFailed")
                #expect("\(error)".contains("\(version)") && "\(error)".contains("9122") && "\(error)".contains(advice))
            }
        }
    }

    @Test("an unknown author's transaction can be read and not signed")
    func unknownAuthor() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let payload = try TestVault.transfer(author: String(repeating: "11", count: 32))
        let answer = try vault.process(payload)
        guard case .read = answer.action else {
            Issue.record("can be signed")
            return
        }
        #expect(answer.cards.warning.map(\.line) == ["warning: AuthorNotFound"])
        #expect(!answer.cards.method.isEmpty)
        #expect(throws: SignerError.notToBeSigned) { try sign(payload, with: vault) }
    }

    @Test("a key signs only in networks that it is enabled in")
    func isolation() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        // The root is stored, and in no network.
        let root = "46ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a"
        let answer = try vault.process(TestVault.transfer(author: root))
        guard case .read = answer.action else {
            Issue.record("can be signed")
            return
        }
        #expect(answer.cards.warning.map(\.line) == ["warning: NoNetworkID"])
    }

    @Test("anything that changed since the transaction was shown stops the signature")
    func changedState() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        var proposal = try vault.propose(TestVault.transfer())
        _ = try vault.deriveKey(
            seed: "demo", path: "//x", password: nil, network: vault.network(named: "kusama"))
        #expect(throws: SignerError.checksumMismatch) { try vault.sign(&proposal, comment: "") }
        #expect(try vault.pendingPayload() == nil)
        #expect(throws: SignerError.nothingPending) { try vault.sign(&proposal, comment: "") }
    }

    @Test("what was shown before is not signed where something else waits, and neither is that then")
    func otherItem() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let root = "46ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a"
        let message = [0x53, 1, 8] + (Hex.decode(root) ?? []) + Array("<Bytes>hello</Bytes>".utf8)
        var first = try vault.propose(TestVault.transfer())
        var second = try vault.propose(message)
        #expect(throws: SignerError.checksumMismatch) { try vault.sign(&first, comment: "") }
        #expect(throws: SignerError.nothingPending) { try vault.sign(&second, comment: "") }
    }

    @Test("a comment that the log does not take signs nothing, and what was shown goes on waiting")
    func comment() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        var proposal = try vault.propose(TestVault.transfer())
        let before = try vault.state()
        #expect(throws: SignerError.commentTooLong(limit: 1024)) {
            try vault.sign(&proposal, comment: String(repeating: "a", count: 1025))
        }
        #expect(throws: SignerError.commentInvalid) { try vault.sign(&proposal, comment: "to\u{1b}[2J Bob") }
        #expect(try vault.state() == before)
        _ = try vault.sign(&proposal, comment: String(repeating: "a", count: 1024))
    }

    @Test("a password is tried for what was shown and waits, and for nothing else")
    func passwordOfAnother() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let key = try vault.deriveKey(
            seed: "demo", path: "//locked", password: TestVault.secret("right"),
            network: vault.network(named: "westend"))
        var proposal = try vault.propose(TestVault.transfer(author: Hex.encode(key.signer.publicKey)))
        try vault.addComment("something else")
        #expect(throws: SignerError.checksumMismatch) {
            try vault.checkPassword(TestVault.secret("right"), ofItem: 0, in: &proposal, comment: "")
        }
        #expect(try vault.pendingPayload() == nil)
    }

    @Test("a password that came for a key without one is no part of it")
    func passwordForNothing() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let key = try #require(try vault.keys().first { $0.details.path == "//westend" })
        _ = try test.sign(TestVault.transfer(), in: vault, passwords: [key.signer: TestVault.secret("none")])
    }

    @Test("within a session a wrong PIN signs nothing and loses nothing, and the right one is asked for once")
    func wrongCredential() throws {
        let test = try TestVault(hasPIN: true)
        try test.beginSession(withSeed: true)
        let vault = try test.open()
        var proposal = try vault.propose(TestVault.transfer())
        let before = try test.files().filter { $0.key != "key/attempts.mk" }
        test.person.pin = try TestVault.secret("wrong one")
        #expect(throws: SignerError.vaultKey(.wrongCredential(attemptsLeft: 9))) {
            try vault.sign(&proposal, comment: "")
        }
        #expect(try test.files().filter { $0.key != "key/attempts.mk" } == before)
        test.person.pin = test.pin
        _ = try vault.sign(&proposal, comment: "")
        _ = try test.sign(TestVault.transfer(), in: vault)
        #expect(test.person.reasons == [.seeds, .seeds])
    }

    @Test("a wrong password is logged, may be tried three times, and then drops the transaction")
    func passwords() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let westend = try vault.network(named: "westend")
        let key = try vault.deriveKey(
            seed: "demo", path: "//locked", password: TestVault.secret("right"), network: westend)
        let payload = try TestVault.transfer(author: Hex.encode(key.signer.publicKey))
        var proposal = try vault.propose(payload)
        let first = proposal
        #expect(throws: SignerError.wrongPassword(attemptsLeft: 2)) {
            try vault.sign(&proposal, passwords: [key.signer: TestVault.secret("wrong")], comment: "")
        }
        // The log has grown, so the old binding no longer holds and the new one does.
        #expect(proposal.itemID != nil && proposal.itemID != first.itemID)
        _ = try vault.sign(&proposal, passwords: [key.signer: TestVault.secret("right")], comment: "")
        proposal = try vault.propose(payload)
        for left in [2, 1, 0] {
            #expect(throws: SignerError.wrongPassword(attemptsLeft: left)) { try vault.sign(&proposal, comment: "") }
        }
        #expect(proposal.itemID == nil)
        #expect(try vault.log().last?.entry.isDangerous == true)
    }

    @Test("what an earlier run left pending is gone when the vault is opened")
    func leftOver() throws {
        let test = try TestVault()
        do {
            let vault = try test.withSeed()
            _ = try vault.propose(TestVault.transfer())
            #expect(try vault.pendingPayload() == TestVault.transfer())
        }
        #expect(try test.open().pendingPayload() == nil)
    }

    @Test("random and mauled payloads are answered or refused, and never trap")
    func mauled() throws {
        let vault = try TestVault().withSeed()
        let good = try TestVault.transfer()
        var generator = SplitMix64(state: 15)
        for _ in 0..<3000 {
            var payload = good
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                payload[Int.random(in: 0..<payload.count, using: &generator)] ^=
                    1 << UInt8.random(in: 0..<8, using: &generator)
            }
            if Bool.random(using: &generator) {
                payload.removeLast(Int.random(in: 0...payload.count, using: &generator))
            }
            do { _ = try vault.process(payload) } catch is RefusedPayload {}
        }
    }
}

@Suite("Log checks")
struct LogTests {
    @Test("the log knows its earlier digests and no others")
    func contains() throws {
        let test = try TestVault()
        let before = try test.open().verifyLog().digest
        let vault = try test.withSeed()
        #expect(try vault.verifyLog(contains: before).containsAt == 1)
        #expect(try vault.verifyLog(contains: [UInt8](repeating: 7, count: 32)).containsAt == nil)
    }

    @Test("a changed entry is damage")
    func tampered() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        try vault.database.write { trees in
            let entry = HistoryEntry(timestamp: "2025-11-21 00:00:00.5", events: [.userEntry("forged")])
            try trees.put(.history, key: HistoryLog.key(order: 0), value: entry.scaleEncoded)
        }
        #expect(throws: SignerError.databaseDamaged(.log)) { try vault.log() }
    }

    @Test("a file that is no database is damage, and is left alone")
    func garbage() throws {
        let test = try TestVault()
        let path = test.folder.appending(path: "vault.sqlite")
        let garbage = Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 * 31) })
        try garbage.write(to: path)
        #expect(throws: SignerError.self) { try test.open() }
        #expect(try Data(contentsOf: path) == garbage)
    }

    @Test("a vault of a newer schema is refused untouched")
    func newerSchema() throws {
        let test = try TestVault()
        try test.open().database.write { try $0.put(.settings, key: Setting.schemaVersion.key, value: [4, 0, 0, 0]) }
        let before = try test.files()
        #expect(throws: SignerError.dbSchemaMismatch(expected: 3, found: 4)) { try test.open() }
        #expect(try test.files() == before)
    }
}
