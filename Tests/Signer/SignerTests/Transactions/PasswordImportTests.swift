import SecretMemory
import Substrate
import Synchronization
import Testing

@testable import Signer

/// Imports of keys with a password: nothing is taken by the word of whoever made the export.
@Suite("Imports of keys with a password")
struct PasswordImportTests {
    private static let password = "zwölf-Boote"
    private static let planted = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"

    /// A vault with the development phrase, and the address at a path with the password.
    private func make(_ path: String) throws -> (vault: Vault, address: String, genesis: Hash256) {
        let (vault, other) = (try TestVault().withSeed(), try TestVault().withSeed())
        let westend = try other.network(named: "westend")
        let key = try other.deriveKey(
            seed: "demo", path: path, password: TestVault.secret(Self.password), network: westend)
        return (vault, key.address(in: westend).text, westend.genesisHash)
    }

    @Test("a key that is said to have a password is stored when the right one is entered, and marked as such")
    func right() throws {
        let (vault, address, genesis) = try make("//cold")
        // What stands behind the slashes is nobody's password, and is not tried.
        let payload = DerivationsPayload.export([.init(address: address, path: "//cold///?", network: genesis)])
        var asked: [PasswordClaim] = []
        let found = try vault.importDerivations(vault.propose(payload)) { claim in
            asked.append(claim)
            return try TestVault.secret(Self.password)
        }
        #expect(asked == [PasswordClaim(seed: "demo", path: "//cold", address: address)])
        #expect(found.map(\.details.path) == ["//cold"] && found.allSatisfy(\.details.hasPassword))
        #expect(try vault.keys().contains { $0.details.path == "//cold" && $0.details.hasPassword })
        #expect(try vault.log().last?.entry.events.map(\.name) == ["IdentityAdded"])
    }

    @Test("a key that only the person says to have a password is asked for as well; unsaid, it refuses the import")
    func claimedByPerson() throws {
        let (vault, address, genesis) = try make("//cold")
        let payload = DerivationsPayload.export([.init(address: address, path: "//cold", network: genesis)])
        #expect(throws: SignerError.importAddressMismatch(path: "//cold")) {
            try vault.importDerivations(vault.propose(payload))
        }
        let found = try vault.importDerivations(vault.propose(payload), claimed: ["//cold"]) { _ in
            try TestVault.secret(Self.password)
        }
        #expect(found.map(\.details.path) == ["//cold"])
    }

    @Test("a planted address that is said to have a password is asked for three times and left out, others are taken")
    func planted() throws {
        let (vault, address, genesis) = try make("//cold")
        let alice = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
        let payload = DerivationsPayload.export([
            .init(address: Self.planted, path: "//mine///x", network: genesis),
            .init(address: alice, path: "//Alice", network: genesis),
            .init(address: address, path: "//cold///x", network: genesis),
        ])
        var asked: [String] = []
        let found = try vault.importDerivations(vault.propose(payload)) { claim in
            asked.append(claim.path)
            return try TestVault.secret(Self.password)
        }
        #expect(asked == ["//mine", "//mine", "//mine", "//cold"])
        #expect(found.map(\.details.path) == ["//Alice", "//cold"])
        let westend = try vault.network(named: "westend")
        #expect(try !vault.keys().contains { $0.address(in: westend).text == Self.planted })
    }

    @Test("a wrong password may be entered again; an empty one, or none, leaves the key out")
    func again() throws {
        let (vault, address, genesis) = try make("//cold")
        let payload = DerivationsPayload.export([.init(address: address, path: "//cold///x", network: genesis)])
        for answer in [nil, ""] {
            var asked = 0
            let none = try vault.importDerivations(vault.propose(payload)) { _ in
                asked += 1
                return try answer.map { try TestVault.secret($0) }
            }
            #expect(none.isEmpty && asked == 1)
        }
        var answers = ["wrong", Self.password].makeIterator()
        let found = try vault.importDerivations(vault.propose(payload)) { _ in
            try answers.next().map { try TestVault.secret($0) }
        }
        #expect(found.count == 1)
    }

    @Test("a key that is said to have a password and has none is stored without one, and nobody is asked")
    func falselyClaimed() throws {
        let vault = try TestVault().withSeed()
        let genesis = try vault.network(named: "westend").genesisHash
        let alice = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
        let payload = DerivationsPayload.export([.init(address: alice, path: "//Alice///x", network: genesis)])
        let found = try vault.importDerivations(vault.propose(payload), claimed: ["//Alice"]) { _ in
            Issue.record("asked")
            return nil
        }
        #expect(found.map(\.details.hasPassword) == [false])
    }

    @Test("whoever stops while a password is asked for has changed nothing")
    func stopped() throws {
        struct Stop: Error {}
        let (vault, address, genesis) = try make("//cold")
        let before = try vault.state()
        let payload = DerivationsPayload.export([
            .init(
                address: "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY", path: "//Alice", network: genesis),
            .init(address: address, path: "//cold///x", network: genesis),
        ])
        #expect(throws: Stop.self) { try vault.importDerivations(vault.propose(payload)) { _ in throw Stop() } }
        #expect(try vault.state() == before)
    }
}
