#if canImport(CGIO)
    import Foundation
    import TestSupport
    import Testing
    import WindowTestSupport

    /// A window that is left alone until its vault locks, which takes minutes of the machine's own clock.
    @Suite("A window left alone", .enabled(if: Desktop.obstacle == nil, "\(Desktop.obstacle ?? "")"))
    struct AutolockWindowTests {
        /// More than one, so that it does not lock between two steps of a test on a busy machine.
        private static let minutes = 3

        private func vault() async throws -> WindowVault {
            try await WindowVault(["--pin", "--autolock", "\(Self.minutes)"])
        }

        /// Waits until it has locked by itself, for most of the time without a thread: tests have few of them.
        private func locks(_ window: DrivenWindow) async throws {
            try await Task.sleep(for: .seconds(60 * Self.minutes - 10))
            try window.page("Unlock/-")
        }

        private func unlock(_ window: DrivenWindow) throws {
            try window.page("Unlock/-")
            try window.type(WindowVault.pin, into: "PIN or passphrase")
            try window.keys("Return")
            try window.page("SeedSelector/-")
        }

        /// The words of phrases that stand on a picture for eyes.
        private func words(on picture: ScreenPicture, _ vault: WindowVault) throws -> Set<String> {
            try Set(
                [2, 3].flatMap { factor in
                    DrawnWords.found(in: try picture.lines(in: vault.scratch.path, enlargedBy: factor))
                })
        }

        @Test(
            "when the vault locks by itself while words are shown, no word of them stays on the screen",
            .enabled(if: DrawnWords.obstacle == nil, "\(DrawnWords.obstacle ?? "")"), .timeLimit(.minutes(30)))
        func hidesWords() async throws {
            let vault = try await vault()
            let window = try vault.window()
            try window.page("Unlock/-")
            let before = try words(on: window.picture(), vault)
            try unlock(window)
            try window.press("New key set", "Make a new one")
            try window.type("savings", into: "Name of the key set")
            try window.press("Make the words")
            try window.sees("I wrote it down")
            let (read, picture) = try DrawnWords.phraseAndPicture(
                in: window, labelled: "The words of savings", folder: vault.scratch.path)
            let phrase = Set(read)
            // They can be read as long as they are there: what is not read afterwards is gone.
            let shown = try words(on: picture, vault)
            #expect(shown.intersection(phrase).count > phrase.count / 2)
            try await locks(window)
            try DrivenWindow.wait("no word is on the screen") {
                try words(on: window.picture(), vault).intersection(phrase).subtracting(before).isEmpty ? () : nil
            }
            let told = try window.tree(hidden: true).all.flatMap(\.words)
            #expect(told.allSatisfy { !$0.contains("savings") })
            window.end()
            #expect(try await vault.casemate(["seed", "list"]).allSatisfy { !$0.contains("savings") })
        }

        @Test(
            "a clock that jumps locks nothing and keeps nothing open, and the log goes on in its order",
            .timeLimit(.minutes(30)))
        func jumps() async throws {
            let vault = try await vault()
            try vault.scratch.write("0", to: "clock")
            let window = try DrivenWindow(
                ChildProgram.built("AdwaitaTestHost"), ["signer", vault.folder, vault.scratch.path("clock"), "00"],
                on: Desktop(), hasNetwork: false)
            try unlock(window)
            try window.press("Log")
            let year = 366 * 86_400
            for (note, seconds) in [("now", 0), ("in a year", year), ("a year ago", -year)] {
                try vault.scratch.write("\(seconds)", to: "clock")
                try window.writeNote(note)
            }
            // A year ago by the clock; minutes later by the one that nobody sets.
            try await locks(window)
            window.end()
            try await vault.casemate(["log", "verify"])
            let entries = try await vault.log()
            let notes = entries.filter { $0.events.contains { $0.event == "UserEntry" } }
            #expect(notes.map { $0.events[0].detail } == ["now", "in a year", "a year ago"])
            #expect(entries.map(\.timestamp) == entries.map(\.timestamp).sorted())
            // The last one has the time of the one before, and says what the clock said.
            #expect(notes[1].timestamp == notes[2].timestamp && notes[0].timestamp < notes[1].timestamp)
            #expect(notes[2].events.contains { $0.detail.contains("clock went back") })
        }
    }
#endif
