import Identicons
import Navigator
import Signer
import Substrate
import TestSupport
import Testing
import TextForms
import Tours

@testable import Screens
@testable import SignerCore

/// Accounts under names, and where they count.
@Suite("Pages of contacts")
struct ContactPageTests {
    private static let genesis = WestendPayload.genesis

    private func window(change: (inout NetworkBundle) -> Void = { _ in }) throws -> Window {
        let window = try Window(hasMetadata: false, change: change)
        try window.recoverAlice()
        try window.press("Settings")
        try window.press("address-book")
        return window
    }

    private func value(_ id: String, on page: Page) -> Text? {
        page.allBlocks.flatMap(\.rows).first { $0.id == id }?.value
    }

    @Test("each network of the vault can be chosen once, and a contact counts where it is on, else anywhere")
    func networks() throws {
        let window = try window { bundle in
            // The same chain with another scheme is the same place.
            var twin = bundle.networks[0]
            twin.specs.scheme = .ed25519
            bundle.networks.append(twin)
        }
        try window.press("new")
        let toggles = window.page.activeFields.filter { $0.id.name.hasPrefix("network-") }
        #expect(toggles.map(\.label.plain).sorted() == ["Kusama", "Polkadot", "Polkadot Asset Hub", "Westend"])
        #expect(toggles.allSatisfy { $0.kind == .toggle(false) })
        try window.press("keep", ["name": "Bob", "address": WestendPayload.bobAddress])
        try window.press(try window.id("contact-"))
        #expect(value("networks", on: window.page) == "any network")
        try window.press("menu")
        try window.press("keep", ["network-\(Self.genesis)": "true"])
        #expect(value("networks", on: window.page) == "Westend")
        try window.press("menu")
        #expect(window.page.activeFields.contains { $0.label == "Westend" && $0.kind == .toggle(true) })
        try window.press("keep", ["network-\(Self.genesis)": "false"])
        #expect(value("networks", on: window.page) == "any network")
    }

    @Test("a network that is gone from the vault goes on to count, by its genesis")
    func goneNetwork() throws {
        let window = try window()
        try window.press("new")
        try window.press(
            "keep", ["name": "Bob", "address": WestendPayload.bobAddress, "network-\(Self.genesis)": "true"])
        let vault = try #require(try window.host.openVault())
        try vault.removeNetwork(try #require(Hash256(Hex.decode(Self.genesis) ?? [])))
        try window.press(try window.id("contact-"))
        #expect(value("networks", on: window.page) == "genesis " + Text(hex: Self.genesis))
        try window.press("menu")
        #expect(!window.page.activeFields.contains { $0.id.name == "network-\(Self.genesis)" })
        try window.press("keep", ["name": "Robert"])
        #expect(
            window.page.title == "Robert" && value("networks", on: window.page) == "genesis " + Text(hex: Self.genesis))
    }

    @Test("an account of Ethereum's form has the picture that wallets there draw, and its own address")
    func blockies() throws {
        let address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
        let window = try window { bundle in
            var moon = bundle.networks[0].specs
            (moon.name, moon.title, moon.scheme, moon.genesisHash) = ("moon", "Moon", .ethereum, Blake2b.hash256([7]))
            bundle.networks.append(NetworkBundle.Network(specs: moon, metadata: []))
        }
        try window.press("new")
        try window.press("keep", ["name": "Moonface", "address": address])
        let row = try #require(window.page.body.flatMap(\.rows).first)
        #expect(row.title == "Moonface")
        let values = window.page.body.flatMap(\.rows).compactMap(\.value?.plain)
        #expect(values.contains { $0.filter { $0 != " " }.lowercased() == address.lowercased() }, "\(values)")
        #expect(row.picture == .identicon(Identicon(.blockies, of: Hex.decode(String(address.dropFirst(2))) ?? [])))
        guard case .identicon(let picture) = row.picture else { return }
        #expect(picture != Identicon(.polkadot, of: Hex.decode(String(address.dropFirst(2))) ?? []))
    }
    @Test("an ecdsa key's pages have the picture that a contact of its address has")
    func onePicture() throws {
        let key = Hex.decode("020a1091341fe5664bfa1782d5e04779689068c916b04cb365ec3153755684d9a1") ?? []
        var specs = try #require(NetworkBundle.shipped().networks.first { $0.specs.name == "westend" }).specs
        specs.scheme = .ecdsa
        let card = KeyCard(
            StoredKey(
                signer: .ecdsa(key),
                details: AddressDetails(
                    seedName: "demo", path: "//Alice", hasPassword: false, networks: [specs.key], scheme: .ecdsa,
                    secretExposed: false)), in: specs)
        #expect(card.address == "5C7C2Z5sWbytvHpuLTvzKunnnRwQxft1jiqrLD5rhucQ5S9X")
        let window = try window()
        try window.press("new")
        try window.press("keep", ["name": "Alice", "address": card.address])
        let row = try #require(window.page.body.flatMap(\.rows).first { $0.title == "Alice" })
        #expect(row.picture == .identicon(Identicon(of: card)))
    }
}
