import Foundation
import QRCode
import TestSupport
import Testing

@Suite("casemate with a validator")
struct VigilCommandsTests {
    private static let pin = "a passphrase"
    private let sign = [
        "sign", "--yes", "--json", "--pin-fd", "3", "--hex",
        WestendPayload.transaction(WestendPayload.transfer(to: WestendPayload.bob)),
    ]
    private let preview = ["key", "preview", "--seed", "demo", "--pin-fd", "3"]

    /// What binding is told where the validator runs as the user of the vault.
    private func shared(_ command: String) -> [String] { command == "bind" ? ["--shared-user"] : [] }

    private func recover(_ tree: InstalledTree) throws {
        try tree.run(
            ["seed", "recover", "demo", "--pin-fd", "3", "--phrase-fd", "4"],
            secrets: [3: Self.pin, 4: DemoVault.phrase]
        ).succeeded()
    }

    /// With the validator running, everything pinned, and a bound vault with the seed `demo`.
    private func boundTree() throws -> InstalledTree {
        let tree = try InstalledTree()
        try tree.startValidator()
        try tree.provision()
        let made = try tree.run(
            ["init", "--network-allowed", "--json", "--pin-fd", "3"] + DemoVault.cost, secrets: [3: Self.pin]
        ).succeeded()
        #expect(try made.json()["boundTo"].string?.count == 64)
        try recover(tree)
        return tree
    }

    @Test(
        "untouched it signs; one byte patched on disk it refuses to sign and to open seeds, and untouched it signs again"
    )
    func patched() throws {
        let tree = try boundTree()
        let signed = try tree.run(sign, secrets: [3: Self.pin])
        #expect(signed.exitCode == 0, "\(signed.errors)")
        #expect(try signed.json()["vouchedBy"].string?.count == 64)
        try tree.withPatchedCasemate {
            for command in [sign, preview, ["seed", "list", "--pin-fd", "3"]] {
                let refused = try tree.run(command, secrets: [3: Self.pin])
                #expect(refused.exitCode == 18, "\(refused.output)")
                #expect(refused.errors.contains("does not vouch for this program"))
            }
            // Leaving the validator out helps nobody: the right PIN is a wrong one.
            try tree.without(["etc/vigil-app.json", "../vault/key/vigil.json"]) {
                let alone = try tree.run(preview, secrets: [3: Self.pin])
                #expect(alone.exitCode == 10, "\(alone.errors)")
            }
        }
        #expect(try tree.run(preview, secrets: [3: Self.pin]).exitCode == 0)
    }

    @Test("what a picture asks for is signed as well, though another process has read it")
    func picture() throws {
        let tree = try boundTree()
        let picture = tree.scratch.path("payload.png")
        let payload = WestendPayload.bytes(of: try #require(sign.last))
        try Data(QRPicture.png(QRSymbol.encode(bytes: payload))).write(to: URL(filePath: picture))
        let signed = try tree.run(
            sign.dropLast(2) + ["--qr", picture, "--allow-unsandboxed-pictures"], secrets: [3: Self.pin])
        #expect(signed.exitCode == 0, "\(signed.errors)")
        #expect(try signed.json()["vouchedBy"].string?.count == 64)
    }

    @Test("with the validator stopped it refuses, within the time limit, and with it back it signs")
    func stopped() throws {
        let tree = try boundTree()
        tree.stopValidator()
        for command in [sign, preview] {
            let refused = try tree.run(command, secrets: [3: Self.pin])
            #expect(refused.exitCode == 18 && refused.errors.contains("no validator is running"), "\(refused.errors)")
        }
        let status = try tree.run(["vigil", "status", "--json"])
        #expect(status.exitCode == 18)
        #expect(try status.json()["vouches"].bool == false && status.json()["bound"].bool == true)
        try tree.startValidator()
        #expect(try tree.run(sign, secrets: [3: Self.pin]).exitCode == 0)
        let answer = try tree.run(["status", "--json"]).json()
        #expect(answer["validator"]["vouches"].bool == true)
        #expect(answer["validator"]["levels"][3].string == "L3")
    }

    @Test("without a validator it says so when a vault is made, in its status and before it signs")
    func none() throws {
        let tree = try InstalledTree()
        let said = "No validator vouches for this program."
        let made = try tree.run(
            ["init", "--network-allowed", "--pin-fd", "3"] + DemoVault.cost, secrets: [3: Self.pin])
        #expect(made.exitCode == 0 && made.output.contains(said), "\(made.errors)")
        try recover(tree)
        #expect(try tree.run(["status"]).output.contains(said))
        let signed = try tree.run(sign.filter { $0 != "--json" }, secrets: [3: Self.pin])
        #expect(signed.exitCode == 0 && signed.output.contains(said), "\(signed.errors)")
    }

    @Test(
        "the window's entry in the menu starts the installed window, and no other that is on the PATH",
        .enabled(if: FileManager.default.isExecutableFile(atPath: Program(name: "casemate-window").path)))
    func menuEntry() throws {
        let tree = try InstalledTree()
        let entry = try String(
            contentsOfFile: tree.path("share/applications/io.github.casemate.Window.desktop"), encoding: .utf8)
        let window = tree.path("bin/casemate-window")
        #expect(
            entry.split(separator: "\n").filter { $0.contains("Exec=") } == [
                "Exec=\"\(window)\"", "TryExec=\(window)", "Exec=\"\(window)\" --isolated",
                "Exec=\"\(window)\" --demo",
            ])
    }

