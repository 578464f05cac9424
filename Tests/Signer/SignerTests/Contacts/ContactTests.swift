import Foundation
import Substrate
import Testing
import TextForms

@testable import Signer

@Suite("The address book")
struct ContactTests {
    /// //Bob of the development phrase.
    static let bob = Hex.decode("8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48") ?? []
    static let bobAddress = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
    static let westend = Hash256(
        Hex.decode("e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e") ?? [])!

    static func bob(_ name: String = "Bob", networks: [Hash256] = []) -> Contact {
        Contact(accountID: bob, name: name, networks: networks, note: "rent", origin: .typed)
    }

    @Test("a record is name, networks, note, origin and time")
    func encoding() throws {
        var contact = Self.bob(networks: [Self.westend])
        contact.added = "2025-11-21 00:00:00.5"
        let bytes = ContactDetails(contact).scaleEncoded
        let hex =
            "0c426f62" + "04" + Self.westend.hex + "1072656e74" + "01" + "54"
            + Hex.encode(Array("2025-11-21 00:00:00.5".utf8))
        #expect(Hex.encode(bytes) == hex)
        #expect(try ContactDetails(scaleEncoded: bytes).scaleEncoded == bytes)
        for end in bytes.indices {
            #expect(throws: (any Error).self) { try ContactDetails(scaleEncoded: Array(bytes[..<end])) }
        }
        var unknown = bytes
        unknown[unknown.count - 23] = 3
        #expect(throws: (any Error).self) { try ContactDetails(scaleEncoded: unknown) }
    }

