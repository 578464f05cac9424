import Navigator
import Signer
import Substrate
import Testing

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
}
