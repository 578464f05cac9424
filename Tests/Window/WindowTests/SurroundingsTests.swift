#if canImport(CGIO)
    import Foundation
    import TestSupport
    import Testing
    import WindowTestSupport

    /// What happens around the window, and what its caller would like to happen inside it.
    @Suite(
        "Around the window", .serialized, .enabled(if: Desktop.obstacle == nil, "\(Desktop.obstacle ?? "")"))
    struct SurroundingsTests {
        private static let pin = "correct horse battery 7"

        /// A window over a vault in the desktop's folder, in a namespace without a network of its own.
        private func window(on desktop: Desktop) throws -> DrivenWindow {
            try DrivenWindow(
                ChildProgram.built("casemate-window"), ["--isolated", "--vault", desktop.folder.path("vault")],
                on: desktop)
        }

        private func setUp(_ window: DrivenWindow) throws {
            try window.page("AirgapCheck/-")
            try window.type(Self.pin, into: "New PIN or passphrase")
            try window.type(Self.pin, into: "The same once more")
            try window.press("Set the vault up")
            try window.sees("New key set")
        }

        private func unlock(_ window: DrivenWindow, with pin: String = pin) throws {
            try window.page("Unlock/-")
            try window.type(pin, into: "PIN or passphrase")
            try window.keys("Return")
        }

        @Test("a vault is set up, found locked by the next window, refused to a wrong PIN and opened by the right one")
        func lives() throws {
            let desktop = try Desktop()
            let first = try window(on: desktop)
            try setUp(first)
            first.end()
            let second = try window(on: desktop)
            try unlock(second, with: "wrong horse battery 7")
            try second.sees("does not open the vault")
            try second.press("Back")
            try unlock(second)
            try second.sees("New key set")
        }

        @Test("while one window has the vault another says so, and has it when the first has ended")
        func isAlone() throws {
            let desktop = try Desktop()
            let first = try window(on: desktop)
            try setUp(first)
            let second = try window(on: desktop)
            try unlock(second)
            try second.sees("Another program is using the vault")
            first.end()
            try second.focus()
            try second.press("Back")
            try unlock(second)
            try second.sees("New key set")
        }

        @Test("a window that was closed leaves its note, also where no folder is named")
        func notesItsEnd() throws {
            let desktop = try Desktop()
            let note = desktop.folder.url.appending(path: "closed")
            let window = try DrivenWindow(
                "/bin/sh",
                [
                    "-c", #"cd "$0" && exec "$@""#, desktop.folder.path,
                    ChildProgram.built("casemate-window"), "--demo", "--kiosk", "--accessibility", "on",
                    "--closed-note", "closed",
                ], on: desktop)
            try window.page("SeedSelector/-")
            try window.press("Settings")
            try window.page("Settings/-")
            #expect(!FileManager.default.fileExists(atPath: note.path))
            try window.press("Close")
            try DrivenWindow.wait("the program has ended") { window.isRunning ? nil : () }
            #expect(FileManager.default.fileExists(atPath: note.path))
        }

        /// The window's picture once nothing moves any more.
        private func stillPicture(of window: DrivenWindow) throws -> ScreenPicture {
            try DrivenWindow.wait("the window stands still") {
                let one = try window.picture()
                for _ in 0..<4 {
                    // A window that has not had its turn stands still, too: it has had one when it has answered.
                    _ = try window.tree()
                    guard try window.picture().pixels == one.pixels else { return nil }
                }
                return one
            }
        }

        /// The picture of a window that waits for its PIN.
        private func pictureOfLocked(_ window: DrivenWindow) throws -> ScreenPicture {
            try window.page("Unlock/-")
            try window.click("PIN or passphrase", role: "text box")
            return try stillPicture(of: window)
        }

        @Test("a vault that is locked from elsewhere is locked on the screen at once, and no word of its phrase stays")
        func locksFromElsewhere() async throws {
            let desktop = try Desktop()
            let window = try window(on: desktop)
            try setUp(window)
            try window.press("Make a new one")
            try window.type("savings", into: "Name of the key set")
            try window.press("Make the words")
            try window.sees("The words of savings")
            _ = try await ChildProgram.run(
                ChildProgram.built("casemate"), ["lock", "--vault", desktop.folder.path("vault")])
            let locked = try pictureOfLocked(window)
            #expect(try window.words().allSatisfy { !$0.contains("savings") })
            try unlock(window)
            try window.sees("New key set")
            #expect(try window.words().allSatisfy { !$0.contains("savings") })
            window.end()
            // Nothing but what a window shows that never had the vault open.
            #expect(try pictureOfLocked(self.window(on: desktop)).pixels == locked.pixels)
        }

        /// What a person, or somebody in their place, may have set up for all windows.
        private func foreignSettings(on desktop: Desktop) throws -> [String: String] {
            let config = desktop.folder.path("config")
            try FileManager.default.createDirectory(atPath: config + "/gtk-4.0", withIntermediateDirectories: true)
            try desktop.folder.write("* { color: red; background: red; }", to: "config/gtk-4.0/gtk.css")
            try desktop.folder.write("[Settings]\ngtk-font-name=Serif 40\n", to: "config/gtk-4.0/settings.ini")
            return [
                "XDG_CONFIG_HOME": config, "GTK_THEME": "HighContrastInverse", "GDK_SCALE": "2", "GTK_MODULES": "evil",
                "GDK_DEBUG": "no-portals", "LD_BIND_NOW": "1",
            ]
        }

        @Test(
            "a style sheet, settings and modules of the user change nothing of what is seen",
            arguments: ["light", "dark"])
        func ignoresUserStyles(_ look: String) throws {
            let desktop = try Desktop()
            func picture(_ environment: [String: String]) throws -> ScreenPicture {
                let window = try DrivenWindow(
                    ChildProgram.built("casemate-window"), ["--demo", "--look", look], on: desktop,
                    environment: environment)
                try window.page("SeedSelector/-")
                try window.keys("F6")
                try window.sees("Public phrase")
                return try stillPicture(of: window)
            }
            let settings = try foreignSettings(on: desktop)
            #expect(try picture([:]).pixels == picture(settings.merging(["GTK_DEBUG": "interactive"]) { $1 }).pixels)
        }

        @Test("the same style sheet and settings change what a program shows that takes its environment as it comes")
        func foreignSettingsWork() throws {
            let desktop = try Desktop()
            func picture(_ environment: [String: String]) throws -> ScreenPicture {
                let window = try DrivenWindow(
                    ChildProgram.built("SecretsTestHost"), ["5a5a5a5a", "5a5a5a5a"], on: desktop,
                    environment: environment)
                try window.sees("Count typed")
                return try stillPicture(of: window)
            }
            #expect(try picture([:]).pixels != picture(foreignSettings(on: desktop)).pixels)
        }
    }
#endif
