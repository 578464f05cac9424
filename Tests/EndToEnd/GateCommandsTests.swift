import AppAttest
import AppAttestTestKit
import Files
import Foundation
import GateTestKit
import TestSupport
import Testing

@Suite("The gate's commands")
struct GateCommandsTests {
    private static func gate(
        _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> Program.Outcome {
        try await OwnThread.run { try Program(name: "gate").run(arguments, environment: environment) }
    }

    @Test(
        "a configuration that cannot be is refused with 78 and the setting's name",
        arguments: [
            ("REQUIRE_APP_AUTH", "maybe"), ("WS_PORT", "70000"), ("UPSTREAM_URL", "ftp://a"), ("NONCE_TTL_MS", "1"),
            ("ALLOWED_ORIGINS", "*"), ("TRUSTED_PROXY_CIDRS", "true"), ("STORE_URL", "sqlite:a"),
            ("APPATTEST_TEAM_ID", "short"), ("TLS_CERT_PATH", "/nowhere/tls.pem"), ("APP_ENV", "production"),
        ])
    func refusedConfiguration(_ name: String, _ value: String) async throws {
        let scratch = try Scratch()
        try GateProcess.mintAuthority(scratch.path("trial"))
        let config = ["--config", scratch.path("trial/gate.conf")]
        let flag = "--" + name.lowercased().replacing("_", with: "-")
        for command in ["check-config", "serve"] {
            let outcome = try await Self.gate([command, flag, value] + config)
            #expect(outcome.exitCode == 78, "\(command)")
            // Production has neither other roots than Apple's nor an echo.
            let named = name == "APP_ENV" ? "APPATTEST_ROOT_CA_PATH" : name
            #expect(outcome.errors.contains(named), "\(outcome.errors)")
        }
    }

    @Test("a folder of keys that cannot be is a setting to be changed")
    func storeFolder() async throws {
        let scratch = try Scratch()
        try GateProcess.mintAuthority(scratch.path("trial"))
        let outcome = try await Self.gate([
            "serve", "--config", scratch.path("trial/gate.conf"), "--attested-keys-path",
            scratch.path("trial/root.pem/keys.json"),
        ])
        #expect(outcome.exitCode == 78)
        #expect(outcome.errors.contains("ATTESTED_KEYS_PATH"))
    }

    @Test("a key file that others may write is refused with its setting's name")
    func writableKeyFile() async throws {
        let scratch = try Scratch()
        try GateProcess.mintAuthority(scratch.path("trial"))
        let keys = scratch.path("trial/attested-keys.json")
        try SmallFile.write(Array("{}".utf8), to: keys, isSecret: false)
        for mode in [0o666, 0o620, 0o602] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: keys)
            let outcome = try await Self.gate(["serve", "--config", scratch.path("trial/gate.conf")])
            #expect(outcome.exitCode == 78 && outcome.errors.contains("ATTESTED_KEYS_PATH"), "\(outcome.errors)")
        }
    }

    @Test("a key file that is not there is refused, and nothing is made in its place")
    func missingStore() async throws {
        let scratch = try Scratch()
        let (keys, secret) = (scratch.path("typing-error.json"), scratch.path("accounts"))
        try SmallFile.write(Array(repeating: 7, count: 32), to: secret, isSecret: true)
        let before = try FileManager.default.contentsOfDirectory(atPath: scratch.path(""))
        let account = ["alice", "--account-secret", secret]
        for command in [
            ["keys", "list"], ["keys", "revoke", "1f2e3d4c5b6a"], ["keys", "ban", "1f2e3d4c5b6a"],
            ["keys", "export", scratch.path("export.json")], ["accounts", "list"], ["accounts", "ban"] + account,
            ["accounts", "unban"] + account,
        ] {
            let outcome = try await Self.gate(command + ["--store", "json:" + keys])
            #expect(outcome.exitCode == 66 && outcome.errors.contains("ATTESTED_KEYS_PATH"), "\(command) \(outcome)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("")) == before)
    }

    @Test("a file is not imported into itself")
    func itself() async throws {
        let scratch = try Scratch()
        let keys = scratch.path("keys.json")
        try SmallFile.write(Array("{}".utf8), to: keys, isSecret: true)
        let outcome = try await Self.gate(["keys", "import", keys, "--store", "json:" + keys])
        #expect(outcome.exitCode == 64 && outcome.errors.contains("the store itself"), "\(outcome)")
    }

    @Test(
        "root makes nothing beside a gate's key file that the gate could not open",
        .enabled(if: geteuid() == 0, "only root can act in another user's folder"))
    func foreignStore() async throws {
        let scratch = try Scratch()
        let (keys, lock) = (scratch.path("keys.json"), scratch.path("keys.json.lock"))
        try SmallFile.write(Array("{}".utf8), to: keys, isSecret: true)
        try SmallFile.write([], to: lock, isSecret: true)
        let list = ["keys", "list", "--store", "json:" + keys]
        #expect(chown(lock, 65_534, 65_534) == 0)
        let locked = try await Self.gate(list)
        #expect(locked.exitCode == 78 && locked.errors.contains("keys.json.lock belongs to user 65534"), "\(locked)")

        try FileManager.default.removeItem(atPath: lock)
        #expect(chown(scratch.path(""), 65_534, 65_534) == 0)
        let foreign = try await Self.gate(list)
        #expect(foreign.exitCode == 78 && foreign.errors.contains("setpriv --reuid=65534"), "\(foreign)")
        #expect(!FileManager.default.fileExists(atPath: lock))
    }

    @Test("accounts are banned, listed by hash, let in again, and bans go along with an export and an import")
    func accounts() async throws {
        let scratch = try Scratch()
        let (keys, secret) = (scratch.path("keys.json"), scratch.path("accounts"))
        try SmallFile.write(Array(repeating: 7, count: 32), to: secret, isSecret: true)
        try SmallFile.write(Array("{}".utf8), to: keys, isSecret: true)
        let store = ["--store", "json:" + keys]
        let named = ["alice@example.com", "--account-secret", secret]
        #expect(try await Self.gate(["accounts", "ban"] + named + store).exitCode == 0)
        let list = try await Self.gate(["accounts", "list", "--json"] + store)
        #expect(list.exitCode == 0 && list.output.contains(#""reason" : "operator""#))
        let content = String(decoding: try SmallFile.read(keys), as: UTF8.self)
        #expect(content.contains("bannedAccounts") && !(content + list.output).contains("alice"))

        let other = scratch.path("other.json")
        #expect(try await Self.gate(["keys", "export", other] + store).exitCode == 0)
        // Nothing beside it, and for nobody else.
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path(""))
        #expect(names.filter { $0.contains("other") } == ["other.json"])
        #expect(try Stat(FilePath(other)).permissions == .ownerReadWrite)
        #expect(try await Self.gate(["accounts", "list", "--json", "--store", "json:" + other]).output == list.output)
        let third = ["--store", "json:" + scratch.path("third.json")]
        #expect(try await Self.gate(["keys", "import", other] + third).exitCode == 0)
        #expect(try await Self.gate(["accounts", "list", "--json"] + third).output == list.output)

        #expect(try await Self.gate(["accounts", "unban"] + named + store).exitCode == 0)
        let again = try await Self.gate(["accounts", "unban"] + named + store)
        #expect(again.exitCode == 1 && again.errors.contains("notBanned"))
        #expect(try await Self.gate(["accounts", "ban", "alice"] + store).exitCode == 78)
        #expect(try await Self.gate(["keys", "ban", "0123456789ab"] + store).exitCode == 1)
    }

    @Test("a store of more than 16 MiB is imported, and no export touches a file that is there")
    func largeStore() async throws {
        let scratch = try Scratch()
        let (keys, secret, large) = (scratch.path("keys.json"), scratch.path("accounts"), scratch.path("large.json"))
        try SmallFile.write(Array(repeating: 7, count: 32), to: secret, isSecret: true)
        try SmallFile.write(Array("{}".utf8), to: keys, isSecret: true)
        let ban = ["accounts", "ban", "alice", "--account-secret", secret, "--store", "json:" + keys]
        #expect(try await Self.gate(ban).exitCode == 0)
        let bytes = try SmallFile.read(keys) + Array(repeating: UInt8(ascii: " "), count: 17 << 20)
        try SmallFile.write(bytes, to: large, isSecret: true)

        let imported = ["--store", "json:" + scratch.path("imported.json")]
        #expect(try await Self.gate(["keys", "import", large] + imported).exitCode == 0)
        let list = try await Self.gate(["accounts", "list", "--json"] + imported)
        #expect(list.output.contains(#""reason" : "operator""#), "\(list.errors)")

        #expect(try await Self.gate(["keys", "export", large] + imported).exitCode == 73)
        #expect(try Data(contentsOf: URL(filePath: large)).elementsEqual(bytes))
        let nowhere = scratch.path("missing/export.json")
        #expect(try await Self.gate(["keys", "export", nowhere] + imported).exitCode == 73)
        // Whatever it is, and wherever it leads.
        let link = scratch.path("link.json")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: scratch.path("nothing"))
        #expect(try await Self.gate(["keys", "export", link] + imported).exitCode == 73)
        #expect(try await Self.gate(["keys", "import", scratch.path("missing.json")] + imported).exitCode == 66)
    }

    @Test("check-config shows what settings come out as, the flag before the file, and no password")
    func effective() async throws {
        let scratch = try Scratch()
        try GateProcess.mintAuthority(scratch.path("trial"))
        let outcome = try await Self.gate(
            [
                "check-config", "--config", scratch.path("trial/gate.conf"), "--ws-port", "7777", "--store-url",
                "postgres://gate:canary-5e1f@db/gate",
            ], environment: ["WS_PORT": "1", "WS_PROT": "1"])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("WS_PORT=7777\n"))
        #expect(outcome.output.contains("STORE_URL=postgres://gate:***@db/gate\n"))
        #expect(outcome.errors.contains("WS_PROT"))
        #expect(!(outcome.output + outcome.errors).contains("canary-5e1f"))
    }

    @Test("private keys of a test authority are their owner's alone, and a folder is not overwritten")
    func authority() async throws {
        let scratch = try Scratch()
        let folder = scratch.path("trial")
        try GateProcess.mintAuthority(folder)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix("-key.pem") {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
        #expect(try await Self.gate(["mint-test-ca", folder]).exitCode == 73)
    }

    @Test("what is minted is shown, verified, and refused for another nonce at the step that says why")
    func objects() async throws {
        let scratch = try Scratch()
        let folder = scratch.path("trial")
        try GateProcess.mintAuthority(folder)
        let nonce = String(repeating: "5a", count: 32)
        let minted = try await Self.gate(["mint", "register", "--nonce", nonce, "--authority", folder])
        let body = try #require(
            JSONSerialization.jsonObject(with: Data(minted.output.utf8)) as? [String: String], "\(minted.errors)")
        let file = scratch.path("attestation.b64")
        try Data(body["attestation"]!.utf8).write(to: URL(filePath: file))

        let shown = try await Self.gate(["inspect", "attestation", file])
        #expect(shown.output.contains("TESTTEAM01.com.example.trial"))
        #expect(shown.output.contains(body["keyId"]!))
        let what = ["--app-id", "TESTTEAM01.com.example.trial", "--roots", "\(folder)/anchors.pem"]
        let good = try await Self.gate(
            ["verify", "attestation", file, "--key-id", body["keyId"]!, "--nonce", nonce] + what)
        #expect(good.exitCode == 0, "\(good.errors)")
        let other = String(repeating: "5b", count: 32)
        let bad = try await Self.gate(
            ["verify", "attestation", file, "--key-id", body["keyId"]!, "--nonce", other] + what)
        #expect(bad.exitCode == 1)
        #expect(bad.errors.contains("nonce_mismatch at step A7"))

        let asserted = try await Self.gate(
            ["mint", "assert", "--nonce", nonce, "--authority", folder, "--json"])
        let headers = try #require(
            JSONSerialization.jsonObject(with: Data(asserted.output.utf8)) as? [String: String], "\(asserted.errors)")
        let assertion = scratch.path("assertion.b64")
        try Data(headers["X-App-Assert-Data"]!.utf8).write(to: URL(filePath: assertion))
        #expect(try await Self.gate(["inspect", "assertion", assertion]).output.contains("signCount"))
        let rubbish = try await Self.gate(["inspect", "receipt", assertion])
        #expect(rubbish.exitCode == 1)
        #expect(rubbish.errors.contains("receipt_malformed at step R1"))
    }
}
