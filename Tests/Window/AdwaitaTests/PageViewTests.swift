#if canImport(CGIO)
    import Foundation
    import Testing

    @Suite("Pages in a window", .enabled(if: HostScreen.obstacle == nil, "Xvfb is missing: apt-get install xvfb"))
    struct PageViewTests {
        @Test("thousands of pages leave no widget, handler, descriptor or memory behind", .timeLimit(.minutes(30)))
        func pages() async throws {
            #expect(
                try await HostScreen().ask("pages", "3000") == [
                    "objects left: 0", "descriptors left: 0", "memory is given back",
                ])
        }

        @Test("the same page again keeps the focus and what was typed, and another page does not")
        func focus() async throws {
            #expect(
                try await HostScreen().ask("focus") == [
                    "focus: field name", "focus: field name, text: Typed", "focus: field path, text: Typed",
                    "focus: field name, text: Savings",
                ])
        }

        @Test(
            "what has to be held is not pressed by a click, a tap of a key or a key that was down before, but by the word"
        )
        func holding() async throws {
            #expect(
                try await HostScreen().ask("hold") == [
                    "activated: 0", "held for too short: 0", "held since another page: 0", "held: 1", "held on: 1",
                    "half a word: 1", "the word: 2", "once more: 2", "held after another window: 3",
                ])
        }

        @Test("a key that is held while a page changes reaches nothing of the next one, but for those that scroll")
        func turned() async throws {
            #expect(
                try await HostScreen().ask("turned") == [
                    "the page itself: held true, scrolls true, pressed true",
                    "the same page: held true, scrolls true, pressed true",
                    "a sheet: held false, scrolls true, pressed true",
                    "another sheet: held false, scrolls true, pressed true",
                    "an alert: held false, scrolls true, pressed true",
                    "without it: held false, scrolls true, pressed true",
                    "another page: held false, scrolls true, pressed true",
                    "a question: held false, scrolls true, pressed true",
                ])
        }

        @Test("what comes below all else is moved into sight, and never on a page that has to be read")
        func below() async throws {
            #expect(
                try await HostScreen().ask("below") == [
                    "above: as it was", "below: moved", "above: as it was", "below: as it was",
                ])
        }

        @Test("what has to be held works wherever it stands: behind another button, and in rows")
        func holdingAnywhere() async throws {
            let once = ["second: 1", "one: 1", "two: 1"]
            #expect(try await HostScreen().ask("anywhere") == once + once)
        }

        @Test("a page that has to be read is confirmed at its end alone, and left at any time")
        func reading() async throws {
            #expect(
                try await HostScreen().ask("reading") == [
                    "shown: sign waits, no works", "a part: sign waits, no works", "to the end: sign works, no works",
                    "another time: sign waits, no works", "short: sign works, no works",
                ])
        }

        @Test("a page is not taken for read by the sizes of what was there before")
        func unread() async throws {
            #expect(try await HostScreen().ask("unread") == ["after a short page: 0", "grown: 0"])
        }

        @Test("what lies over a page, or is being done, keeps everything beneath from being pressed")
        func layers() async throws {
            #expect(
                try await HostScreen().ask("layers") == [
                    "control new: 1", "control new: 1", "control remove: 2", "control remove: 2", "control remove: 3",
                    "control remove: 3", "control new: 3", "control ok: 4", "control new: 5",
                ])
        }

        @Test("a question about files is gone with the page that it was asked on, and what comes then can be pressed")
        func asking() async throws {
            #expect(
                try await HostScreen().ask("asking") == [
                    "a question: asked, not reached", "the same page: asked, not reached",
                    "a sheet: not asked, reached", "without it: not asked, reached", "windows: 2", "named",
                    "windows: 1",
                ])
        }

        // Of each: words that are hidden, buttons that show and that hide some, and codes that are covered.
        @Test("what a person has hidden stays hidden where the page is made anew, and no button shows it while kept so")
        func hidden() async throws {
            #expect(
                try await HostScreen().ask("hidden") == [
                    "shown: 0 0 2 0", "hidden: 2 1 0 0", "an alert came and went: 2 1 0 1", "other words: 2 1 0 1",
                    "another toggle: 2 1 0 1", "not written: 1 1 1 1",
                ])
        }

        @Test("nothing that is secret can be read while another window is looked at")
        func behind() async throws {
            #expect(
                try await HostScreen().ask("behind") == [
                    "words: differ, the same, differ", "guesses: differ, the same, differ",
                    "typed: differ, the same, differ", "code: differ, the same, the same",
                ])
        }

        @Test("nothing that is secret is shown, nor on demand, of a page that comes while another window has the keys")
        func away() async throws {
            #expect(
                try await HostScreen().ask("away") == [
                    "words: the same, the same, differ", "guesses: the same, the same, differ",
                    "typed: the same, the same, differ", "code: the same, the same, the same",
                ])
        }

        @Test("what ended a scan, or work on a file, is said until something else is done or another page comes")
        func failures() async throws {
            #expect(
                try await HostScreen().ask("failures")
                    == ["scan", "page"].flatMap { place in
                        [
                            "\(place): there", "\(place), later: there", "\(place), news: there",
                            "\(place), a scan: gone", "\(place): there", "\(place), work: gone", "\(place): there",
                            "\(place), another page: gone",
                        ]
                    })
        }

        @Test("a control takes what stands in its own fold or sheet, whatever other fields are called")
        func forms() async throws {
            #expect(try await HostScreen().ask("forms") == ["two", "one", "one", "three", "two"])
        }

        @Test("Enter presses what takes what was typed, goes to what has to be held, and asks where several take it")
        func enter() async throws {
            #expect(
                try await HostScreen().ask("enter") == [
                    "comment: ", "focus: control approve", "comment: GoForward", "words: TextEntry",
                    "throws: which one?",
                ])
        }

        @Test("a word that is half typed is gone when the vault locks, also below an alert, and nobody is told")
        func halfTyped() async throws {
            let gone = "typed, empty, asked: 2"
            #expect(try await HostScreen().ask("halfTyped") == [gone, gone])
        }

        @Test("each pixel of a code is that of its module, at any size of the window; a key's has its own colour")
        func codes() async throws {
            #expect(
                try await HostScreen().ask("codes") == [
                    "a key: 0 pixels differ, large enough", "360 × 640: 0 pixels differ, large enough",
                    "1000 × 700: 0 pixels differ, large enough", "417 × 533: 0 pixels differ, large enough",
                ])
        }

        @Test("no page is wider than a phone")
        func widths() async throws { #expect(try await HostScreen().ask("widths") == ["9 pages"]) }

        @Test("a person's own styles do not hide a warning")
        func styles() async throws {
            let screen = try await HostScreen()
            let folder = screen.folder.url.appending(path: "styles/gtk-4.0")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let hostile =
                ".risk.danger { background: #ffffff; border-color: #ffffff; opacity: 0; } * { background: #ffffff; }"
            try Data(hostile.utf8).write(to: folder.appending(path: "gtk.css"))
            #expect(try await screen.ask("colour") == ["a red card"])
            let styles = screen.folder.url.appending(path: "styles").path
            #expect(try await screen.ask("colour", configuration: styles) == ["a red card"])
        }
    }
#endif
