import Testing
import Tours

@testable import Screens

@Suite("The page of settings")
struct SettingsPageTests {
    private func row(_ wayOut: Pages.WayOut?) throws -> Row? {
        let window = try Window()
        window.pages.wayOut = wayOut
        let page = try window.press("Settings")
        return page.activeRows.first { $0.press == .window(.closeWindow) }
    }

    @Test("a window of the whole screen can be closed there, and says what ends with it")
    func wayOut() throws {
        #expect(try row(.program)?.title == "Close")
        let row = try #require(try row(.machine))
        #expect(row.title == "Switch off" && row.value?.plain.contains("the machine goes off") == true)
    }

    @Test("a window that has a button for it offers nothing")
    func none() throws { #expect(try row(nil) == nil) }
}
