#if canImport(CGIO)
    import Foundation
    import TestSupport
    import Testing
    import WindowTestSupport

    /// The same steps once by commands of the terminal and once in the window.
    @Suite(
        "Commands and the window", .serialized, .enabled(if: Desktop.obstacle == nil, "\(Desktop.obstacle ?? "")"),
        .enabled(if: DrawnWords.obstacle == nil, "\(DrawnWords.obstacle ?? "")"),
        .enabled(if: ScreenPicture.decoderObstacle == nil, "\(ScreenPicture.decoderObstacle ?? "")"))
    struct ComparisonWindowTests {
        private static let bob = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
        private static let password = "a password of a key"
        private static let dice = String(repeating: "1625344", count: 8)
        /// Who signs updates here: //kusama of the development phrase, in Kusama's form.
        private static let publisher = "ErGkNDDPmnaRZKxwe4VBLonyBJVmucqURFMatEJTwktsuTv"

        /// What is scanned, in its order.
        private struct Films {
            var network: String
            var metadata: String
            var transaction: String
            /// What is opened as a file, and typed.
            let file: String
            let typed = WestendPayload.transaction(WestendPayload.remark("typed"))
            /// Whose folder they are in.
            private let publisher: WindowVault

            init(from publisher: WindowVault) async throws {
                func film(_ name: String, _ what: [String]) async throws -> String {
                    let (update, film) = (publisher.scratch.path("\(name).bin"), publisher.scratch.path("\(name).apng"))
                    try await publisher.casemate(
                        ["network", "sign", "westend"] + what
                            + ["--with", ComparisonWindowTests.publisher, "--yes", "--update", update])
                    _ = try await ChildProgram.run(ChildProgram.built("airgap"), ["send", update, "--out", film])
                    return film
                }
                network = try await film("network", [])
                metadata = try await film("metadata", ["--metadata", "9122"])
                let call = WestendPayload.transaction(WestendPayload.remark("the same"))
                self.publisher = publisher
                transaction = try await publisher.film(of: call, named: "transaction.apng")
                file = try publisher.scratch.write(
                    WestendPayload.transaction(WestendPayload.remark("in a file")) + "\n", to: "payload.hex")
            }

            var all: [String] { [network, metadata, transaction] }
        }

        // MARK: By commands

        private func byCommands(_ vault: WindowVault, _ films: Films) async throws {
            func run(_ arguments: String..., firstPIN: String? = nil, secret: String? = nil) async throws {
                try await vault.casemate(arguments, pin: firstPIN, secret: secret)
            }
            func address(_ path: String) async throws -> String {
                let key = try await vault.keys(of: "demo").first { $0.path == path }
                return try #require(key?.networks.first?.address)
            }
            try await run("log", "clear", "--yes")
            try await run("update", "--qr", films.network, "--yes")
            try await run("update", "--qr", films.metadata, "--yes")
            try await run("key", "derive", "demo", "//westend", "--network", "westend")
            try await run("key", "derive", "demo", "//a", "--network", "westend")
            try await run(
                "key", "derive", "demo", "//b", "--network", "westend", "--password-fd", "4", secret: Self.password)
            try await run("key", "next", address("//a"), "--count", "2")
            try await run("key", "remove", address("//a//0"), "--yes")
            try await run("key", "export-secret", address("//a//1"), "--secret-fd", "6", "--yes")
            try await run("seed", "show", "demo", "--phrase-fd", "6")
            try await run("seed", "recover", "other", "--phrase-fd", "4", secret: WindowVault.otherPhrase)
            try await run("seed", "remove", "other", "--yes")
            let shares = vault.scratch.path("shares")
            try await run(
                "seed", "split", "demo", "--shares", "4", "--required", "3", "--passphrase-fd", "6", "--repeat-fd", "7",
                "--out", shares)
            let passphrase = vault.shown
            try await run("seed", "remove", "demo", "--yes")
            try await run("seed", "join", shares, "--roots", "--passphrase-fd", "4", secret: passphrase)
            try await run("log", "comment", "by hand")
            try await run("contact", "add", "Bob", Self.bob)
            try await run("contact", "change", "Bob", "--note", "a friend")
            try await run("contact", "remove", "Bob")
            try await run("contact", "add", "Bob", Self.bob)
            try await run("network", "remove", "kusama", "--yes")
            try await run("network", "block", "statemint", "--yes")
            try await run("network-policy", "--network-allowed", "--ignore-radios")
            try await run("sign", "--qr", films.transaction, "--yes", "--comment", "rent")
            try await run("sign", "--file", films.file, "--yes", "--comment", "from a file")
            try await run("sign", "--hex", films.typed, "--yes", "--comment", "from the keyboard")
            try await run("seed", "rename", "demo", "savings")
            try await run("seed", "new", "fresh", "--words", "12", "--roots", "--phrase-fd", "6")
            try await run("seed", "remove", "fresh", "--yes")
            try await run(
                "seed", "new", "fresh", "--words", "15", "--roots", "--dice", "--throws-fd", "4", "--phrase-fd", "6",
                secret: Self.dice)
            try await run("seed", "remove", "fresh", "--yes")
            try await run("protect", "--autolock", "20")
            try await run("rotate")
            try await run("protect", "--pin", "--new-pin-fd", "4", secret: "the first PIN")
            try await run(
                "protect", "--change-pin", "--new-pin-fd", "4", firstPIN: "the first PIN", secret: WindowVault.pin)
        }

        // MARK: In the window

        private func inWindow(_ vault: WindowVault, _ films: Films) async throws {
            let window = try vault.window(films: films.all)
            try window.page("SeedSelector/-")
            try window.press("Log", to: "Log/-")
            try window.press("Checksum of the log")
            try window.hold("Clear the log")
            try window.sees("HistoryCleared")
            for _ in 0..<2 { try takeUpdateIn(window) }
            try useKeys(window)
            try useSeeds(window)
            let shares = try split(window, vault)
            window.end()
            try join(shares, in: vault)
            let second = try vault.window(films: [films.transaction])
            try keepContacts(second)
            try dropNetworks(second)
            try letRadiosPass(second)
            try second.press("Scan", to: "Scan/-")
            try second.press("Camera")
            try sign(second, comment: "rent")
            try second.press("Without a code", "Open a file")
            try second.choose(films.file, in: "A payload in a file")
            try sign(second, comment: "from a file")
            try second.press("Without a code")
            try second.type(films.typed, into: "Payload as hexadecimal digits")
            try second.press("Look at it")
            try sign(second, comment: "from the keyboard")
            try rename(second)
            try makeWords(second, vault)
            try protect(second)
            second.end()
        }

        private func takeUpdateIn(_ window: DrivenWindow) throws {
            try window.press("Scan", to: "Scan/-")
            try window.press("Camera", to: "Transaction/-")
            try window.sees("Take it in")
            try window.keys("End")
            try window.seesNoMore("Read to the end of the page first.")
            try window.hold("Take it in")
            try window.seesNoMore("Take it in")
            // What it is about is shown, from where the way leads back to the main parts.
            while let place = try window.position(), !["Settings/-", "Scan/-"].contains(place) {
                try window.press("Back")
                try window.wait("the way back from \(place)") { tree in
                    tree.all.contains { $0.isVisible && $0.description == place } ? nil : ()
                }
            }
        }

        private func makeKey(_ path: String, in window: DrivenWindow) throws {
            try window.press("New key", to: "DeriveKey/-")
            try window.type(path, over: "Path")
            try window.sees("A key can be made.")
            try window.press("Make the key", to: "Keys/-")
            try window.sees(path)
        }

        private func useKeys(_ window: DrivenWindow) throws {
            try window.press("Keys", to: "SeedSelector/-")
            try window.press("demo", to: "Keys/-")
            try window.press("Network", "Westend", to: "Keys/-")
            try makeKey("//westend", in: window)
            try makeKey("//a", in: window)
            try window.press("New key", to: "DeriveKey/-")
            try window.type("//b", over: "Path")
            try window.press("With a password")
            try window.type(Self.password, into: "Password")
            try window.press("Go on with this password")
            try window.type(Self.password, into: "The same password")
            try window.keys("Return")
            try window.page("Keys/-")
            try window.sees("//b")
            try window.press("More of //a")
            try window.set(2, for: "How many further keys")
            try window.press("Make further keys")
            try window.sees("//a//1")
            try window.press("More of //a//0")
            try window.sees("With the key //a//0")
            try window.hold("Forget this key")
            try window.seesNoMore("//a//0")
            try window.press("//a//1", to: "KeyDetails/-")
            try window.press("What can be done with this key", "Show its secret")
            try window.hold("Show the secret")
            try window.sees("Secret of //a//1")
            try window.press("Close", to: "KeyDetails/-")
            try window.press("Back", to: "Keys/-")
            try window.press("What can be done with this key set", "Show its words")
            try window.sees("Words of demo")
            try window.press("Show the words")
            try window.sees("Hide the words")
            try window.press("Close", to: "Keys/-")
        }

        private func useSeeds(_ window: DrivenWindow) throws {
            try window.press("Keys", to: "SeedSelector/-")
            try window.press("New key set", "Recover from words", to: "RecoverSeedName/-")
            try window.type("other", into: "Name of the key set")
            try window.press("Go on to the words", to: "RecoverSeedPhrase/-")
            try window.click("Word 1", role: "text box")
            for (index, word) in WindowVault.otherPhrase.split(separator: " ").enumerated() {
                try window.type(word + " ")
                try window.sees("Word \(index + 2)")
            }
            try window.sees("The words have a valid checksum.")
            try window.press("The key of the set itself too", "Store the key set", to: "Keys/-")
            try window.press("What can be done with this key set", "Remove this key set")
            try window.hold("Remove other")
            try window.page("Log/-")
            try window.press("Keys", to: "SeedSelector/-")
            try window.seesNoMore("other")
        }

        /// Splits the seed, and removes it.
        private func split(_ window: DrivenWindow, _ vault: WindowVault) throws -> SplitShares {
            try window.press("demo", to: "Keys/-")
            let shares = try SplitShares.take(from: window, of: vault, named: "share")
            try window.press("What can be done with this key set", "Remove this key set")
            try window.hold("Remove demo")
            try window.page("Log/-")
            return shares
        }

        private func join(_ shares: SplitShares, in vault: WindowVault) throws {
            let window = try vault.window(films: shares.pictures)
            try window.sees("Recover from shares")
            try window.press("Recover from shares", to: "SplitRecover/-")
            for numbers in ["1", "1, 2"] {
                try window.press("Camera")
                try window.wait("the shares \(numbers) are there") { tree in
                    tree.all.filter(\.isVisible).flatMap(\.words).contains(numbers) ? () : nil
                }
            }
            try window.press("Camera")
            try window.sees("Passphrase of the shares")
            try window.type(shares.passphrase, into: "Passphrase")
            try window.press("Recover", to: "Keys/-")
            try window.press("Log")
            try window.writeNote("by hand")
            window.end()
        }

        private func addBob(_ window: DrivenWindow) throws {
            try window.press("New contact")
            try window.type("Bob", into: "Name")
            try window.type(Self.bob, into: "Address")
            try window.press("Keep it", to: "AddressBook/-")
            try window.sees("Bob")
        }

        private func keepContacts(_ window: DrivenWindow) throws {
            try window.page("SeedSelector/-")
            try window.press("Settings", "Address book", to: "AddressBook/-")
            try addBob(window)
            try window.press("Bob", to: "ContactDetails/-")
            try window.press("Change this contact")
            try window.type("a friend", into: "Note")
            try window.press("Keep it", to: "ContactDetails/-")
            try window.sees("a friend")
            try window.hold("Remove Bob")
            try window.page("AddressBook/-")
            try addBob(window)
        }

        private func dropNetworks(_ window: DrivenWindow) throws {
            try window.press("Back", to: "Settings/-")
            try window.press("Networks", to: "ManageNetworks/-")
            try window.press("Kusama", to: "NetworkDetails/-")
            try window.press("What can be done with this network", "Remove it")
            try window.hold("Remove the network")
            try window.page("ManageNetworks/-")
            try window.press("Polkadot Asset Hub", to: "NetworkDetails/-")
            try window.press("What can be done with this network", "Block it", "Block the network")
            try window.type("Polkadot Asset Hub", into: "Type Polkadot Asset Hub")
            try window.press("Do it", to: "ManageNetworks/-")
        }

        private func letRadiosPass(_ window: DrivenWindow) throws {
            try window.press("Back", to: "Settings/-")
            try window.press("Network policy", to: "NetworkPolicy/-")
            try window.sees("It lets pass: Any connection.")
            try window.press("Radios that are switched on")
            try window.hold(
                "Change it", untilShown: "It lets pass: Radios that are switched on, Any connection.")
            try window.press("Back", to: "Settings/-")
        }

        /// Signs what is shown, and goes back to where codes are scanned.
        private func sign(_ window: DrivenWindow, comment: String) throws {
            try window.page("Transaction/-")
            try window.type(comment, into: "Comment for the log")
            try window.readToTheEnd()
            try window.hold("Sign")
            try window.sees("Code of the signature")
            try window.press("Done", to: "Log/-")
            try window.press("Scan", to: "Scan/-")
        }

        private func rename(_ window: DrivenWindow) throws {
            try window.press("Keys", to: "SeedSelector/-")
            try window.press("demo", to: "Keys/-")
            try window.press("What can be done with this key set", "Rename")
            try window.sees("Another name for demo")
            try window.type("savings", over: "Name of the key set")
            try window.keys("Return")
            try window.page("SeedSelector/-")
            try window.sees("savings")
        }

        private func makeWords(_ window: DrivenWindow, _ vault: WindowVault) throws {
            for (count, throwing) in [(12, nil), (15, Self.dice)] as [(Int, String?)] {
                try window.press("New key set", "Make a new one", to: "NewSeed/-")
                try window.type("fresh", into: "Name of the key set")
                try window.press("Other words")
                try window.set(count, for: "How many words")
                if let throwing { try window.type(throwing, into: "Throws of yours") }
                try window.press(throwing == nil ? "Make so many words" : "Make them with these dice")
                let words = try window.storeWords(of: "fresh", folder: vault.scratch.url.path)
                #expect(words.count == count)
                try window.press("What can be done with this key set", "Remove this key set")
                try window.hold("Remove fresh")
                try window.page("Log/-")
                try window.press("Keys", to: "SeedSelector/-")
            }
        }

        private func protect(_ window: DrivenWindow) throws {
            try window.unfoldProtection("Another time until it locks")
            try window.set(20, for: "Locks after so many minutes")
            try window.press("Lock after this time", "Change it", to: "Protection/-")
            try window.sees("after 20 minutes of waiting")
            try window.press("New keys for what is stored", "Seal all anew", "Change it", to: "Protection/-")
            try window.press("Another protection")
            try window.type("the first PIN", into: "New PIN or passphrase")
            try window.type("the first PIN", into: "The same once more")
            try window.press("Protect it by this PIN", "Change it")
            try window.unlock(with: "the first PIN")
            try window.unfoldProtection("Another PIN or passphrase")
            try window.type(WindowVault.pin, into: "New PIN or passphrase")
            try window.type(WindowVault.pin, into: "The same once more")
            try window.press("Change the PIN")
            try window.type("the first PIN", into: "What opens the vault now")
            try window.press("Change it")
            try window.unlock(with: WindowVault.pin)
        }

        // MARK: What is there behind them

        /// What protects a vault, as the terminal tells.
        private struct Protection: Decodable, Equatable {
            struct Way: Decodable, Equatable { var kind: String }
            struct Epoch: Decodable, Equatable { var number: Int }
            var protections: [Way]
            var autolock: Int
            var epochs: [Epoch]
            var rotating: Bool
        }

        private func protection(_ vault: WindowVault) async throws -> Protection {
            let lines = try await vault.casemate(["status", "--json"], unlocks: false)
            return try JSONDecoder().decode(Protection.self, from: Data(lines.joined(separator: "\n").utf8))
        }

        /// Lists of what is in a vault, as JSON with sorted members and without times.
        private func lists(_ vault: WindowVault) async throws -> [String] {
            var lists: [String] = []
            for list in [
                ["key", "list"], ["seed", "list"], ["contact", "list"], ["network", "list"],
                ["network", "list", "--absent"],
            ] {
                let lines = try await vault.casemate(list + ["--json"], unlocks: list[0] != "network")
                let text = lines.joined(separator: "\n")
                let value = Self.timeless(try JSONSerialization.jsonObject(with: Data(text.utf8)))
                let data = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .prettyPrinted])
                lists.append(String(decoding: data, as: UTF8.self))
            }
            return lists
        }

        private static func timeless(_ value: Any) -> Any {
            if let list = value as? [Any] { return list.map(timeless) }
            guard let object = value as? [String: Any] else { return value }
            return object.filter { $0.key != "added" }.mapValues(timeless)
        }

        /// The events of each entry of the log, the oldest first.
        private func events(_ vault: WindowVault) async throws -> [[WindowVault.LogEntry.Event]] {
            try await vault.casemate(["log", "verify"])
            return try await vault.log().map { entry in
                entry.events.compactMap { event in
                    var event = event
                    // When the network was seen, and the digest of a log with other times, are not the same in both.
                    if event.detail.hasPrefix("seen ") { return nil }
                    if event.detail.hasPrefix("previous log: ") { event.detail = "previous log" }
                    // The words of this key set were made anew, and so were its keys.
                    if event.detail.contains("fresh") { event.detail = "fresh" }
                    return event
                }
            }
        }

        @Test(
            "window and commands leave the same keys, seeds, contacts, networks and entries in the log",
            .timeLimit(.minutes(30)))
        func same() async throws {
            let films = try await Films(from: WindowVault())
            let (one, other) = (try await WindowVault(), try await WindowVault())
            for vault in [one, other] {
                // As if it had never known the network.
                try await vault.casemate(["network", "block", "westend", "--yes"])
                try await vault.casemate(["network", "unblock", WestendPayload.genesis, "--yes"])
            }
            try await byCommands(one, films)
            try await inWindow(other, films)
            let (commands, window) = (try await lists(one), try await lists(other))
            for (left, right) in zip(commands, window) { #expect(left == right) }
            let (told, shown) = (try await events(one), try await events(other))
            #expect(told.count == 31)
            let (left, right) = (try await protection(one), try await protection(other))
            #expect(left == right && left.autolock == 20 && left.protections == [Protection.Way(kind: "pin")])
            for (order, pair) in zip(told, shown).enumerated() { #expect(pair.0 == pair.1, "entry \(order)") }
            #expect(told.count == shown.count)
        }
    }
#endif
