#if canImport(CGIO)
    import Foundation
    import TestSupport
    import Testing
    import WindowTestSupport

    @Suite(
        "Key sets in the window", .serialized, .enabled(if: Desktop.obstacle == nil, "\(Desktop.obstacle ?? "")"))
    struct SeedWindowTests {
        @Test(
            "a new key set is kept once its words are known from paper, and its words are told to nobody else",
            .enabled(if: DrawnWords.obstacle == nil, "\(DrawnWords.obstacle ?? "")"))
        func newSeed() async throws {
            let vault = try await WindowVault()
            let window = try vault.window()
            try window.page("SeedSelector/-")
            try window.press("New key set", "Make a new one")
            try window.sees("Name of the key set")
            try window.type("savings", into: "Name of the key set")
            try window.press("Make the words")
            try window.sees("I wrote it down")
            let phrase = try DrawnWords.phrase(
                in: window, labelled: "The words of savings", folder: vault.scratch.url.path)
            #expect(phrase.count == 24)
            try expectNothing(of: phrase, toldBy: window)
            try window.press("I wrote it down")
            try window.sees("The words are hidden.")
            #expect(try !window.words().contains("Show the words"))
            // Three are asked for; a wrong one is not taken.
            let places = try window.tree().all.filter { $0.role == "text box" }
                .compactMap { $0.name.split(separator: " ").last.flatMap { Int($0) } }
            #expect(places.count == 3)
            let wrong = try #require(places.first)
            for place in places {
                try window.type(
                    place == wrong ? DrawnWords.other(than: phrase[place - 1]) : phrase[place - 1],
                    into: "Word \(place)")
            }
            try window.keys("Return")
            try window.sees("Word \(wrong) is another one. Look at what you have written down.")
            #expect(try await vault.casemate(["seed", "list"]).allSatisfy { !$0.contains("savings") })
            try window.click("Word \(wrong)", role: "text box")
            for _ in 0..<8 { try window.keys("BackSpace") }
            try window.type(phrase[wrong - 1])
            try expectNothing(of: phrase, toldBy: window)
            try window.keys("Return")
            try window.page("Keys/-")
            try window.sees("savings")
            window.end()
            // The words on the screen are the seed's: another vault makes the same keys of them.
            let other = try await WindowVault(phrase: phrase.joined(separator: " "))
            let keys = try await vault.keys(of: "savings")
            #expect(keys.map(\.path) == ["", "//kusama", "//polkadot", "//statemint", "//westend"])
            #expect(try await keys.map(\.publicKey) == other.keys(of: "demo").map(\.publicKey))
        }

        @Test("throws that are typed are mixed in or asked about, whatever is pressed")
        func throwsAreKept() async throws {
            let vault = try await WindowVault()
            let window = try vault.window()
            try window.page("SeedSelector/-")
            try window.press("New key set", "Make a new one", to: "NewSeed/-")
            try window.type("savings", into: "Name of the key set")
            try window.press("Other words")
            try window.type(String(repeating: "1234566", count: 8), into: "Throws of yours")
            try window.keys("Return")
            try window.sees("Press the one that you mean.")
            try window.press("Make the words")
            try window.sees("Press the button for dice or for coins")
            #expect(try window.position() == "NewSeed/-")
            try window.press("Make them with these dice")
            try window.sees("56 throws of dice were mixed in")
        }

        @Test("a phrase is recovered from words typed one after the other, of which one is taken back")
        func recovered() async throws {
            let vault = try await WindowVault()
            let window = try vault.window()
            try window.page("SeedSelector/-")
            try window.press("New key set", "Recover from words", to: "RecoverSeedName/-")
            try window.type("other", into: "Name of the key set")
            try window.press("Go on to the words", to: "RecoverSeedPhrase/-")
            try window.sees("Word 1")
            // The next word's field has the keys by itself, and a blank takes what the letters can only mean.
            let words = WindowVault.otherPhrase.split(separator: " ").map(String.init)
            try window.type("zoo ")
            try window.sees("Word 2")
            try window.keys("BackSpace")
            try window.sees("Word 1")
            for _ in 0..<3 { try window.keys("BackSpace") }
            for (index, word) in words.enumerated() {
                try window.type(word + " ")
                try window.sees("Word \(index + 2)")
            }
            // The field itself is called so, for those who cannot see what stands above it.
            let next = "Word \(words.count + 1)"
            #expect(try window.tree().all.contains { $0.role == "text box" && $0.name == next })
            try window.sees("The words have a valid checksum.")
            try expectNothing(of: words, toldBy: window)
            try window.press("Store the key set", to: "Keys/-")
            window.end()
            let same = try await WindowVault(phrase: WindowVault.otherPhrase)
            #expect(try await vault.keys(of: "other").map(\.publicKey) == same.keys(of: "demo").map(\.publicKey))
        }

        /// Whether no word of a phrase stands by itself, and no two one after the other, in what is told of the window,
        /// whose own sentences may have a word by chance.
        private func expectNothing(of phrase: [String], toldBy window: DrivenWindow) throws {
            for said in try window.tree(hidden: true).all.flatMap(\.words) {
                let words = said.lowercased().split { !$0.isLetter }.map(String.init)
                #expect(!phrase.contains(said))
                for (first, second) in zip(phrase, phrase.dropFirst()) {
                    #expect(!zip(words, words.dropFirst()).contains { $0 == (first, second) })
                }
            }
        }

        @Test("a key's path is judged while it is typed, and the key is in the list with its whole address")
        func derivedKey() async throws {
            let vault = try await WindowVault()
            let window = try vault.window()
            try window.page("SeedSelector/-")
            try window.press("demo", to: "Keys/-")
            let there = try await vault.keys(of: "demo")
            try window.press("New key", to: "DeriveKey/-")
            try window.sees("A key can be made.")
            try window.type("Alice", over: "Path")
            try window.sees("Refused: A path begins with / or //.")
            try window.type("//polkadot", over: "Path")
            let polkadot = try #require(there.first { $0.path == "//polkadot" }?.networks.first)
            try window.sees("There is a key with this path already: " + Self.grouped(polkadot.address))
            try window.press("Make the key")
            try window.sees("The key //polkadot is in Polkadot already.")
            try window.press("Back", to: "DeriveKey/-")
            try window.type("//Alice", over: "Path")
            try window.sees("A key can be made.")
            try window.press("Make the key", to: "Keys/-")
            try window.sees("//Alice")
            let words = try window.words()
            window.end()
            let made = try #require(try await vault.keys(of: "demo").first { $0.path == "//Alice" })
            // The key that everybody has of the public phrase at this path.
            #expect(made.publicKey == "0x" + WestendPayload.alice)
            let address = try #require(made.networks.first)
            #expect(made.networks.count == 1 && address.network == "Polkadot")
            #expect(words.contains(Self.grouped(address.address)))
        }

        /// An address as screens write it.
        private static func grouped(_ address: String) -> String {
            stride(from: 0, to: address.count, by: 4).map { address.dropFirst($0).prefix(4) }.joined(separator: " ")
        }
    }
#endif
