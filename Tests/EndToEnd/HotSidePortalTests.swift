import Foundation
import Substrate
import TestSupport
import Testing
import WebAssemblyTestSupport

/// Runtimes' files and portals, by the built programs.
@Suite("generate-message: runtimes and portals", .enabled(if: SharedData.has("signer-wire/metadata/westend9111.scale")))
struct HotSidePortalTests {
    private let hot: HotMachine
    private let version: RuntimeVersion
    private let runtime: SampleRuntime

    init() throws {
        hot = try HotMachine()
        let metadata = try SharedData.bytes("signer-wire/metadata/westend9111.scale")
        version = try ChainMetadata(metadata).version
        runtime = SampleRuntime(
            metadata: metadata,
            version: SampleRuntime.version(
                version.specName, version.specVersion, transactionVersion: version.transactionVersion))
    }

    private func unwasm(_ runtime: SampleRuntime, _ more: String...) async throws -> Program.Outcome {
        try await unwasm(runtime.bytes, more)
    }

    private func unwasm(_ bytes: [UInt8], _ more: [String] = []) async throws -> Program.Outcome {
        try Data(bytes).write(to: URL(filePath: hot.path("runtime.wasm")))
        return try await hot.run(
            [
                "unwasm", "--filename", hot.path("runtime.wasm"), "--files-dir", hot.scratch.path, "--json",
                // The machine that runs the tests may lack layers.
                "--allow-unsandboxed-runtime",
            ] + more)
    }

    /// Writes a finished update as text.
    private func update(_ kind: String, _ file: String, _ word: String...) async throws -> String {
        let name = hot.path("\(kind)\(word.joined())")
        try await OwnThread.run {
            try HotMachine.program.run(
                ["make", "--msg", kind, "--payload", hot.path(file), "--name", name, "--goal", "text"] + word)
        }.succeeded()
        return name + ".txt"
    }

    @Test("metadata of a runtime's file come into the database, into a film and onto a page")
    func fromRuntimeToPage() async throws {
        let taken = try await unwasm(runtime, "--update-db", "--packed").succeeded()
        let line = try taken.json()
        #expect(line["name"].string == "westend" && line["version"].int == 9111 && line["isNew"].bool == true)
        #expect(try await unwasm(runtime, "--update-db", "--packed").json()["isNew"].bool == false)
        #expect(try await hot.done(["show", "metadata"]).output.contains("westend 9111"))
        try await hot.done(["add-specs", "-f", "-n", "westend-sr25519", "--files-dir", hot.scratch.path])

        let word = "--verifier-alice=sr25519"
        let specs = try await update("add-specs", "sign_me_add_specs_westend_sr25519", word)
        let metadata = try await update("load-packed-metadata", "sign_me_load_packed_metadata_westendV9111", word)
        let written = try await hot.done([
            "portal", hot.path("site"), specs, metadata, "--title", "Updates <of> Example", "--json",
        ]).json()
        #expect(written["networks"].int == 1)
        let index = try String(contentsOfFile: hot.path("site/index.html"), encoding: .utf8)
        #expect(index.contains("Updates &lt;of&gt; Example") && index.contains("9111"))
        let films = written["files"].strings.filter { $0.hasSuffix(".png") }
        #expect(films.count == 2)
        // A vault reads what the page shows, knows by whom it is signed, and follows somebody else.
        let film = try #require(films.first { $0.contains("metadata-9111") })
        let vault = try await OwnThread.run { try DemoVault() }
        let shown = try await OwnThread.run { try vault.run(["update", "--qr", hot.path("site/\(film)"), "--json"]) }
        #expect(shown.errors.contains("[LoadMetaGeneralVerifierChanged]"), "\(shown.output) \(shown.errors)")
        #expect(shown.errors.contains("sr25519 d43593c715fdd31c"))
    }

    @Test("runtimes that are none, lie, loop or are of nobody's network are refused, and nothing is stored")
    func refusals() async throws {
        let truncated = try await unwasm(Array(runtime.bytes.dropLast(40)), ["--update-db"])
        #expect(truncated.exitCode == 2 && truncated.errors.contains("[RuntimeRefused]"), "\(truncated.errors)")
        var liar = runtime
        liar.version = SampleRuntime.version("polkadot", version.specVersion, transactionVersion: 1)
        let lying = try await unwasm(liar, "--update-db")
        #expect(lying.exitCode == 2 && lying.errors.contains("[RuntimeContradictsItself]"), "\(lying.errors)")
        var loop = runtime
        // loop br 0 end, and a result that is never reached.
        loop.body = [0x03, 0x40, 0x0c, 0, 0x0b, 0x42, 0]
        let looping = try await unwasm(loop, "--update-db")
        #expect(looping.exitCode == 2 && looping.errors.contains("[Runtime"), "\(looping.errors)")
        try await hot.done(["remove", "title", "westend-sr25519"])
        let unknown = try await unwasm(runtime, "--update-db")
        #expect(unknown.exitCode == 16 && unknown.errors.contains("[NetworkNotFound]"), "\(unknown.errors)")
        #expect(try await !hot.done(["show", "metadata"]).output.contains("westend"))
    }

    @Test("a portal has one verifier, and shows updates alone")
    func portalRefusals() async throws {
        try await hot.done(["add-specs", "-f", "-n", "westend-sr25519", "--files-dir", hot.scratch.path])
        let file = "sign_me_add_specs_westend_sr25519"
        let signed = try await update("add-specs", file, "--verifier-alice=sr25519")
        let unsigned = try await update("add-specs", file)
        let mixed = try await hot.run(["portal", hot.path("site"), signed, unsigned])
        #expect(mixed.exitCode == 2 && mixed.errors.contains("[SeveralVerifiers]"), "\(mixed.errors)")
        var text = try String(contentsOfFile: signed, encoding: .utf8)
        text.replaceSubrange(text.index(text.endIndex, offsetBy: -2)..., with: text.hasSuffix("00") ? "01" : "00")
        try Data(text.utf8).write(to: URL(filePath: hot.path("mauled.txt")))
        for path in [hot.path("mauled.txt"), hot.path(file)] {
            let refused = try await hot.run(["portal", hot.path("site"), path])
            #expect(refused.exitCode == 2 && refused.errors.contains("[NotAnUpdate]"), "\(refused.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: hot.path("site")))
    }
}
