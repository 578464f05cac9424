import Foundation
import HotSideKnownAnswers
import HotSideTestSupport
import TestSupport
import Testing

/// A dapp's transaction over the air gap and back, by the built programs alone.
@Suite(
    "generate-message transaction and answer",
    .enabled(if: SharedData.has("signer-wire/metadata/statemint2000000_v15.scale")))
struct HotSideTransactionTests {
    /// A network in the hot database and in a vault, with keys of a scheme.
    private struct Place {
        let node: TestNode
        let name: String
        /// How it is called in the vault.
        let title: String
        let address: String
        let publicKey: String
    }

    /// Brings a network with its metadata into both, by updates that the test key //Alice vouches for.
    private func bring(
        _ captured: CapturedNode, named name: String, _ scheme: String, into hot: HotMachine, _ vault: DemoVault
    ) async throws -> Place {
        let node = try await TestNode(captured)
        let folder = ["--files-dir", hot.scratch.path]
        try await hot.done(["add-specs", "-t", "-u", node.webSocket, "--encryption", scheme] + folder)
        let format = ["statemint", "moonbeam"].contains(name) ? "15" : "14"
        let loaded = try await hot.done(
            ["load-metadata", "-t", "-n", name, "--packed", "--metadata-format", format, "--json"] + folder)
        let version = try #require(try loaded.json()[0]["version"].int)
        for (kind, file) in [
            ("add-specs", "sign_me_add_specs_\(name)_\(scheme)"),
            ("load-packed-metadata", "sign_me_load_packed_metadata_\(name)V\(version)"),
        ] {
            let film = try await hot.film(kind, file, named: kind, ["--verifier-alice", "sr25519"])
            let taken = try await OwnThread.run { try vault.run(["update", "--qr", film, "--yes"]) }
            try #require(taken.exitCode == 0, "\(kind): \(taken.errors)")
        }
        let title = "\(name)-\(scheme)"
        let derived = try await OwnThread.run {
            try vault.unlocked(["key", "derive", "demo", "//dapp", "--network", title, "--json"])
        }.succeeded()
        let key = try derived.json()[0]
        return Place(
            node: node, name: name, title: title, address: try #require(key["networks"][0]["address"].string),
            publicKey: try #require(key["publicKey"].string))
    }

    /// A vault that knows nothing of a network.
    private func vault(without network: String?, genesis: String) async throws -> DemoVault {
        try await OwnThread.run {
            let vault = try DemoVault()
            guard let network else { return vault }
            for step in [["block", network], ["unblock", genesis]] {
                try vault.run(["network"] + step + ["--yes"]).succeeded()
            }
            return vault
        }
    }

    /// Goes the way from a payload to a transaction that a node has.
    private func roundTrip(
        _ wallet: HotSideWallet, _ place: Place, _ scheme: String, _ hot: HotMachine, _ vault: DemoVault,
        hasProof: Bool
    ) async throws {
        let payload = hot.path("payload.json")
        try wallet.write(to: payload)
        let who = [payload, "--encryption", scheme] + (scheme == "ecdsa" ? ["--public-key", place.publicKey] : [])
        let (request, answer) = (hot.path("request.apng"), hot.path("answer.png"))
        let made = try await hot.done(["transaction"] + who + ["--out", request, "--json"])
        #expect(try made.json()["hasProof"].bool == hasProof)
        let signed = try await OwnThread.run {
            try vault.unlocked(["sign", "--qr", request, "--yes", "--out", answer])
        }
        try #require(signed.exitCode == 0, "\(scheme): \(signed.errors)")
        let done = try await hot.done(
            ["answer"] + who + [
                "--qr", answer, "--out", hot.path("extrinsic.hex"), "--submit", place.node.webSocket, "--json",
            ])
        let extrinsic = try #require(try done.json()["extrinsic"].string)
        #expect(try String(contentsOfFile: hot.path("extrinsic.hex"), encoding: .utf8) == extrinsic)
        #expect(try done.json()["status"].string?.hasPrefix("final in block") == true)
        #expect(place.node.questions.last?.contains(extrinsic) == true)
        // It is told before it is handed over, as nothing may come back.
        #expect(done.errors.hasPrefix("transaction \(try #require(try done.json()["hash"].string))"), "\(done.errors)")
        // Another answer than this one's is refused, and nothing is written.
        try FileManager.default.removeItem(atPath: hot.path("extrinsic.hex"))
        var digits = Array(try #require(try done.json()["signature"].string).dropFirst(2))
        digits[20] = digits[20] == "0" ? "1" : "0"
        let refused = try await hot.run(
            ["answer"] + who + ["--hex", String(digits), "--out", hot.path("extrinsic.hex")])
        #expect(refused.exitCode == 2 && refused.errors.contains("[BadSignature]"), "\(refused.errors)")
        #expect(!FileManager.default.fileExists(atPath: hot.path("extrinsic.hex")))
    }

    @Test("without a proof (code 02)", arguments: ["sr25519", "ed25519", "ecdsa"])
    func plain(_ scheme: String) async throws {
        let hot = try HotMachine()
        try await hot.done(["remove", "title", "westend-sr25519"])
        let vault = try await vault(without: "westend", genesis: WestendPayload.genesis)
        let node = try CapturedNode(file: "hot/node_westend9122.json", in: SharedData.url("signer-wire"))
        let place = try await bring(node, named: "westend", scheme, into: hot, vault)
        try await roundTrip(.westend(place.address), place, scheme, hot, vault, hasProof: false)
        await place.node.stop()
    }

    @Test("with a metadata proof (code 06)", arguments: ["sr25519", "ed25519", "ecdsa"])
    func proven(_ scheme: String) async throws {
        let hot = try HotMachine()
        let vault = try await vault(without: "statemint", genesis: CapturedNode.assetHubGenesis)
        let node = try CapturedNode.assetHub(in: SharedData.url("signer-wire"))
        let place = try await bring(node, named: "statemint", scheme, into: hot, vault)
        try await roundTrip(.assetHub(place.address), place, scheme, hot, vault, hasProof: true)
        await place.node.stop()
    }

    @Test("for an account of Ethereum's form (code 02)")
    func ethereum() async throws {
        let hot = try HotMachine()
        let vault = try await vault(without: nil, genesis: "")
        let node = try CapturedNode(file: "hot/node_moonbase1802.json", in: SharedData.url("signer-wire"))
        let place = try await bring(node, named: "moonbase", "ethereum", into: hot, vault)
        try await roundTrip(.moonbase(place.address), place, "ethereum", hot, vault, hasProof: false)
        await place.node.stop()
    }

    @Test("for an account of Ethereum's form, with a metadata proof (code 06)")
    func provenEthereum() async throws {
        let hot = try HotMachine()
        let vault = try await vault(without: nil, genesis: "")
        let node = try CheckedMoonbeam.node(in: SharedData.url("signer-wire"))
        let place = try await bring(node, named: "moonbeam", "ethereum", into: hot, vault)
        try await roundTrip(.moonbeam(place.address), place, "ethereum", hot, vault, hasProof: true)
        await place.node.stop()
    }
}