    @Test(
        "killed while it is bound or unbound, the vault opens",
        arguments: ["vigil.marked", "commit.2", "commit.5", "vigil.changed"])
    func killed(_ step: String) throws {
        let tree = try InstalledTree()
        try tree.startValidator()
        try tree.provision()
        try #require(
            try tree.run(
                ["init", "--network-allowed", "--no-vigil", "--pin-fd", "3"] + DemoVault.cost, secrets: [3: Self.pin]
            ).exitCode
                == 0)
        try recover(tree)
        for command in ["bind", "unbind"] {
            let died = try tree.run(
                ["--crash-at=\(step)", "vigil", command, "--pin-fd", "3"] + shared(command), secrets: [3: Self.pin])
            #expect(
                died.exitCode == 9 || died.exitCode == 137, "\(command) at \(step): \(died.exitCode) \(died.errors)")
            #expect(try tree.run(preview, secrets: [3: Self.pin]).exitCode == 0, "\(command) at \(step)")
            // On with what was begun, or it was done already.
            _ = try tree.run(["vigil", command, "--pin-fd", "3"] + shared(command), secrets: [3: Self.pin])
            let state = try tree.run(["vigil", "status", "--json"]).json()
            #expect(state["bound"].bool == (command == "bind"))
        }
    }

    @Test("where the validator has no user of its own, binding says so and wants a yes; init and status say so too")
    func sharedUser() throws {
        let tree = try InstalledTree()
        #expect(try tree.install().output.contains("Vault and validator both run as"))
        try tree.startValidator()
        try tree.provision()
        let said = "Vault and validator run as one user"
        let made = try tree.run(
            ["init", "--network-allowed", "--pin-fd", "3"] + DemoVault.cost, secrets: [3: Self.pin])
        #expect(made.exitCode == 0 && made.output.contains(said), "\(made.errors)")
        #expect(try tree.run(["vigil", "status"]).output.contains(said))
        try #require(try tree.run(["vigil", "unbind", "--pin-fd", "3"], secrets: [3: Self.pin]).exitCode == 0)
        let refused = try tree.run(["vigil", "bind", "--pin-fd", "3"], secrets: [3: Self.pin])
        #expect(refused.exitCode == 4 && refused.errors.contains("--shared-user"), "\(refused.errors)")
        #expect(try tree.run(["vigil", "status", "--json"]).json()["bound"].bool == false)
        let bound = try tree.run(["vigil", "bind", "--shared-user", "--pin-fd", "3"], secrets: [3: Self.pin])
        #expect(bound.exitCode == 0, "\(bound.errors)")
    }

    @Test(
        "once opened with the validator's word, a vault that is not bound opens with nothing less, until it is released"
    )
    func required() throws {
        let tree = try InstalledTree()
        try #require(
            try tree.run(["init", "--network-allowed", "--pin-fd", "3"] + DemoVault.cost, secrets: [3: Self.pin])
                .exitCode == 0)
        try recover(tree)
        try tree.startValidator()
        try tree.provision()
        let first = try tree.run(preview, secrets: [3: Self.pin])
        #expect(first.exitCode == 0 && first.errors.contains("From now on this vault opens only"), "\(first.errors)")
        for missing in ["etc/vigil-app.json", "state/app/attestation.json"] {
            try tree.without([missing]) {
                for command in [preview, sign, ["key", "list", "--pin-fd", "3"]] {
                    let refused = try tree.run(command, secrets: [3: Self.pin])
                    #expect(refused.exitCode == 18, "\(missing) \(command[0]): \(refused.output)\(refused.errors)")
                }
            }
        }
        let elsewhere = try tree.run(preview, secrets: [3: Self.pin], environment: ["CASEMATE_VIGIL": "/nowhere"])
        #expect(elsewhere.exitCode == 18, "\(elsewhere.errors)")
        #expect(try tree.run(["vigil", "unbind", "--pin-fd", "3"], secrets: [3: Self.pin]).exitCode == 0)
        try tree.without(["etc/vigil-app.json"]) {
            let alone = try tree.run(preview, secrets: [3: Self.pin])
            #expect(alone.exitCode == 0, "\(alone.errors)")
        }
    }

    @Test(
        "a validator that ends while a person looks at a transaction ends the signature, also if another is there by then"
    )
    func lostSession() throws {
        let tree = try boundTree()
        let payload = WestendPayload.transaction(WestendPayload.transfer(to: WestendPayload.bob))
        let session = try tree.session(["sign", "--hex", payload])
        try session.wait(for: "PIN:")
        try session.type(Self.pin)
        try session.wait(for: "Type yes to go on:")
        tree.stopValidator()
        try tree.startValidator()
        try session.type("yes")
        try session.wait(for: "does not vouch for this program")
        #expect(session.exitCode() == 18)
        #expect(try tree.run(sign, secrets: [3: Self.pin]).exitCode == 0)
    }

    @Test(
        "a bound vault without its record keeps its binding when the recovery code changes it, and says how it is put back"
    )
    func recordRemoved() throws {
        let tree = try InstalledTree()
        try tree.startValidator()
        try tree.provision()
        let made = try tree.run(
            ["init", "--network-allowed", "--recovery", "--pin-fd", "3", "--recovery-fd", "6"] + DemoVault.cost,
            secrets: [3: Self.pin],
            taking: [6]
        ).succeeded()
        let code = String(try #require(made.taken[6]?.split(separator: "\n").first))
        try recover(tree)
        let record = tree.vault + "/key/vigil.json"
        try FileManager.default.removeItem(atPath: record)
        let byCode = ["--recovery-code", "--pin-fd", "3", "--new-pin-fd", "4"]
        for command in [["protect", "--change-pin"], ["rotate", "--rekey", "--recovery-fd", "6"]] {
            let refused = try tree.run(
                command + byCode, secrets: [3: code, 4: "a newer passphrase"], taking: [6])
            #expect(refused.exitCode == 15 && refused.errors.contains("vigil bind --restore"), "\(refused.errors)")
        }
        let restored = try tree.run(["vigil", "bind", "--restore", "--pin-fd", "3"], secrets: [3: Self.pin])
        #expect(restored.exitCode == 0, "\(restored.errors)")
        #expect(try tree.run(preview, secrets: [3: Self.pin]).exitCode == 0)
        // Where the validator is lost for good, the recovery code and a yes are what is left.
        tree.stopValidator()
        let unasked = try tree.run(["vigil", "unbind"] + byCode, secrets: [3: code, 4: "a newer passphrase"])
        #expect(unasked.exitCode != 0)
        let freed = try tree.run(["vigil", "unbind", "--yes"] + byCode, secrets: [3: code, 4: "a newer passphrase"])
        #expect(freed.exitCode == 0, "\(freed.errors)")
        try tree.without(["etc/vigil-app.json"]) {
            let alone = try tree.run(preview, secrets: [3: "a newer passphrase"])
            #expect(alone.exitCode == 0, "\(alone.errors)")
        }
    }

    @Test("an upgrade keeps secret, pins and configuration; a lower epoch is not installed")
    func upgrade() throws {
        let tree = try boundTree()
        let kept = ["etc/vigil-grant", "etc/vigil-app.json", "etc/vigil-validator.json"]
        let before = try kept.map { try Data(contentsOf: URL(filePath: tree.path($0))) }
        #expect(try tree.install(epoch: 1).exitCode == 1)
        let upgraded = try tree.install()
        #expect(upgraded.exitCode == 0 && upgraded.output.contains("epoch 2"), "\(upgraded.errors)")
        #expect(try kept.map { try Data(contentsOf: URL(filePath: tree.path($0))) } == before)
        tree.stopValidator()
        try tree.startValidator()
        let signed = try tree.run(sign, secrets: [3: Self.pin])
        #expect(signed.exitCode == 0, "\(signed.errors)")
    }
}
