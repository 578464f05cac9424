import Navigator
import Signer
import Testing
import Tours

@testable import Screens
@testable import SignerCore

@Suite("The side of a wide window")
struct SideTests {
    @Test("it lists the key sets that there are, on the page that comes behind a change of them too")
    func keySets() throws {
        let window = try Window(hasMetadata: false)
        func side() -> [String] { window.page.side.map { "\($0.title.plain), \($0.value?.plain ?? "")" } }
        #expect(side() == [])
        try window.recoverAlice()
        #expect(window.result.rule == "T043")
        let alice = side()
        #expect(alice.count == 1 && alice[0].hasPrefix("Alice, "))

        try window.press("Keys")
        try window.press("new")
        try window.press("new-seed")
        // There is no side where there is no footer.
        #expect(side() == [])
        try window.press("go", ["name": "Portia"])
        try NewSeed.store(in: window)
        #expect(window.result.rule == "T040")
        #expect(side().count == 2 && side().first == alice.first && side().last?.hasPrefix("Portia, ") == true)

        try window.press("menu")
        try window.press("remove-seed", secrets: ["credential": ""])
        #expect(window.result.rule == "T100" && window.page.position == Position(.log))
        #expect(side() == alice)
        #expect(try window.press("side-set-Alice").position == Position(.keys))
        #expect(side() == alice)
    }

    @Test("it counts the keys that there are")
    func counts() throws {
        let window = try Window(hasMetadata: false)
        try window.recoverAlice()
        let before = window.result.keySets.map(\.keyCount)
        let vault = try #require(try window.host.openVault())
        let network = try #require(try vault.networks().first)
        _ = try vault.deriveKey(seed: "Alice", path: "//one", password: nil, network: network)
        try window.press("Settings")
        #expect(window.result.keySets.map(\.keyCount) == before.map { $0 + 1 })
    }
}
