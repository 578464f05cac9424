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

        @Test("metadata have the same hash as by commands, and a proof that the window makes is verified by them")
        func metadata() async throws {
            let vault = try await WindowVault()
            let blob = packageRoot.appending(path: "Sources/Signer/Signer/Resources/Metadata/westend.metadata").path
            let program = try ChildProgram.built("casemate")
            let lines = try await ChildProgram.run(
                program, ["metadata", "digest", blob, "--vault", vault.folder, "--json"])
            let digest = try JSONDecoder().decode(Digest.self, from: Data(lines.joined(separator: "\n").utf8))
            let payload = try vault.scratch.write(
                WindowPayload.transaction(WindowPayload.remark("proved")), to: "payload.hex")
            let window = try vault.window()
            try window.page("SeedSelector/-")
            try window.press("Settings")
            try window.press("Networks")
            try window.page("ManageNetworks/-")
            try window.press("Metadata and proofs")
            try window.page("MetadataFiles/-")
            try window.press("Open metadata")
            try window.choose(payload, in: "Metadata in a file")
            try window.page("MetadataFiles/-!Error")
            try window.press("Back")
            try window.page("MetadataFiles/-")
            try window.press("Open metadata")
            try window.choose(blob, in: "Metadata in a file")
            for hash in [digest.hash, digest.typesTreeRoot] { try window.sees(hash) }
            try window.press("Prove a transaction")
            try window.press("Open a file")
            try window.choose(payload, in: "A payload in a file")
            try window.page("MetadataFiles/MadeFile")
            try window.press("Save the proof")
            let proof = vault.scratch.path("window.proof")
            try window.choose(proof, in: "Where it goes")
            try window.sees("Saved as")
            try window.press("Close")
            try window.page("MetadataFiles/-")
            try window.press("Open a proof")
            try window.choose(proof, in: "A proof, or a payload with one")
            try window.sees("True of this chain")
            window.end()
            try await ChildProgram.run(
                program, ["metadata", "verify", proof, "--metadata", blob, "--hash", digest.hash])
            let own = vault.scratch.path("terminal.proof")
            try await ChildProgram.run(
                program,
                ["metadata", "prove", blob, "--file", payload, "--out", own, "--vault", vault.folder])
            #expect(FileManager.default.contents(atPath: own) == FileManager.default.contents(atPath: proof))
            #expect(FileManager.default.contents(atPath: own)?.isEmpty == false)
            try await vault.casemate(["log", "verify"])
        }
    }
#endif
