#if canImport(CGIO)
    import Testing

    @Suite("The layer over GTK", .enabled(if: HostScreen.obstacle == nil, "Xvfb is missing: apt-get install xvfb"))
    struct LayerTests {
        @Test("a widget, its handlers, drawings and timers are freed with the last reference")
        func lifetimes() async throws {
            #expect(
                try await HostScreen().ask("lifetimes") == [
                    "held: 1 objects, 1 handlers", "let go: 0 objects, 0 handlers", "in a box: 1 objects, 1 handlers",
                    "box let go: 0 objects, 0 handlers", "two handlers: 0 objects, 2 handlers",
                    "one disconnected: 0 objects, 1 handlers", "a drawing: 0 objects, 2 handlers",
                    "drawing taken off: 0 objects, 1 handlers", "a timer: 0 objects, 2 handlers",
                    "timer let go: 0 objects, 1 handlers",
                ])
        }

        @Test("signals come with all their arguments, and are answered")
        func signals() async throws {
            #expect(
                try await HostScreen().ask("signals") == [
                    "clicked", "resize 12 34", "changed", "key 32 65 false", "dealt with: true", "key 97 65 true",
                    "dealt with: false",
                ])
        }

        @Test("tasks of the main actor run while the loop does, leave it time to draw, and let it sleep afterwards")
        func loop() async throws {
            #expect(try await HostScreen().ask("loop") == ["tasks: 2000", "drawn beside a busy task", "idle"])
        }

        @Test("a label shows markup, mnemonics and zeros as they are, and no hyphens in addresses")
        func labels() async throws {
            #expect(
                try await HostScreen().ask("labels") == [
                    "<b>bold</b> markup 0 mnemonic 0", "_Sign &amp; <span markup 0 mnemonic 0",
                    "a\u{fffd}b markup 0 mnemonic 0",
                    "no hyphens", "on the page and in a toast: 2", "bold: 0",
                ])
        }

        @Test("the library's inspector does not come when it is called, from a dialog of the library either")
        func inspector() async throws { #expect(try await HostScreen().ask("inspector") == ["windows: 2, 2"]) }
    }
#endif
