import Airgap
import Foundation
import Substrate
import Testing

@testable import Signer

@Suite("While seeds are open, the validator goes on vouching")
struct VouchingTests {
    let vault: BoundVault

    init() throws { vault = try BoundVault() }

    @Test("without binding, a vault needs the word of a validator that is pinned all the same, once as it opens")
    func unbound() throws {
        let vault = try BoundVault(isBound: false)
        let asked = try vault.open()
        #expect(try asked.seedNames() == ["demo"] && vault.validator.count == 1)
        vault.validator.alert(FakeValidator.silence)
        vault.validator.refuse()
        #expect(vault.refusal { _ = try asked.revealSeed(named: "demo") } == FakeValidator.silence)
        #expect(vault.refusal { _ = try vault.test.sign(TestVault.transfer(), in: asked) } == FakeValidator.silence)
        #expect(
            vault.refusal {
                _ = try asked.deriveKey(
                    seed: "demo", path: "//one", password: nil, network: asked.network(named: "westend"))
            } == FakeValidator.silence)
        vault.validator.give(nil)
        _ = try vault.test.sign(TestVault.transfer(), in: asked)
    }

    @Test("each signature takes a new word, and so does what follows a wait")
    func fresh() throws {
        let open = try vault.open()
        let before = vault.validator.count
        _ = try vault.test.sign(TestVault.transfer(), in: open)
        #expect(vault.validator.count == before + 1)
        open.whileWaiting {}
        #expect(try open.key?.verdict()?.levels == ["L0", "L1"] && vault.validator.count == before + 2)
        #expect(try open.key?.verdict() != nil && vault.validator.count == before + 2)
        vault.validator.refuse()
        #expect(vault.refusal { _ = try vault.test.sign(TestVault.transfer(), in: open) } == FakeValidator.silence)
    }

    @Test("a word that is taken back after the seeds were opened stops the signature, and the vault forgets its key")
    func alert() throws {
        let open = try vault.open()
        // First the session of the opening ends, then the one of this signature is asked.
        vault.validator.alert(atRenewal: 2)
        let entries = try open.log().count
        #expect(vault.refusal { _ = try vault.test.sign(TestVault.transfer(), in: open) } == FakeValidator.taken)
        #expect(open.key?.engine.state == .locked)
        #expect(try open.log().count == entries)
        _ = try vault.test.sign(TestVault.transfer(), in: open)
    }

    @Test("one that is taken back stops what shows or derives a seed as well")
    func alertForSeeds() throws {
        let open = try vault.open()
        for use in [
            { _ = try open.revealSeed(named: "demo") }, { _ = try open.preview(ofSeed: "demo", password: nil) },
            {
                _ = try open.deriveKey(
                    seed: "demo", path: "//one", password: nil, network: open.network(named: "westend"))
            },
        ] {
            _ = try open.seedNames()
            vault.validator.alert()
            #expect(vault.refusal { try use() } == FakeValidator.taken)
            #expect(open.key?.engine.state == .locked)
        }
    }

    @Test("one that is taken back stops what hands out a secret, makes keys, takes something in or vouches for it")
    func alertForChanges() throws {
        let open = try vault.open()
        let westend = try open.network(named: "westend")
        let key = try #require(try open.keys().first { $0.details.path == "//westend" }).signer
        var other = westend
        (other.genesisHash, other.name, other.title) = (Hash256(unchecked: [UInt8](repeating: 7, count: 32)), "o", "o")
        let update = try VaultUpdatesTests.payload(.specs(other), by: VaultUpdatesTests.pair(1))
        let paths = PathImport(network: westend.key, paths: ["//path"]).payload
        let address = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
        let keys = DerivationsPayload.export([
            .init(address: address, path: "//Alice", network: westend.genesisHash)
        ])
        let addresses = DerivationsPayload.request([("//Bob", .sr25519, westend.genesisHash)])
        for (payload, use) in [
            (nil, { _ in _ = try open.exportSecret(of: key, in: westend.key) }),
            (nil, { _ in _ = try open.increment(key, in: westend.key, count: 1) }),
            (nil, { _ in _ = try open.split(seed: "demo", plan: .proposed) }),
            (nil, { _ in try open.blockNetwork(westend.genesisHash) }), (update, { try open.acceptUpdate($0) }),
            (paths, { try open.importPaths($0, belowSeed: "demo") }), (keys, { try open.importDerivations($0) }),
            (addresses, { _ = try open.shareDerivations($0) }),
        ] as [([UInt8]?, (Proposal) throws -> Void)] {
            _ = try open.seedNames()
            let proposal = try open.propose(payload ?? update)
            let before = try open.state()
            vault.validator.alert()
            #expect(vault.refusal { try use(proposal) } == FakeValidator.taken)
            #expect(open.key?.engine.state == .locked)
            #expect(try open.state() == before)
        }
        // A new word is asked for here, behind the end of the one of before.
        vault.validator.alert(atRenewal: 2)
        #expect(vault.refusal { _ = try open.vouch(for: .specs(westend), with: key) } == FakeValidator.taken)
    }

    @Test(
        "found out while the program waits, the vault locks at once; said meanwhile, it is heard before a new word counts"
    )
    func waiting() throws {
        let open = try vault.open()
        open.whileWaiting {
            vault.validator.alert(isHeard: true)
            #expect(open.key?.engine.state == .locked)
        }
        // Only heard when it is asked: a new conversation would find nothing.
        let again = try vault.open(.read)
        again.whileWaiting { vault.validator.alert() }
        #expect(vault.refusal { try again.key?.confirm() } == FakeValidator.taken)
        #expect(again.key?.engine.state == .locked)
    }

    @Test("a session whose time is over is no alert: the validator is asked anew")
    func expired() throws {
        let open = try vault.open()
        open.whileWaiting { vault.validator.expire() }
        _ = try vault.test.sign(TestVault.transfer(), in: open)
        _ = try open.seedNames()
        let count = vault.validator.count
        vault.validator.expire()
        _ = try open.revealSeed(named: "demo")
        #expect(vault.validator.count == count + 1)
    }

    @Test("when a session's time is over while the program waits, the validator looks on in another one")
    func renewed() throws {
        let open = try vault.open()
        _ = try open.seedNames()
        open.whileWaiting {
            for _ in 0..<2 {
                let count = vault.validator.count
                vault.validator.expire(isHeard: true)
                #expect(vault.validator.count == count + 1)
                #expect(open.key?.engine.state == .unlocked)
            }
            vault.validator.alert(isHeard: true)
            #expect(open.key?.engine.state == .locked)
            // Nobody has to look on over a vault that is locked.
            let count = vault.validator.count
            vault.validator.expire(isHeard: true)
            #expect(vault.validator.count == count)
        }
    }

    @Test("where no validator, or another one, looks on then, the vault locks")
    func notRenewed() throws {
        for change: (FakeValidator) throws -> Void in [
            { $0.refuse() }, { $0.unpin() }, { $0.change(keyID: String(repeating: "cd", count: 32)) },
        ] {
            let vault = try BoundVault()
            let open = try vault.open()
            _ = try open.seedNames()
            try open.whileWaiting {
                try change(vault.validator)
                vault.validator.expire(isHeard: true)
                #expect(open.key?.engine.state == .locked)
            }
        }
    }

    @Test("opened by the recovery code, nobody is asked")
    func recovered() throws {
        try vault.typeRecoveryCode()
        let open = try vault.open()
        let (count, renewals) = (vault.validator.count, vault.validator.renewals)
        _ = try vault.test.sign(TestVault.transfer(), in: open)
        #expect(vault.validator.count == count && vault.validator.renewals == renewals)
    }
}
