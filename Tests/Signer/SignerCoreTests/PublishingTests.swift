import Airgap
import Navigator
import Signer
import Substrate
import Testing
import TextForms

@testable import SignerCore

/// Signing what this vault refused, for other vaults.
@Suite("Publishing what was refused")
struct PublishingTests {
    private func scan(_ payload: [UInt8], in test: TestCore) throws -> TransactionData {
        try test.act(.start)
        try test.act(.navbarScan)
        guard case .transaction(let data) = try test.act(.transactionFetched, Hex.encode(payload)).screen else {
            throw CoreError.notPending
        }
        return data
    }

    private func alice(general: UInt8?, hasMetadata: Bool) throws -> TestCore {
        let test = try Provocation.makeCore(general: general, hasMetadata: hasMetadata)
        _ = try test.recoverAlice()
        return test
    }

    @Test(
        "metadata that the vault refuses are shown in full, signed and written nowhere; others take them by that word")
    func metadata() throws {
        let test = try alice(general: 1, hasMetadata: true)
        let vault = try Provocation.openVault(test)
        let payload = try Provocation.metadata { try $0.rename("Vesting", to: "Resting") }
        let refused = try scan(payload, in: test)
        #expect(refused.refusal?.code == "NeedGeneralVerifier" && refused.canBePublished && refused.kind == "Read")
        let state = try vault.networkList()
        let page = try test.act(.signAsPublisher)
        guard case .signSufficientCrypto(let data) = page.screen, let content = data.refused else {
            Issue.record("not offered: \(page.errorCode ?? "")")
            return
        }
        #expect(page.rule == "T301" && page.position == Position(.signSufficientCrypto))
        #expect(content.kind == "metadata" && content.name == "westend" && content.version == 9122)
        #expect(content.genesis == Provocation.westendGenesis && content.comparison?.version == 9122)
        let changes = Set(content.comparison?.pallets.map { "\($0.name) \($0.kind)" } ?? [])
        #expect(changes.isSuperset(of: ["Resting added", "Vesting removed"]))
        // The same version is here, and is another.
        #expect(content.comparison?.otherDigest == state.first { $0.specs.name == "westend" }?.metadata.first?.hash.hex)
        let key = try #require(data.keys.first { $0.path == "//westend" })
        let signed = try test.act(.goForward, key.addressKey)
        guard case .sufficientCryptoReady(let ready)? = signed.modal else {
            Issue.record("not signed: \(signed.errorCode ?? "")")
            return
        }
        #expect(ready.content == "the metadata westend9122, which this vault refused")
        #expect(try vault.networkList().map(\.metadata) == state.map(\.metadata))
        #expect(try vault.log().last?.events.first?.hasPrefix("MetadataSigned westend9122") == true)
        // Whoever follows that key takes it.
        guard case .update(let update) = try Payload(payload) else { throw CoreError.notPending }
        let crypto = try SufficientCrypto(scaleEncoded: ready.code.content)
        let published = UpdatePayload.payload(update.content, vouchedBy: crypto)
        guard case .update(let read) = try Payload(published) else { throw CoreError.notPending }
        #expect(Hex.encode(read.signer?.publicKey ?? []) == key.publicKey)
        // Nothing of it is left behind the page.
        let left = try test.act(.goBack)
        #expect(left.position == Position(.settings))
        #expect(try test.core.breaches() == [])
    }

    @Test("the way back from there is to the scanner, without anything kept")
    func back() throws {
        let test = try alice(general: 1, hasMetadata: false)
        _ = try scan(Provocation.specs(Provocation.orion, by: 3) { $0.decimals = 18 }, in: test)
        // A network of a verifier of its own is taken: it waits for a yes, and is not refused.
        #expect(try test.act(.signAsPublisher).position == Position(.transaction))
        _ = try scan(Provocation.specs(Provocation.shipped("westend").specs) { $0.title = "West" }, in: test)
        let page = try test.act(.signAsPublisher)
        guard case .signSufficientCrypto(let data) = page.screen else { throw CoreError.notPending }
        #expect(
            data.refused?.fields?["title"] == "West" && data.content == "the network westend, which this vault refused")
        let back = try test.act(.goBack)
        #expect(back.rule == "T302" && back.position == Position(.scan))
        #expect(try test.act(.signAsPublisher).position == Position(.scan))
    }

    @Test("what is no update, is not signed by whom it says, or cannot be what it says is not offered")
    func notOffered() throws {
        let test = try alice(general: 1, hasMetadata: false)
        var forged = try Provocation.specs(Provocation.orion, by: 1)
        forged[forged.count - 1] ^= 1
        let payloads = [
            forged, Hex.decode(Provocation.transfer) ?? [], Provocation.message("hello"), [0x53],
            try Provocation.specs(Provocation.orion) { $0.decimals = 39 },
            try Provocation.metadata { $0.removeLast() },
        ]
        for payload in payloads {
            let data = try scan(payload, in: test)
            #expect(data.refusal != nil && !data.canBePublished)
            #expect(try test.act(.signAsPublisher).position == Position(.transaction))
        }
    }

    @Test("a key whose secret may be out signs for others only behind the end of what is shown of it")
    func exposed() throws {
        let test = try Provocation.alice(confirmsDangers: true)
        try test.act(.networkSelector)
        guard case .keys(let keys) = try test.act(.changeNetwork, TestCore.westend).screen else {
            throw CoreError.notPending
        }
        let key = try #require(keys.keys.first).addressKey
        try test.act(.selectKey, key)
        try test.act(.rightButtonAction)
        #expect(try test.act(.exportSecret).position.modal == .exportSecret)
        try test.act(.goBack)
        try test.act(.goBack)
        try test.act(.navbarSettings)
        try test.act(.manageNetworks)
        try test.act(.goForward, TestCore.westend)
        try test.act(.rightButtonAction)
        #expect(try test.act(.signNetworkSpecs).position == Position(.signSufficientCrypto))
        let asked = try test.act(.goForward, key)
        guard case .confirmRisk(let question)? = asked.modal else {
            Issue.record("not asked: \(asked.rule ?? "")")
            return
        }
        #expect(asked.rule == "T303" && question.code == "ExposedKey" && question.left == 1)
        #expect(question.question == "Type the last 5 characters of the public key that signs.")
        #expect(try test.act(.goForward, "").errorCode == "RiskNotAcknowledged")
        try test.act(.goBack)
        #expect(try test.act(.goBack).position == Position(.signSufficientCrypto))
        #expect(try test.act(.goForward, key).rule == "T303", "nothing was typed")
        let typed = try test.act(.goForward, String(key.suffix(5)))
        #expect(typed.rule == "T304" && typed.position == Position(.signSufficientCrypto))
        #expect(try test.act(.goForward, key).position.modal == .sufficientCryptoReady)
        #expect(try test.core.breaches() == [])
    }

    @Test("on a machine that was online it is shown, and not signed")
    func online() throws {
        let test = try alice(general: 1, hasMetadata: false)
        _ = try scan(Provocation.specs(Provocation.shipped("westend").specs) { $0.title = "West" }, in: test)
        test.host.setDetector(.wasOnline)
        guard case .signSufficientCrypto(let data) = try test.act(.signAsPublisher).screen else {
            throw CoreError.notPending
        }
        let key = try #require(data.keys.first { $0.path == "//westend" })
        #expect(try test.act(.goForward, key.addressKey).position.alert == .shield)
    }
}
