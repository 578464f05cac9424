import Substrate
import TestSupport
import Testing

@testable import Signer

@Suite("Transactions with a metadata proof")
struct ProofTests {
    /// A transfer on Polkadot Asset Hub whose proof is cut from its metadata.
    ///
    /// - Parameters:
    ///   - author: what stands behind the three leading bytes.
    ///   - hash: what is signed; nil for the right one.
    ///   - shown: what the proof says of the chain; nil for the truth.
    private func payload(
        _ chain: Chain, code: UInt8 = 0x06, author: [UInt8] = Person.alice, signing hash: Hash256? = nil,
        isChecked: Bool = true, showing shown: MetadataExtraInfo? = nil
    ) throws -> [UInt8] {
        let tree = try MerkleizedMetadata(chain.runtime)
        let info = try shown ?? MetadataExtraInfo(chain.runtime, Chain("statemint").specs)
        let choices = Chain.Choices(metadataHash: isChecked ? hash ?? tree.digest(info).hash : nil)
        let call = try chain.transfer(15_000_000_000)
        let proof = try tree.proof(call: call, extensions: chain.extensions(choices), extraInfo: info)
        return [0x53, 0x01, code] + author + proof + chain.body(call, choices)
    }

    /// The release without Polkadot Asset Hub.
    private func bundleWithout(_ chain: Chain) throws -> NetworkBundle {
        var bundle = try NetworkBundle.shipped()
        bundle.networks.removeAll { $0.specs.name == chain.specs.name }
        return bundle
    }

    @Test("it is read by the proof, and signed for call and extensions without the proof")
    func signed() throws {
        let chain = try Chain("statemint")
        let test = try TestVault()
        let vault = try test.withSeed()
        let author = try #require(vault.keys().first { $0.details.path == "//statemint" }).signer.publicKey
        let payload = try payload(chain, author: author)
        let answer = try vault.process(payload)
        #expect(answer.cards.method.map(\.line).last?.contains("1.5000000000 DOT") == true)
        #expect(answer.warningCodes.isEmpty && answer.risks.map(\.rule) == [.unknownDestination])
        #expect(answer.effects?.leaves.map(\.name) == ["Balances.transfer_keep_alive"])
        guard case .transaction(let signable, _)? = answer.requests.first?.content else {
            Issue.record("cannot be signed: \(answer.cards.error)")
            return
        }
        let hash = try MerkleizedMetadata(chain.runtime).digest(MetadataExtraInfo(chain.runtime, chain.specs)).hash
        let call = try chain.transfer(15_000_000_000)
        #expect(signable == call + chain.extensions(Chain.Choices(metadataHash: hash)))
        #expect(try test.sign(payload, in: vault).isValid(for: answer.requests))
    }

    @Test("a network that is not stored is shown as the proof has it; a stored key is not enabled in it")
    func unknownNetwork() throws {
        let chain = try Chain("statemint")
        let test = try TestVault(bundleWithout(chain))
        let vault = try test.withSeed()
        let author = try #require(vault.keys().first { $0.details.path == "//polkadot" }).signer.publicKey
        let answer = try vault.process(payload(chain, author: author))
        #expect(answer.network?.title == "statemint" && answer.network?.pathID == "//statemint")
        #expect(answer.network?.unit == "DOT" && answer.network?.decimals == 10)
        #expect(answer.cards.method.map(\.line).last?.contains("1.5000000000 DOT") == true)
        #expect(answer.warningCodes == ["NoNetworkID"] && answer.requests.isEmpty)
    }

    @Test("for a network that is not stored a derived key signs, and neither is stored")
    func derivedKey() throws {
        let chain = try Chain("statemint")
        let test = try TestVault(bundleWithout(chain))
        let vault = try test.withSeed()
        let (keys, networks) = try (vault.keys(), vault.networks())
        let payload = try payload(chain, code: 0x07, author: DerivationsPayload.root + Value.text("//Alice"))
        let answer = try vault.process(payload)
        let requests = answer.requests
        #expect(requests.map(\.key.signer) == [.sr25519(Person.alice)])
        #expect(answer.risks.map(\.rule).contains(.derivedOnTheFly))
        let typed = answer.confirmations.map(\.text)
        #expect(try test.sign(payload, in: vault, confirmations: typed).isValid(for: requests))
        #expect(try vault.keys() == keys && vault.networks() == networks)
        guard case .transactionSigned(let record)? = try vault.log().last?.entry.events.first else {
            Issue.record("not logged")
            return
        }
        #expect(record.networkName == "statemint")
    }

