#if canImport(CGIO)
    import Foundation
    import TestSupport
    import Testing
    import WindowTestSupport

    /// Files that the window opens and writes, beside the same done by commands.
    @Suite("Files in the window", .serialized, .enabled(if: Desktop.obstacle == nil, "\(Desktop.obstacle ?? "")"))
    struct FileWindowTests {
        private struct Digest: Decodable {
            var hash: String
            var typesTreeRoot: String
        }

        private static let metadata = packageRoot.appending(
            path: "Sources/Bridges/CShippedFiles/Files/westend.metadata"
        ).path

        /// A window at the page for files of metadata.
        private func window(of vault: WindowVault) throws -> DrivenWindow {
            let window = try vault.window()
            try window.page("SeedSelector/-")
            try window.press("Settings", "Networks", to: "ManageNetworks/-")
            try window.press("Metadata and proofs", to: "MetadataFiles/-")
            return window
        }

        @Test("metadata in a file have the same hash as by commands, and what are none are refused")
        func metadata() async throws {
            let vault = try await WindowVault()
            let program = try ChildProgram.built("casemate")
            let lines = try await ChildProgram.run(
                program, ["metadata", "digest", Self.metadata, "--vault", vault.folder, "--json"])
            let digest = try JSONDecoder().decode(Digest.self, from: Data(lines.joined(separator: "\n").utf8))
            let payload = try vault.scratch.write(
                WestendPayload.transaction(WestendPayload.remark("proved")), to: "payload.hex")
            let window = try window(of: vault)
            try window.press("Open metadata")
            try window.choose(payload, in: "Metadata in a file")
            try window.sees("It was not done")
            try window.press("Back", to: "MetadataFiles/-")
            try window.press("Open metadata")
            try window.choose(Self.metadata, in: "Metadata in a file")
            for hash in [digest.hash, digest.typesTreeRoot] { try window.sees(hash) }
            window.end()
            try await vault.casemate(["log", "verify"])
        }

        @Test("a question for a file begins in the person's folder, then where the last one was answered")
        func places() async throws {
            let vault = try await WindowVault()
            let window = try window(of: vault)
            let title = "Metadata in a file"
            try Self.copy("westend", to: window.desktop.folder.path("home/own.metadata"))
            try Self.copy("polkadot", to: vault.scratch.path("other.metadata"))
            let none = try vault.scratch.write("no metadata", to: "none.metadata")
            try window.press("Open metadata")
            try window.sees("Other Locations")
            // The library's home is a place that is not there, so that it loads nothing from the person's.
            #expect(try Set(window.words()).isDisjoint(with: ["Home", "Desktop", "Recent"]))
            // A name without a folder is one of the folder that is shown.
            try window.choose("own.metadata", in: title)
            try window.sees("westend")
            try window.press("Open metadata")
            try window.choose(none, in: title)
            try window.sees("It was not done")
            try window.press("Back", to: "MetadataFiles/-")
            try window.press("Open metadata")
            try window.choose("other.metadata", in: title)
            try window.sees("polkadot")
            window.end()
        }

        private static func copy(_ network: String, to path: String) throws {
            let shipped = packageRoot.appending(path: "Sources/Bridges/CShippedFiles/Files/\(network).metadata")
            try Data(contentsOf: shipped).write(to: URL(filePath: path))
        }

        @Test("a proof is that of the commands and true of its metadata, and a changed one is refused")
        func proof() async throws {
            let vault = try await WindowVault()
            let payload = WestendPayload.transaction(WestendPayload.remark("proved"))
            let file = try vault.scratch.write(payload, to: "payload.hex")
            let made = vault.scratch.path("made.bin")
            let program = try ChildProgram.built("casemate")
            let lines = try await ChildProgram.run(
                program,
                ["metadata", "prove", Self.metadata, "--file", file, "--out", made, "--vault", vault.folder, "--json"])
            struct Proof: Decodable { var hash: String }
            let hash = try JSONDecoder().decode(Proof.self, from: Data(lines.joined(separator: "\n").utf8)).hash
            let window = try window(of: vault)
            try window.press("Open metadata")
            try window.choose(Self.metadata, in: "Metadata in a file")
            try window.press("Prove a transaction", "Open a file")
            try window.choose(file, in: "A payload in a file")
            try window.sees(hash)
            let saved = vault.scratch.path("saved.bin")
            try window.press("Save the proof")
            try window.choose(saved, in: "Where it goes")
            let written = try DrivenWindow.wait("the proof is written") { try? Data(contentsOf: URL(filePath: saved)) }
            #expect(try written == Data(contentsOf: URL(filePath: made)))
            try window.press("Close", to: "MetadataFiles/-")
            try window.press("Open a proof")
            try window.choose(saved, in: "A proof, or a payload with one")
            try window.sees("True of these metadata")
            var changed = written
            changed[changed.count / 2] ^= 1
            try changed.write(to: URL(filePath: saved))
            try window.press("Open a proof")
            try window.choose(saved, in: "A proof, or a payload with one")
            try window.sees("It was not done")
            window.end()
            try await vault.casemate(["log", "verify"])
        }
    }
#endif
