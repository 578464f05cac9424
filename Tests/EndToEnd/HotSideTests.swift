import Foundation
import HotSideKnownAnswers
import HotSideTestSupport
import TestSupport
import Testing

/// A hot database in a folder of its own, and the program that works with it.
struct HotMachine {
    static let program = Program(name: "generate-message")
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    func path(_ name: String) -> String { scratch.path(name) }

    func run(_ arguments: [String]) async throws -> Program.Outcome {
        let place = ["--hot-db-path", scratch.path("hot.sqlite")]
        return try await OwnThread.run { try Self.program.run(arguments + place) }
    }

    /// Runs a command that must succeed.
    @discardableResult
    func done(_ arguments: [String]) async throws -> Program.Outcome {
        let outcome = try await run(arguments)
        try #require(outcome.exitCode == 0, "\(arguments.joined(separator: " ")): \(outcome.errors)")
        return outcome
    }

    /// Makes the finished update of a file that waits to be signed.
    ///
    /// - Returns: the path of its film.
    func film(_ kind: String, _ file: String, named name: String, _ word: [String] = []) async throws -> String {
        let made = try await OwnThread.run {
            try Self.program.run(
                ["make", "--msg", kind, "--payload", path(file), "--name", path(name), "--json"] + word)
        }.succeeded()
        return try #require(try made.json()["film"]["path"].string)
    }
}

/// From a node to a vault, and from a dapp to a chain, by the built programs alone.
@Suite("generate-message", .enabled(if: SharedData.has("signer-wire/hot/node_westend9122.json")))
struct HotSideTests {
    private static func node(_ name: String) throws -> CapturedNode {
        try CapturedNode(file: "hot/node_\(name).json", in: SharedData.url("signer-wire"))
    }

    /// Forgets Westend in a vault, as if it had never known it.
    private func forgetWestend(_ vault: DemoVault) throws {
        for step in [["block", "westend"], ["unblock", WestendPayload.genesis]] {
            try vault.run(["network"] + step + ["--yes"]).succeeded()
        }
    }

    private func publisher(_ vault: DemoVault) throws -> String {
        let keys = try vault.run(["key", "list", "--json"]).json().array
        let key = try #require(keys.first { $0["path"].string == "//kusama" })
        return try #require(key["networks"][0]["address"].string)
    }

    @Test("fetched from a node, made, signed in one vault, filmed, and taken by another")
    func fromNodeToVault() async throws {
        let (hot, node) = (try HotMachine(), try await TestNode(try Self.node("westend9122")))
        let (publishing, taking) = try await OwnThread.run { (try DemoVault(), try DemoVault()) }
        try forgetWestend(taking)
        let address = try publisher(publishing)
        try await hot.done(["remove", "title", "westend-sr25519"])
        let folder = ["--files-dir", hot.scratch.path]
        try await hot.done(["add-specs", "-t", "-u", node.webSocket, "--encryption", "sr25519"] + folder)
        let loaded = try await hot.done(["load-metadata", "-k", "-n", "westend", "--packed", "--json"] + folder)
        #expect(try loaded.json()[0]["isNew"].bool == true)
        #expect(try await hot.done(["show", "block-history"]).output.contains("1b2b0a177ad4f3f93f9a56dae700e938"))
        for (kind, file) in [
            ("add-specs", "sign_me_add_specs_westend_sr25519"),
            ("load-packed-metadata", "sign_me_load_packed_metadata_westendV9122"),
        ] {
            let unsigned = try await hot.film(kind, file, named: "unsigned-\(kind)")
            let answer = hot.path("answer-\(kind).png")
            let signed = try await OwnThread.run {
                try publishing.run(
                    ["network", "sign", "--qr", unsigned, "--with", address, "--yes", "--out", answer])
            }.succeeded()
            let film = try await hot.film(kind, file, named: "signed-\(kind)", ["--sufficient-qr", answer])
            let taken = try await OwnThread.run { try taking.run(["update", "--qr", film, "--yes"]) }
            #expect(taken.exitCode == 0, "\(taken.errors)")
            // The word of one update is none for another.
            let other = kind == "add-specs" ? "load-packed-metadata" : "add-specs"
            let otherFile = hot.path(
                kind == "add-specs"
                    ? "sign_me_load_packed_metadata_westendV9122" : "sign_me_add_specs_westend_sr25519")
            let refused = try await OwnThread.run {
                try HotMachine.program.run([
                    "sign", "--msg", other, "--payload", otherFile, "--name", hot.path("wrong"), "--sufficient-qr",
                    answer,
                ])
            }
            #expect(refused.exitCode == 2 && refused.errors.contains("[BadSignature]"))
            // The word of an ed25519 key begins as numbered frames do, and is read as one.
            let edwards = hot.path("edwards.png")
            let refusedToo = try await OwnThread.run {
                let word = hot.path("edwards")
                try Data([0] + [UInt8](repeating: 3, count: 96)).write(to: URL(filePath: word))
                _ = try Program(name: "airgap").run(["qr", "encode", word, "-o", edwards])
                return try HotMachine.program.run([
                    "sign", "--msg", other, "--payload", otherFile, "--name", hot.path("wrong"), "--sufficient-qr",
                    edwards,
                ])
            }
            #expect(refusedToo.exitCode == 2 && refusedToo.errors.contains("[BadSignature]"), "\(refusedToo.errors)")
            #expect(!FileManager.default.fileExists(atPath: hot.path("wrong.txt")))
        }
        // Transactions are read by what came.
        #expect(try taking.run(["key", "derive", "demo", "//westend", "--network", "westend"]).exitCode == 0)
        let transfer = WestendPayload.transaction(WestendPayload.transfer(to: WestendPayload.bob))
        #expect(try taking.run(["sign", "--hex", transfer, "--yes"]).exitCode == 0)
        await node.stop()
    }