    @Test("where proof and stored record disagree, each difference is a warning, and the proof is shown")
    func mismatch() throws {
        var stored = try Chain("statemint")
        stored.specs.decimals = 12
        stored.specs.unit = "PLANCK"
        let answer = try stored.vault().process(payload(stored))
        #expect(
            answer.cards.warning.map(\.kind) == [
                .warning(.proofInfoMismatch(field: "decimals", proof: "10", stored: "12")),
                .warning(.proofInfoMismatch(field: "unit", proof: "DOT", stored: "PLANCK")),
            ])
        #expect(answer.cards.method.map(\.line).last?.contains("1.5000000000 DOT") == true)
        let risk = try #require(answer.risks.first { $0.rule == .proofInfoMismatch })
        #expect(risk.severity == .warn && risk.message.contains("(decimals 10, not 12; unit DOT, not PLANCK)"))
        #expect(answer.requests.count == 1)
        // What a proof says of its own amounts says nothing of another's.
        var other = answer
        other.network?.decimals = 12
        #expect(MemberTotals.all(of: [answer, other, answer]).map(\.calls) == [2, 1])
        other = answer
        other.network?.unit = "PLANCK"
        #expect(MemberTotals.all(of: [answer, other]).count == 2)
        #expect(MemberTotals.all(of: [answer, answer]).map(\.calls) == [2])
        let same = try Chain("statemint").vault().process(payload(Chain("statemint")))
        #expect(same.warningCodes.isEmpty && !same.risks.contains { $0.rule == .proofInfoMismatch })
    }

    @Test("a proof that lies about the amounts has another hash than what is signed")
    func lie() throws {
        let chain = try Chain("statemint")
        var info = MetadataExtraInfo(chain.runtime, chain.specs)
        let truth = try MerkleizedMetadata(chain.runtime).digest(info).hash
        info.decimals = 12
        let answer = try chain.vault().process(payload(chain, signing: truth, showing: info))
        #expect(answer.errorCode == "MetadataHashMismatch" && answer.requests.isEmpty)
    }

    @Test("the check of the hash cannot be switched off")
    func off() throws {
        let chain = try Chain("statemint")
        let answer = try chain.vault().process(payload(chain, isChecked: false))
        #expect(answer.errorCode == "MetadataHashDisabled" && answer.requests.isEmpty)
    }

    @Test("changed anywhere, it is refused or read, and only what does not bind the proof is still signed")
    func mauled() throws {
        let chain = try Chain("statemint")
        let vault = try chain.vault()
        let good = try payload(chain)
        let end = try good.count - chain.body(chain.transfer(15_000_000_000)).count - 33
        for position in stride(from: 35, to: end, by: 97) {
            var payload = good
            payload[position] ^= 1
            do {
                #expect(try vault.process(payload).requests.isEmpty, "\(position)")
            } catch is RefusedPayload {}
        }
    }

    @Test(
        "a captured transaction with proof is signed, alone and as a bulk of one",
        .enabled(if: SharedData.has("signer-wire/rfc78/valid_westend_transfer_with_proof.bin")))
    func captured() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        _ = try vault.deriveKey(
            seed: "demo", path: "//Alice", password: nil, network: vault.network(named: "westend"))
        for path in [
            "signer-wire/rfc78/valid_westend_transfer_with_proof.bin",
            "signer-wire/uos/payloads/valid_westend_transfer_with_proof_bulk.bin",
        ] {
            let payload = try SharedData.bytes(path)
            let requests = try vault.process(payload).requests
            #expect(requests.count == 1)
            let confirmations = try vault.process(payload).confirmations.map(\.text)
            #expect(try test.sign(payload, in: vault, confirmations: confirmations).isValid(for: requests))
        }
    }
}