    @Test("one is added, changed and removed, and the log says so")
    func life() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let stored = try vault.saveContact(Self.bob("  Bob "))
        #expect(stored.name == "Bob" && stored.added == "2025-11-21 00:00:00.5")
        #expect(try test.open(.read).contacts() == [stored])
        var changed = stored
        changed.name = "Robert"
        changed.networks = [Self.westend, Self.westend]
        let renamed = try vault.saveContact(changed, replacing: stored)
        #expect(renamed.networks == [Self.westend] && renamed.added == stored.added)
        #expect(throws: SignerError.contactNotFound("Bob")) { try vault.saveContact(changed, replacing: stored) }
        let count = try vault.log().count
        // Nothing changes, nothing is written.
        try vault.saveContact(renamed, replacing: renamed)
        #expect(try vault.log().count == count)
        #expect(try vault.contact(named: "ROBERT") == renamed && vault.contact(named: Self.bobAddress) == renamed)
        try vault.removeContact(Self.bob)
        #expect(try vault.contacts() == [])
        let hex = Hex.encode(Self.bob)
        #expect(throws: SignerError.contactNotFound("0x" + hex)) { try vault.removeContact(Self.bob) }
        #expect(
            try vault.log().suffix(3).map(\.entry.events) == [
                [.systemEntry("contact added Bob \(hex)")], [.systemEntry("contact changed Robert \(hex)")],
                [.systemEntry("contact removed Robert \(hex)")],
            ])
    }

    @Test("its row tells nothing to who has the file, and is not put back unnoticed")
    func sealed() throws {
        let test = try TestVault()
        do {
            let vault = try test.open()
            try vault.saveContact(Self.bob("Robert the landlord"))
        }
        let file = try #require(try test.files()["vault.sqlite"])
        #expect(file.range(of: Data("landlord".utf8)) == nil && file.range(of: Data(Self.bob)) == nil)
        let old = try Tampering.rows(.contacts, in: test.folder)
        let vault = try test.open()
        let stored = try #require(try vault.contacts().first)
        var changed = stored
        changed.note = "gone"
        try vault.saveContact(changed, replacing: stored)
        try Tampering.older.apply(to: .contacts, in: test.folder, old: old)
        #expect(throws: SignerError.databaseDamaged(.tree("contacts"))) { try vault.contacts() }
        #expect(throws: SignerError.databaseDamaged(.tree("contacts"))) { try vault.process(TestVault.transfer()) }
        #expect(throws: SignerError.databaseDamaged(.tree("contacts"))) { try test.open(.read) }
    }

    @Test(
        "a name that is none is refused",
        arguments: ["", "  ", "a,b", "a\u{202e}b", "line\nbreak", "Bоb", String(repeating: "a", count: 65)])
    func badName(_ name: String) throws {
        let vault = try TestVault().open()
        #expect(throws: SignerError.contactNameInvalid) { try vault.saveContact(Self.bob(name)) }
        #expect(try vault.contacts() == [] && vault.log().count == 1)
    }

    @Test(
        "a name that another has in another case, or that looks like it, is taken",
        arguments: ["bob", "BOB", " Bob", "ВОВ"])
    func takenName(_ name: String) throws {
        let vault = try TestVault().open()
        try vault.saveContact(Self.bob())
        let other = Contact(accountID: [UInt8](repeating: 1, count: 32), name: name, origin: .typed)
        let error = #expect(throws: SignerError.self) { try vault.saveContact(other) }
        #expect(error?.code == "ContactNameTaken" && "\(error!)".contains("Bob"))
    }

    @Test("an account is one contact, and the note is bounded")
    func refusals() throws {
        let vault = try TestVault().open()
        let bob = try vault.saveContact(Self.bob())
        #expect(throws: SignerError.contactExists(name: "Bob")) { try vault.saveContact(Self.bob("Robert")) }
        let other = try vault.saveContact(
            Contact(accountID: [UInt8](repeating: 1, count: 32), name: "Eve", origin: .typed))
        var moved = other
        moved.accountID = bob.accountID
        #expect(throws: SignerError.contactExists(name: "Bob")) { try vault.saveContact(moved, replacing: other) }
        var noted = bob
        noted.note = "a\u{7}"
        #expect(throws: SignerError.commentInvalid) { try vault.saveContact(noted, replacing: bob) }
        noted.note = String(repeating: "a", count: 1025)
        #expect(throws: SignerError.commentTooLong(limit: 1024)) { try vault.saveContact(noted, replacing: bob) }
        noted.accountID = [1, 2, 3]
        noted.note = ""
        #expect(throws: SignerError.contactAddressInvalid("0x010203")) { try vault.saveContact(noted) }
        #expect(try vault.contacts() == [bob, other])
    }

    @Test("an address is taken with the prefix of a network or 42, and nothing else")
    func addresses() throws {
        let vault = try TestVault().open()
        for prefix in [UInt16(0), 2, 42] {
            #expect(try vault.accountID(ofAddress: SS58.encode(Self.bob, prefix: prefix)) == Self.bob)
        }
        let key = try SS58.encode([2] + Self.bob, prefix: 42)
        let wrong = [
            try SS58.encode(Self.bob, prefix: 99), key, "", "Bob", " " + Self.bobAddress, "0x" + Hex.encode(Self.bob),
            String(Self.bobAddress.dropLast()) + "z",
            // There is no Ethereum network.
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        ]
        for text in wrong {
            let error = #expect(throws: SignerError.self) { try vault.accountID(ofAddress: text) }
            #expect(error == .contactAddressInvalid(text) && error?.code == "ContactAddressInvalid")
        }
    }

    @Test("an Ethereum address is taken where there is such a network; mixed case is its check sum")
    func ethereum() throws {
        let vault = try TestVault().open()
        var network = try vault.network(named: "westend")
        network.scheme = .ethereum
        try vault.database.write { trees in
            try trees.put(
                .chainspecs, key: network.key.scaleEncoded,
                value: OrderedNetworkSpecs(specs: network, order: 9).scaleEncoded)
        }
        // A known answer of EIP-55.
        let address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
        let bytes = try #require(Hex.decode(address.dropFirst(2).lowercased()))
        for text in [address, address.lowercased(), "0x" + address.dropFirst(2).uppercased()] {
            #expect(try vault.accountID(ofAddress: text) == bytes)
        }
        for text in ["0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x5aAe", address + "00", "0x" + address] {
            #expect(throws: SignerError.contactAddressInvalid(text)) { try vault.accountID(ofAddress: text) }
        }
        let contact = try vault.saveContact(Contact(accountID: bytes, name: "Eve", origin: .typed))
        let polkadot = try vault.network(named: "polkadot")
        #expect(contact.counts(in: network) && !contact.counts(in: polkadot))
    }
}
