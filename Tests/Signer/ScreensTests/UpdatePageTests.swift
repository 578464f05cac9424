import Navigator
import Signer
import Substrate
import TestSupport
import Testing
import Tours

@testable import Screens

/// What an update, and what is offered or asked for, shows before a yes.
@Suite("Pages of updates and keys")
struct UpdatePageTests {
    private func scan(_ text: String, change: (inout NetworkBundle) -> Void = { _ in }) throws -> Page {
        let window = try Window(change: change)
        try window.recoverAlice()
        try window.press("Scan")
        return try window.scan(text)
    }

    @Test("a network that nobody signed says so, with every field, the verifier, and a hold")
    func newNetwork() throws {
        var specs = try #require(NetworkBundle.shipped().networks.first { $0.specs.name == "westend" }).specs
        specs.name = "eastend"
        specs.title = "Eastend"
        specs.genesisHash = Blake2b.hash256([1])
        let page = try scan(WestendPayload.unsigned(specs))
        #expect(page.title == "Update" && page.mustBeRead)
        #expect(page.plain.contains("A new network: Eastend") && page.plain.contains("Nobody vouches for it"))
        let rows = page.body.flatMap(\.rows)
        #expect(rows.contains { $0.title == "genesis" && $0.value?.plain == specs.genesisHash.hex })
        #expect(rows.contains { $0.title == "signed by" && $0.value == Text(own: "nobody", .strong) })
        #expect(page.bar.last?.press == .hold(typed: "TAKE"))
    }

    @Test("an update that this vault does not take can be signed as publisher, with what it is in full")
    func refused() throws {
        let window = try Window()
        try window.recoverAlice()
        try window.press("Scan")
        let network = try #require(NetworkBundle.shipped().networks.first { $0.specs.name == "westend" })
        let page = try window.scan(WestendPayload.unsigned(metadata: try #require(network.metadata.first)))
        #expect(page.plain.contains("[NeedGeneralVerifier]") && page.bar.map(\.id) == ["refuse", "publish"])
        let publishing = try window.press("publish")
        let rows = publishing.body.flatMap(\.rows)
        #expect(rows.contains { $0.id == "version" && $0.value == "9122" })
        #expect(rows.contains { $0.id == "genesis" && $0.value?.plain == "0x" + WestendPayload.genesis })
        let key = try #require(rows.flatMap(\.choices).first { $0.label.plain.contains("//westend") })
        #expect(key.press == .hold(typed: "SIGN"))
    }

    @Test("derived keys that a wallet asks for are listed with the whole address and what becomes of each")
    func dynamic() throws {
        let page = try scan(WestendPayload.request("//new"))
        let row = try #require(page.body.flatMap(\.rows).first)
        #expect(row.title.plain == "//new" && row.marks.first?.text == "new")
        #expect(row.value?.plain.count == 48 + 11)
        #expect(page.bar.last?.press == .hold(typed: "SHARE"))
    }

    @Test("paths are listed, and keys are made below the key set that is chosen")
    func paths() throws {
        let page = try scan(WestendPayload.paths(["//a", "//b"]))
        #expect(page.body.flatMap(\.rows).map(\.title.plain) == ["//a", "//b"])
        #expect(page.bar.last?.message == .send(.goForward))
    }

    @Test("a change of a network shows each field that differs, with what is stored and what it becomes")
    func differences() throws {
        var specs = try #require(NetworkBundle.shipped().networks.first { $0.specs.name == "westend" }).specs
        (specs.name, specs.title, specs.genesisHash) = ("eastend", "Eastend", Blake2b.hash256([1]))
        let window = try Window()
        try window.recoverAlice()
        try window.press("Scan")
        try window.scan(WestendPayload.unsigned(specs))
        try window.press("approve")
        // From the page of the network to one with the main parts.
        while window.page.parts.isEmpty { try window.press("back") }
        specs.title = "East (end)"
        specs.logo = "other"
        try window.press("Scan")
        let page = try window.scan(WestendPayload.unsigned(specs))
        #expect(page.plain.contains("A change of the network \"East (end)\""))
        let said = page.body.flatMap(\.rows).filter { $0.id.hasPrefix("update-") }
        #expect(said.contains { $0.title == "genesis" && $0.value?.plain == specs.genesisHash.hex })
        let changes = said.compactMap(\.value?.plain).filter { $0.contains(" becomes ") }
        #expect(
            changes.sorted() == ["Eastend becomes \"East (end)\"", "\(Self.westendLogo) becomes other"].sorted())
    }

    private static let westendLogo = "westend"

    @Test("key sets of another device are listed key by key, each with its whole address and what becomes of it")
    func keySets() throws {
        let window = try Window()
        try window.recoverAlice()
        try window.press("Keys")
        let export = try window.press("export-Alice")
        let code = try #require(
            export.body.compactMap { block -> [UInt8]? in
                if case .code(let picture) = block, case .open(let code) = picture.source { code.content } else { nil }
            }.first)
        // A device with the same words, on which a key of the other is not there any more.
        let other = try Window()
        try other.recoverAlice()
        try other.showWestend()
        try other.press(try other.id("key-"))
        try other.press("menu")
        try other.press("remove")
        try other.press("Scan")
        let page = try other.scan(SS58Text.hex(code))
        #expect(page.title == "Key sets to take in" && page.mustBeRead)
        let rows = page.body.flatMap(\.rows)
        let states = Set(rows.flatMap(\.marks).map(\.text.plain))
        #expect(
            rows.count > 3 && rows.allSatisfy { $0.marks.count == 1 && $0.value.flatMap { MonospacedLines($0) } != nil }
        )
        #expect(states.contains("new") && states.count > 1, "\(states)")
        #expect(page.bar.map(\.id) == ["refuse", "approve"] && page.bar.last?.press == .hold(typed: "TAKE"))
        try other.press("approve")
        try other.showWestend()
        #expect(other.page.body.flatMap(\.rows).contains { $0.title.plain == "//westend" })
    }
}
