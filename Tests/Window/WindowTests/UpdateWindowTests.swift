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
        private func film(_ name: String, of vault: WindowVault, by address: String) async throws -> String {
            let (update, film) = (vault.scratch.path("\(name).bin"), vault.scratch.path("\(name).apng"))
            try await vault.casemate(["network", "sign", "westend", "--with", address, "--yes", "--update", update])
            _ = try await ChildProgram.run(ChildProgram.built("airgap"), ["send", update, "--out", film])
            return film
        }

        /// Scans a film in a window of a vault.
        private func scan(_ film: String, with vault: WindowVault) throws -> DrivenWindow {
            let window = try vault.window(films: [film])
            try window.page("SeedSelector/-")
            try window.press("Scan")
            try window.page("Scan/-")
            try window.press("Camera")
            return window
        }

        @Test("a network comes with the key that vouches for it, is taken in by a hold, and no other key overrules it")
        func network() async throws {
            let (from, to) = (try await WindowVault(), try await WindowVault())
            // As if the vault had never known the network: blocking alone does not make it unknown.
            try await to.casemate(["network", "block", "westend", "--yes"])
            try await to.casemate(["network", "unblock", WindowPayload.genesis, "--yes"])
            let film = try await film("network", of: from, by: Self.publisher.address)
            let window = try scan(film, with: to)
            try window.page("Transaction/-")
            try window.sees("A new network: Westend")
            let words = try window.words().joined(separator: "\n")
            for text in [
                "a key that becomes the network's own verifier by your yes", "new verifier", Self.publisher.key,
                WindowPayload.genesis, "WND, 12 decimals", "The network will follow this key alone",
            ] {
                #expect(words.contains(text), "\(text)")
            }
            #expect(try await to.count(of: "NetworkSpecsAdded") == 0)
            try window.keys("End")
            try window.seesNoMore("Read to the end of the page first.")
            try window.hold("Take it in")
            try window.seesNoMore("A new network: Westend")
            window.end()
            #expect(try await to.count(of: "NetworkSpecsAdded") == 1)
            let stored = try await ChildProgram.run(
                ChildProgram.built("casemate"), ["network", "show", "westend", "--vault", to.folder])
            #expect(stored.joined().contains(Self.publisher.key), "\(stored)")

            let forged = try await self.film("forged", of: from, by: Self.other)
            let refusing = try scan(forged, with: to)
            try refusing.sees("AddSpecsVerifierChanged")
            #expect(try !refusing.words().contains("Take it in"))
            refusing.end()
            #expect(try await to.count(of: "NetworkSpecsAdded") == 1)
            try await to.casemate(["log", "verify"])
        }
    }
#endif
