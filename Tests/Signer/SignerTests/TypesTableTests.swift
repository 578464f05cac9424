import SCALE
import Substrate
import TestSupport
import Testing
import TextForms

@testable import Signer

@Suite("Chains with metadata 12", .enabled(if: SharedData.has("signer-wire/types/default_types.scale")))
struct TypesTableTests {
    /// Westend 9010: a transfer to Bob by Alice.
    private static let transfer =
        Hex.decode(
            "530100d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27da40403008eaf04151687736326c9fea17e25fc5287"
                + "613693c912909cb226aa4794f26a480700e8764817b501b8003223000005000000e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36"
                + "c1cd2cfd15340213f3423e538a7d7a0ac17eb6dd004578cb8e238c384a10f57c999a3fa1200409cd9b3f33e143f23803ac50e8f6f8e6"
                + "2695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e") ?? []

    private static func vault(types: TypesTable?) throws -> Vault {
        var bundle = try NetworkBundle.shipped()
        let westend = try #require(bundle.networks.firstIndex { $0.specs.name == "westend" })
        bundle.networks[westend].metadata.append(try SharedData.bytes("signer-wire/metadata/westend9010.scale"))
        bundle.types = types
        let alice = try #require(Hex.decode("d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d"))
        let details = AddressDetails(
            seedName: "Alice", path: "//Alice", hasPassword: false, networks: [bundle.networks[westend].specs.key],
            scheme: .sr25519, secretExposed: false)
        return try Vault.lookOnly(bundle, keys: [StoredKey(signer: .sr25519(alice), details: details)])
    }

    @Test("a transaction reads by the stored types table, with a warning about the newer metadata")
    func table() throws {
        let types = try TypesTable(scaleEncoded: SharedData.bytes("signer-wire/types/default_types.scale"))
        let answer = try Self.vault(types: types).process(Self.transfer)
        guard case .sign = answer.action else {
            Issue.record("cannot be signed: \(answer.cards.error)")
            return
        }
        #expect(answer.cards.method.map(\.line).last == "      balance: 100.000000000 mWND")
        #expect(answer.cards.warning.map(\.line).count == 1)
    }

    @Test("without a types table the transaction is not signed, and the reason names what is missing")
    func noTable() throws {
        let answer = try Self.vault(types: nil).process(Self.transfer)
        guard case .read = answer.action, case .error(let error) = answer.cards.error.first?.kind else {
            Issue.record("expected an error card, found \(answer.cards)")
            return
        }
        #expect(error.code == "NoTypesTable")
        #expect(answer.cards.method.isEmpty)
        #expect(answer.cards.extensions.count == 6)
    }

    @Test("a types table that does not decode is damage of the database")
    func damaged() throws {
        let vault = try Self.vault(types: TypesTable(entries: []))
        try vault.database.write { try $0.put(.settings, key: Setting.types.key, value: [4]) }
        #expect(throws: SignerError.self) { try vault.process(Self.transfer) }
    }
}
