#if canImport(CGIO)
    import Foundation
    import TestSupport
    import Testing
    import WindowTestSupport

    /// Networks that come by picture, from a vault that publishes to a window that takes them in.
    @Suite(
        "Updates in the window", .serialized, .enabled(if: Desktop.obstacle == nil, "\(Desktop.obstacle ?? "")"))
    struct UpdateWindowTests {
        // Of the development phrase: //kusama in Kusama's form, and //polkadot in Polkadot's.
        private static let publisher = (
            address: "ErGkNDDPmnaRZKxwe4VBLonyBJVmucqURFMatEJTwktsuTv",
            key: "64a31235d4bf9b37cfed3afa8aa60754675f9c4915430454d365c05112784d05"
        )
        private static let other = "16Zaf6BT6xc6WeYCX6YNAf67RumWaEiumwawt7cTdKMU7HqW"

        /// Signs what a vault knows of Westend, and makes the picture or the film of it.
        ///
        /// - Parameter what: which of it, as options; its record without any.
        private func film(
            _ name: String, _ what: [String] = [], of vault: WindowVault, by address: String
        ) async throws -> String {
            let (update, film) = (vault.scratch.path("\(name).bin"), vault.scratch.path("\(name).apng"))
            try await vault.casemate(
                ["network", "sign", "westend"] + what + ["--with", address, "--yes", "--update", update])
            _ = try await ChildProgram.run(ChildProgram.built("airgap"), ["send", update, "--out", film])
            return film
        }

        /// Scans a film in a window of a vault.
        private func scan(_ film: String, with vault: WindowVault) throws -> DrivenWindow {
            let window = try vault.window(films: [film])
            try window.page("SeedSelector/-")
            try window.press("Scan", to: "Scan/-")
            try window.press("Camera")
            return window
        }

        /// Reads an update to its end, and holds the button until it is taken in.
        private func takeIn(in window: DrivenWindow) throws {
            try window.keys("End")
            try window.seesNoMore("Read to the end of the page first.")
            try window.hold("Take it in")
            try window.seesNoMore("Take it in")
            window.end()
        }

        private func check(_ texts: [String], areSeenIn window: DrivenWindow) throws {
            try window.page("Transaction/-")
            try window.sees("Take it in")
            let words = try window.words().joined(separator: "\n")
            for text in texts { #expect(words.contains(text), "\(text)") }
        }

        @Test(
            "a network and its metadata come with the key that vouches for them, and no other key overrules it, by films"
        )
        func network() async throws {
            let (from, to) = (try await WindowVault(), try await WindowVault())
            // As if the vault had never known the network: blocking alone does not make it unknown.
            try await to.casemate(["network", "block", "westend", "--yes"])
            try await to.casemate(["network", "unblock", WestendPayload.genesis, "--yes"])
            let window = try scan(await film("network", of: from, by: Self.publisher.address), with: to)
            try check(
                [
                    "A new network: Westend", "a key that becomes the network's own verifier by your yes",
                    "new verifier", Self.publisher.key, WestendPayload.genesis, "WND, 12 decimals",
                    "The network will follow this key alone",
                ], areSeenIn: window)
            #expect(try await to.count(of: "NetworkSpecsAdded") == 0)
            try takeIn(in: window)
            #expect(try await to.count(of: "NetworkSpecsAdded") == 1)

            let metadata = try await film("metadata", ["--metadata", "9122"], of: from, by: Self.publisher.address)
            let second = try scan(metadata, with: to)
            try check(
                [
                    "Metadata westend9122", "the network's own verifier: ", Self.publisher.key,
                    "777a8cff791d67a42b28e0057c0af7cd00eba60f92c35dc6766b00d9ae798154",
                ], areSeenIn: second)
            try takeIn(in: second)
            let stored = try await ChildProgram.run(
                ChildProgram.built("casemate"), ["network", "show", "westend", "--vault", to.folder]
            ).joined(separator: "\n")
            #expect(stored.contains(Self.publisher.key) && stored.contains("9122"), "\(stored)")

            let refusing = try scan(await film("forged", of: from, by: Self.other), with: to)
            try refusing.sees("AddSpecsVerifierChanged")
            #expect(try !refusing.words().contains("Take it in"))
            refusing.end()
            #expect(try await to.count(of: "NetworkSpecsAdded") == 1)
            try await to.casemate(["log", "verify"])
        }
    }
#endif
