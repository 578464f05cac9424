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

        @Test("metadata in a file have the same hash as by commands, and what are none are refused")
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
            try window.sees("It was not done")
            try window.press("Back")
            try window.page("MetadataFiles/-")
            try window.press("Open metadata")
            try window.choose(blob, in: "Metadata in a file")
            for hash in [digest.hash, digest.typesTreeRoot] { try window.sees(hash) }
            window.end()
            try await vault.casemate(["log", "verify"])
        }
    }
#endif
