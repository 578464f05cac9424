import Navigator
import TestSupport
import Testing
import Tours

@testable import Screens

/// What is looked at beside scans: what is let pass, a long log, payloads as text.
@Suite("Pages of policy, log and payloads")
struct LookingPageTests {
    private func policy() throws -> Window {
        let window = try Window()
        try window.recoverAlice()
        try window.press("Settings")
        try window.press("network-policy")
        return window
    }

    private func cards(_ page: Page) -> [Severity] {
        page.body.compactMap { if case .card(let severity, _, _) = $0 { severity } else { nil } }
    }

    @Test("what is let pass tells its danger, is held down to be changed, and is made strict with one press")
    func networkPolicy() throws {
        let window = try policy()
        #expect(cards(window.page) == [.good, .danger])
        #expect(window.page.bar.map(\.id) == ["change"] && window.page.bar[0].press == .hold(typed: "ALLOW"))
        try window.press("change", ["ignore-gadgets": "true"])
        #expect(cards(window.page) == [.warning, .danger])
        #expect(window.page.plain.contains("This vault lets pass: A USB cable to another machine."))
        // What is so now stands in the switches.
        let on = window.page.activeFields.filter { $0.kind == .toggle(true) }.map(\.id.name)
        #expect(on == ["ignore-gadgets"])
        try window.press("change", ["network-allowed": "true"])
        #expect(cards(window.page) == [.danger, .danger])
        let strict = try #require(window.page.bar.first)
        #expect(strict.id == "strict" && strict.press == .click)
        let settings = try window.press("back")
        #expect(settings.activeRows.first { $0.id == "network-policy" }?.marks.first?.severity == .warning)
        try window.press("network-policy")
        try window.press("strict")
        #expect(cards(window.page) == [.good, .danger])
        #expect(try window.press("back").activeRows.first { $0.id == "network-policy" }?.marks == [])
    }

    @Test("the log says which entries are shown, and offers only what there is")
    func log() throws {
        let window = try Window()
        try window.recoverAlice()
        let short = try window.press("Log")
        #expect(short.bar.isEmpty && !short.plain.contains("Here are"))
        let vault = try #require(try window.host.openVault())
        while try vault.logCount() < 50 { try vault.addComment("note") }
        let newest = try window.press("Log")
        #expect(newest.title == "Log" && newest.bar.map(\.id) == ["older"])
        #expect(newest.plain.contains("Here are those with the numbers 49 to 30."))
        let middle = try window.press("older")
        #expect(middle.title == "Log, page 2" && middle.bar.map(\.id) == ["newer", "older"])
        let oldest = try window.press("older")
        #expect(oldest.title == "Log, page 3" && oldest.bar.map(\.id) == ["newer"])
        #expect(oldest.plain.contains("Here are those with the numbers 9 to 0."))
        let entry = try window.press("show-entry", ["entry": "30"])
        #expect(entry.position == Position(.logDetails) && entry.plain.contains("Entry 30"))
    }

    @Test("a payload that is typed is what is scanned")
    func payload() throws {
        let window = try Window()
        try window.recoverAlice()
        let payload = WestendPayload.transaction(WestendPayload.transfer(7))
        try window.press("Scan")
        let scanned = try window.scan(payload)
        try window.press("refuse")
        let typed = try window.press("read-payload", ["payload": "0x" + payload])
        #expect(typed.body == scanned.body && typed.bar == scanned.bar)
    }
}
