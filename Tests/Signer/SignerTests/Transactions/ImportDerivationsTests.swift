import Airgap
import SecretMemory
import Substrate
import TestSupport
import Testing
import TextForms

@testable import Signer

@Suite("Imports of derived keys")
struct ImportDerivationsTests {
    /// Captured: one key of the development phrase, `//westend//0` on Westend, exported as `my seed`.
    private static let captured =
        Hex.decode(
            "53ffde00041c6d7920736565640146ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a04c03548476942634667"
                + "45424d6754364745756f395341393873426e4767774874504b44586955756b5436617143724b457801302f2f77657374656e642f2f30"
                + "01e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e") ?? []
    private static let bob = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
    private static let alice = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"

    private func groups(_ payload: [UInt8], _ vault: Vault) throws -> [DerivationsPreview] {
        let answer = try vault.process(payload)
        guard case .importDerivations = answer.action,
            case .derivations(let groups)? = answer.cards.derivations.first?.kind
        else { throw SignerError.nothingPending }
        return groups
    }

    private func genesis() throws -> Hash256 { try Chain("westend").specs.genesisHash }

    @Test("a key whose address is what its path gives is shown under our name for the seed, and imported once")
    func imported() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let (count, log) = try (vault.keys().count, vault.log().count)
        let group = try #require(try groups(Self.captured, vault).first)
        #expect(group.name == "demo" && group.keys.map(\.status) == [.importable])
        let found = try vault.importDerivations(vault.propose(Self.captured))
        #expect(found.map(\.details.path) == ["//westend//0"])
        let westend = try vault.network(named: "westend")
        #expect(found.map { $0.address(in: westend).text } == ["5HGiBcFgEBMgT6GEuo9SA98sBnGgwHtPKDXiUukT6aqCrKEx"])
        #expect(try vault.keys().count == count + 1 && vault.log().count == log + 1)
        #expect(try vault.log().last?.entry.events.map(\.name) == ["IdentityAdded"])
        #expect(try groups(Self.captured, vault).first?.keys.map(\.status) == [.alreadyExists])
        let before = try vault.state()
        #expect(try vault.importDerivations(vault.propose(Self.captured)).isEmpty)
        #expect(try vault.state() == before)
    }

    @Test(
        "every key of a captured export is what its path gives",
        .enabled(if: SharedData.has("signer-wire/uos/derivations_navigator.json")))
    func capturedExport() throws {
        let known = try SharedData.json("signer-wire/uos/derivations_navigator.json")["payloads"][0]["hex"].hex
        let payload = try #require(known)
        let test = try TestVault()
        let vault = try test.withSeed()
        let found = try vault.importDerivations(vault.propose(payload))
        #expect(
            found.map(\.details.path) == ["//Alice", "//Alice/westend", "//Alice/secret//secret", "//0", "//1"])
        #expect(try groups(payload, vault).flatMap(\.keys).allSatisfy { $0.status == .alreadyExists })
    }

    @Test("anything that changed since the keys were shown stops the import, and nothing waits behind either")
    func stale() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let proposal = try vault.propose(Self.captured)
        try vault.addComment("something else")
        #expect(throws: SignerError.checksumMismatch) { try vault.importDerivations(proposal) }
        #expect(try vault.pendingPayload() == nil)
        #expect(try vault.importDerivations(vault.propose(Self.captured)).count == 1)
        #expect(try vault.pendingPayload() == nil)
    }

    @Test("a key that is the root of no seed names none")
    func noRoot() throws {
        let vault = try TestVault().withSeed()
        _ = try vault.deriveKey(seed: "demo", path: "//Alice", password: nil, network: vault.network(named: "westend"))
        let key = try DerivationsPayload.Exported(address: Self.bob, path: "//Bob", network: genesis())
        #expect(try groups(DerivationsPayload.export([key], root: Person.alice), vault).isEmpty)
        #expect(try groups(DerivationsPayload.export([key]), vault).count == 1)
    }

    @Test("a planted address refuses the whole import, and nothing is stored")
    func planted() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let genesis = try genesis()
        let before = try vault.state()
        // Right for //Bob, and shown as //mine.
        let payload = DerivationsPayload.export([
            .init(address: Self.alice, path: "//Alice", network: genesis),
            .init(address: Self.bob, path: "//mine", network: genesis),
        ])
        #expect(throws: SignerError.importAddressMismatch(path: "//mine")) {
            try vault.importDerivations(vault.propose(payload))
        }
        #expect(try vault.state() == before)
    }

    @Test("an address that claims no path must be the root's")
    func noPath() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let genesis = try genesis()
        let planted = DerivationsPayload.export([.init(address: Self.bob, path: nil, network: genesis)])
        #expect(throws: SignerError.importAddressMismatch(path: "")) {
            try vault.importDerivations(vault.propose(planted))
        }
        let root = try SS58.encode(DerivationsPayload.root, prefix: 42)
        let own = DerivationsPayload.export([.init(address: root, path: nil, network: genesis)])
        #expect(try vault.importDerivations(vault.propose(own)).map(\.details.path) == [""])
    }

    @Test("keys with a password, with malformed paths, and of unknown networks or roots are left out")
    func leftOut() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let genesis = try genesis()
        let unknown = try #require(Hash256([UInt8](repeating: 7, count: 32)))
        let payload = DerivationsPayload.export([
            .init(address: Self.bob, path: "//mine///password", network: genesis),
            .init(address: Self.bob, path: "mine", network: genesis),
            .init(address: Self.bob, path: "//mine///", network: genesis),
            .init(address: Self.bob, path: "//mine", network: unknown),
            .init(address: Self.bob, path: "mine", network: unknown),
            .init(address: Self.alice, path: "//Alice", network: genesis),
        ])
        let keys = try #require(try groups(payload, vault).first).keys
        #expect(
            keys.map(\.status) == [
                .importable, .invalid([.badFormat]), .invalid([.badFormat]), .invalid([.networkMissing]),
                .invalid([.badFormat, .networkMissing]), .importable,
            ])
        #expect(keys.map(\.hasPassword) == [true, nil, true, nil, nil, nil])
        let found = try vault.importDerivations(vault.propose(payload))
        #expect(found.map(\.details.path) == ["//Alice"])
        #expect(try !vault.keys().contains { $0.details.path.contains("mine") })
        let foreign = DerivationsPayload.export(
            [.init(address: Self.alice, path: "//Alice", network: genesis)], root: Person.bob)
        #expect(try groups(foreign, vault).isEmpty)
        #expect(try vault.importDerivations(vault.propose(foreign)).isEmpty)
    }

    @Test("other payloads import nothing")
    func refused() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let before = try vault.state()
        #expect(throws: SignerError.nothingPending) {
            try vault.importDerivations(vault.propose(TestVault.transfer()))
        }
        for broken in [Self.captured.dropLast(), Self.captured + [0]] as [[UInt8]] {
            #expect(throws: RefusedPayload.self) { try vault.importDerivations(vault.propose(broken)) }
        }
        #expect(try vault.state() == before)
    }
}