    @Test("paths come into a vault as keys, by picture")
    func derivations() async throws {
        let hot = try HotMachine()
        let vault = try await OwnThread.run { try DemoVault() }
        try Data("//one\n//two\n//three///word\n".utf8).write(to: URL(filePath: hot.path("paths.txt")))
        let made = try await hot.done([
            "derivations", "--title", "westend-sr25519", "--payload", hot.path("paths.txt"), "--out",
            hot.path("paths.png"), "--json",
        ])
        #expect(try made.json()["droppedLines"].array.count == 1 && made.errors.contains("line 3"))
        let imported = try await OwnThread.run {
            try vault.unlocked(["key", "import", "--qr", hot.path("paths.png"), "--seed", "demo", "--yes"])
        }
        #expect(imported.exitCode == 0, "\(imported.errors)")
        let keys = try vault.run(["key", "list", "--json"]).json().array
        #expect(keys.contains { $0["path"].string == "//two" })
    }

    @Test("a bad node leaves the database as it was, and its fault is named")
    func badNodes() async throws {
        let hot = try HotMachine()
        try await hot.done(["remove", "title", "westend-sr25519"])
        let honest = try await TestNode(try Self.node("westend9122"))
        try await hot.done(["add-specs", "-p", "-u", honest.webSocket, "--encryption", "sr25519"])
        let before = try Data(contentsOf: URL(filePath: hot.path("hot.sqlite")))
        for (conduct, code) in [
            (TestNode.Conduct.truncated, "MalformedAnswer"), (.wrongID, "WrongID"), (.endless, "AnswerTooLarge"),
            (.silent, "TimedOut"), (.slow, "TimedOut"),
        ] {
            // Only who is to be late is waited for a short time: a machine may be slow.
            let patience = code == "TimedOut" ? "1" : "300"
            let node = try await TestNode(try Self.node("westend9122"), conduct)
            let outcome = try await hot.run([
                "load-metadata", "-d", "-u", node.webSocket, "--patience", patience, "--files-dir",
                hot.scratch.path,
            ])
            #expect(outcome.exitCode == 3 && outcome.errors.contains("[\(code)]"), "\(conduct): \(outcome.errors)")
            await node.stop()
        }
        let other = try await TestNode(try Self.node("polkadot_v15"))
        let compared = try await hot.run(["load-metadata", "-t", "-n", "westend", "--compare", other.http])
        #expect(compared.exitCode == 3 && compared.errors.contains("[NodesDisagree]"), "\(compared.errors)")
        #expect(try Data(contentsOf: URL(filePath: hot.path("hot.sqlite"))) == before)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: hot.scratch.path).sorted() == ["hot.sqlite"])
        await honest.stop()
        await other.stop()
    }

    @Test("watch says what is new by its exit code, and changes nothing")
    func watch() async throws {
        let hot = try HotMachine()
        // Nobody else is given the port when the node has stopped.
        let reserved = try ReservedPort()
        let node = try await TestNode(try Self.node("westend9122"), port: reserved.number)
        for name in ["polkadot", "kusama", "westend"] { try await hot.done(["remove", "title", "\(name)-sr25519"]) }
        try await hot.done(["add-specs", "-p", "-u", node.http, "--encryption", "sr25519"])
        let new = try await hot.run(["watch", "--json"])
        #expect(new.exitCode == 4)
        #expect(try new.json()[0]["version"].int == 9122 && new.json()[0]["hasNewVersion"].bool == true)
        try await hot.done(["load-metadata", "-p", "-a"])
        #expect(try await hot.run(["watch"]).exitCode == 0)
        await node.stop()
        #expect(try await hot.run(["watch"]).exitCode == 3)
        withExtendedLifetime(reserved) {}
    }
}
