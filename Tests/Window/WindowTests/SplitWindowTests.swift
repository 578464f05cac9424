#if canImport(CGIO)
    import Foundation
    import TestSupport
    import Testing
    import WindowTestSupport

    /// A key set that is split in one window, share by share from its screen, and put together in another one.
    @Suite(
        "Split backups in the window", .serialized, .enabled(if: Desktop.obstacle == nil, "\(Desktop.obstacle ?? "")"),
        .enabled(if: DrawnWords.obstacle == nil, "\(DrawnWords.obstacle ?? "")"),
        .enabled(if: ScreenPicture.decoderObstacle == nil, "\(ScreenPicture.decoderObstacle ?? "")"))
    struct SplitWindowTests {
        /// Opens another vault where shares are put together.
        private func recovery(of films: [String], in vault: WindowVault) throws -> DrivenWindow {
            let window = try vault.window(films: films)
            try window.page("SeedSelector/-")
            try window.press("New key set", "Recover from shares", to: "SplitRecover/-")
            return window
        }

        private func other() async throws -> WindowVault {
            try await WindowVault(phrase: WindowVault.otherPhrase, seed: "other")
        }

        /// Takes a share that is refused, and dismisses what is said.
        private func expectRefusal(_ texts: String..., of window: DrivenWindow) throws {
            try window.press("Camera")
            try window.sees("It was not done")
            let words = try window.words().joined(separator: "\n")
            for text in texts { #expect(words.contains(text), "\(text)") }
            try window.press("Back", to: "SplitRecover/-")
        }

        @Test(
            "three of four shares off the screen and the passphrase make the same keys elsewhere, and fewer do not"
        )
        func recovers() async throws {
            let (from, to) = (try await WindowVault(), try await other())
            let split = try SplitShares.make(in: from, named: "split")
            #expect(Set(split.contents).count == 4 && split.contents.allSatisfy { !$0.contains(split.passphrase) })
            let another = try SplitShares.make(in: from, named: "another")
            #expect(another.passphrase != split.passphrase)
            let (shares, foreign) = (split.pictures, another.pictures)
            let window = try recovery(of: [shares[3], shares[3], foreign[0], shares[0], shares[1]], in: to)
            // Nothing is asked for before there is enough.
            try window.sees("Hold one share after the other before the camera.")
            try window.scanNext(seeing: "Their numbers")
            try expectRefusal("Share 4 is in the set already.", "Scan another one.", of: window)
            try expectRefusal(
                "This share belongs to another set: its nonce differs, so it is of another split of the same name.",
                "The shares that are there were kept; scan one of their set.", of: window)
            try window.scanNext(seeing: "4, 1")
            #expect(try window.position() == "SplitRecover/-")
            let facts = try window.words()
            #expect(facts.contains("Shares that are needed") && facts.contains("3") && !facts.contains("Passphrase"))
            try window.press("Camera")
            try window.sees("Passphrase of the shares")
            try window.type("none-of-the-words", into: "Passphrase")
            try window.press("Recover")
            try window.sees("The passphrase is wrong, or a share is damaged. Attempts that are left: 2.")
            try window.press("Back")
            try window.seesNoMore("The passphrase is wrong")
            #expect(try await to.casemate(["seed", "list"]).allSatisfy { !$0.contains("demo") })
            try window.type(split.passphrase, into: "Passphrase")
            try window.press("Recover", to: "Keys/-")
            window.end()
            // The same keys at the same paths, with the same addresses in each network that they are in.
            let (keys, made) = (try await from.keys(of: "demo"), try await to.keys(of: "demo"))
            #expect(keys.count >= 5 && keys.map(\.publicKey) == made.map(\.publicKey))
            for (key, new) in zip(keys, made) {
                #expect(key.path == new.path && Set(key.networks).isSubset(of: new.networks))
            }
            try await to.casemate(["log", "verify"])
            let told = try await from.log().flatMap(\.events).map(\.detail)
            #expect(told.filter { $0.contains("seed demo was split: 3 of 4 shares recover it") }.count == 2)
        }

        @Test("who goes away with too few shares has lost nothing and made nothing, and what is no share says so")
        func tooFew() async throws {
            let (from, to) = (try await WindowVault(), try await other())
            let split = try SplitShares.make(in: from, named: "split")
            let transaction = try await from.film(of: WestendPayload.transaction(WestendPayload.remark("no share")))
            let window = try recovery(of: [split.pictures[0], transaction, split.pictures[1]], in: to)
            try window.scanNext(seeing: "Their numbers")
            try expectRefusal("This is not a share that can be read", "Scan the code again", of: window)
            try window.press("Back", to: "SeedSelector/-")
            // What was there is forgotten, and a share asks for no signature.
            try window.press("Scan", to: "Scan/-")
            try window.scanNext(seeing: "This code is a share of a split backup and asks for no signature.")
            try window.sees("put a seed together from shares")
            window.end()
            #expect(try await to.casemate(["seed", "list"]).allSatisfy { !$0.contains("demo") })
            #expect(try await to.count(of: "SeedCreated") == 1)
            try await to.casemate(["log", "verify"])
        }
    }
#endif
