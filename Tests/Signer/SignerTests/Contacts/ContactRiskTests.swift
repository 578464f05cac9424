import Substrate
import Testing
import TextForms

@testable import Signer

@Suite("Contacts as destinations")
struct ContactRiskTests {
    private static func rules(_ vault: Vault) throws -> [RiskRule] {
        try vault.process(TestVault.transfer()).risks.map(\.rule)
    }

    private static func destination(_ answer: Answer) throws -> AccountAddress {
        try #require(answer.effects?.leaves.first?.destination)
    }

    @Test("a contact is no unknown destination, and has its name")
    func known() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        #expect(try Self.rules(vault).contains(.unknownDestination))
        try vault.saveContact(ContactTests.bob())
        #expect(try !Self.rules(vault).contains(.unknownDestination))
        let answer = try vault.process(TestVault.transfer())
        let destination = try Self.destination(answer)
        #expect(destination.text == ContactTests.bobAddress)
        #expect(answer.ownKeys.contactName(of: destination) == "Bob" && answer.ownKeys.name(of: destination) == nil)
    }

    @Test("it counts in its networks alone")
    func networks() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let bob = try vault.saveContact(ContactTests.bob(networks: [vault.network(named: "polkadot").genesisHash]))
        #expect(try Self.rules(vault).contains(.unknownDestination))
        let answer = try vault.process(TestVault.transfer())
        #expect(answer.ownKeys.contactName(of: try Self.destination(answer)) == nil)
        var both = bob
        both.networks.append(ContactTests.westend)
        try vault.saveContact(both, replacing: bob)
        #expect(try !Self.rules(vault).contains(.unknownDestination))
    }

    @Test("in one network it does not count because it does in another of the same prefix")
    func samePrefix() throws {
        let (polkadot, hub) = try (Chain("polkadot").specs, Chain("statemint").specs)
        let bob = ContactTests.bob(networks: [polkadot.genesisHash])
        let address = try #require(bob.address(in: polkadot))
        try #require(polkadot.base58Prefix == hub.base58Prefix)
        let accounts = OwnAccountsByNetwork([], [bob])
        if case .contact = accounts.accounts(in: polkadot).likeness(to: address) {} else { Issue.record("not Bob") }
        if case .unknown = accounts.accounts(in: hub).likeness(to: address) {} else { Issue.record("Bob") }
    }

    @Test("rights that it is given are a danger all the same")
    func rights() throws {
        let chain = try Chain("statemint")
        let vault = try chain.vault()
        let call = try chain.call(
            "Assets", method: "transfer_ownership", arguments: Value.compact(1984), Value.address(Person.bob))
        try vault.database.write { try $0.put(ContactTests.bob()) }
        let risks = try vault.process(chain.payload(call)).risks
        #expect(!risks.contains { $0.rule == .unknownDestination })
        #expect(risks.first { $0.rule == .rightsChange }?.severity == .danger)
    }

    @Test("an address that can be mistaken for a contact's is a danger that names it; own ones come first")
    func lookalike() {
        let (own, known) = ("15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5", ContactTests.bobAddress)
        let accounts = OwnAccounts([own], contacts: [("Bob", known), ("Me", own)])
        func likeness(_ text: String) -> OwnAccounts.Likeness {
            accounts.likeness(to: AccountAddress(text: text, identicon: .dots([])))
        }
        if case .own = likeness(own) {} else { Issue.record("not own") }
        if case .contact("Bob") = likeness(known) {} else { Issue.record("not Bob") }
        let twin = "5FHn" + String(repeating: "z", count: known.count - 8) + "94ty"
        if case .contactLookalike(known, "Bob") = likeness(twin) {} else { Issue.record("not like Bob") }
        if case .unknown = likeness("5FHn" + String(repeating: "z", count: known.count - 7) + "4ty") {
        } else {
            Issue.record("like nobody")
        }
    }
}
