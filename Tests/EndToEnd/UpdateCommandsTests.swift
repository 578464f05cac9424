import Foundation
import TestSupport
import Testing

/// A network's life in a vault, by pictures alone, from one vault that publishes to one that takes.
@Suite("casemate update and network")
struct UpdateCommandsTests {
    private static let airgap = Program(name: "airgap")

    /// The address at //kusama of the development phrase, in Kusama's form.
    private func publisher(_ vault: DemoVault) throws -> (address: String, key: String) {
        for key in try vault.run(["key", "list", "--json"]).json().array where key["path"].string == "//kusama" {
            return (
                try #require(key["networks"][0]["address"].string), try #require(key["publicKey"].string)
            )
        }
        throw CocoaError(.fileNoSuchFile)
    }

    /// Signs, and makes the picture or the film of it that a camera sees.
    private func publish(_ arguments: [String], from vault: DemoVault, by address: String) throws -> String {
        let (update, film) = (vault.scratch.path("\(UUID()).bin"), vault.scratch.path("\(UUID()).apng"))
        try vault.run(["network", "sign"] + arguments + ["--with", address, "--yes", "--update", update]).succeeded()
        try Self.airgap.run(["send", update, "--out", film]).succeeded()
        return film
    }

    @Test("a key whose secret is out signs for others only behind the end of its address")
    func exposed() throws {
        let vault = try DemoVault()
        let (address, _) = try publisher(vault)
        try vault.unlocked(
            ["key", "export-secret", address, "--network", "kusama", "--yes", "--secret-fd", "4"], taking: [4]
        ).succeeded()
        let sign = ["network", "sign", "westend", "--with", address, "--yes", "--json"]
        let refused = try vault.run(sign)
        #expect(refused.exitCode == 5 && refused.errors.contains("ExposedKey"), "\(refused.errors)")
        #expect(try vault.run(sign + ["--confirm", "nope"]).exitCode == 5)
        #expect(try vault.count(of: "NetworkSpecsSigned") == 0)
        #expect(try vault.run(sign + ["--confirm", String(address.suffix(5))]).exitCode == 0)
        #expect(try vault.count(of: "NetworkSpecsSigned") == 1)
    }

    @Test(
        "a network comes by picture and its metadata by film; nobody overrules its verifier; it goes, and the log tells all"
    )
    func life() throws {
        let (from, to) = (try DemoVault(), try DemoVault())
        let (address, key) = try publisher(from)
        let genesis = WestendPayload.genesis
        // As if the vault had never known it: blocking alone does not make it unknown.
        #expect(try to.run(["network", "block", "westend", "--yes"]).exitCode == 0)
        let specs = try publish(["westend"], from: from, by: address)
        let refused = try to.run(["update", "--qr", specs, "--yes"])
        #expect(refused.exitCode == 2 && refused.errors.contains("[NetworkBlocked]"))
        #expect(try to.run(["network", "unblock", genesis, "--yes"]).exitCode == 0)

        let looked = try to.run(["inspect", "--qr", specs, "--json"]).json()
        #expect(looked["action"].string == "stub")
        #expect(looked["update"]["voucher"].string == "newCustom")
        #expect(looked["update"]["signer"].string == "sr25519 " + key.dropFirst(2))
        #expect(try to.run(["update", "--qr", specs, "--yes"]).exitCode == 0)
        #expect(
            try to.run(["inspect", "--hex", WestendPayload.transaction(WestendPayload.remark("a"))]).exitCode == 13)
        let metadata = try publish(["westend", "--metadata", "9122"], from: from, by: address)
        #expect(try to.run(["update", "--qr", metadata, "--yes"]).exitCode == 0)

        // Signed for it.
        #expect(try to.run(["key", "derive", "demo", "//westend", "--network", "westend"]).exitCode == 0)
        let transfer = WestendPayload.transaction(WestendPayload.transfer(to: WestendPayload.bob))
        let signed = try to.run(["sign", "--hex", transfer, "--yes", "--json"])
        #expect(signed.exitCode == 0, "\(signed.errors)")

        // Another key cannot overrule its verifier, and brings nothing of it.
        for path in ["//polkadot", "//statemint"] {
            let other = try #require(
                try from.run(["key", "list", "--json"]).json().array.first { $0["path"].string == path })
            let address = try #require(other["networks"][0]["address"].string)
            let forged = try publish(["westend"], from: from, by: address)
            let outcome = try to.run(["update", "--qr", forged, "--yes"])
            #expect(outcome.exitCode == 2 && outcome.errors.contains("[AddSpecsVerifierChanged]"))
        }
        // The verifier changes without a wipe: block, unblock, and the network is anybody's to bring.
        #expect(try to.run(["network", "remove", "westend", "--yes"]).exitCode == 0)
        let absent = try to.run(["network", "list", "--absent", "--json"]).json()
        #expect(absent[0]["verifier"].string == "sr25519 " + key.dropFirst(2))
        #expect(try to.run(["sign", "--hex", transfer, "--yes"]).exitCode == 12)
        #expect(try to.run(["network", "show", "westend"]).exitCode == 16)

        let log = try to.run(["log", "show"]).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for event in [
            "network blocked", "network unblocked", "NetworkSpecsAdded Westend", "NetworkVerifierSet",
            "MetadataAdded westend9122", "TransactionSigned westend", "MetadataRemoved westend9122",
            "NetworkSpecsRemoved Westend", "IdentityRemoved demo//westend",
        ] {
            #expect(log.contains(event), "\(event)")
        }
        #expect(try to.run(["log", "verify"]).exitCode == 0)
    }

    @Test(
        "what nobody signed is taken by a vault that follows nobody, and one that follows the release names that way",
        .enabled(if: SharedData.has("signer-wire/metadata/westend9122.scale")))
    func followsNobody() throws {
        let follower = try DemoVault()
        let free = follower.scratch.path("free")
        try DemoVault.casemate.run(["init", "--none", "--no-verifier", "--network-allowed", "--vault", free])
            .succeeded()
        let blob = follower.scratch.path("westend.scale")
        try Data(SharedData.bytes("signer-wire/metadata/westend9122.scale")).write(to: URL(filePath: blob))
        let packed = follower.scratch.path("packed.bin")
        try DemoVault.casemate.run(
            ["metadata", "pack", blob, "--genesis", WestendPayload.genesis, "--out", packed]
        ).succeeded()
        func update(_ folder: String) throws -> Program.Outcome {
            let remove = ["network", "remove-metadata", "westend", "9122", "--yes", "--vault", folder]
            try DemoVault.casemate.run(remove).succeeded()
            return try DemoVault.casemate.run(["update", "--file", packed, "--yes", "--vault", folder])
        }
        let refused = try update(follower.folder)
        #expect(refused.exitCode == 2 && refused.errors.contains("casemate init --no-verifier"), "\(refused.errors)")
        let taken = try update(free)
        #expect(taken.exitCode == 0 && taken.output.contains("Taken in."), "\(taken.errors)")
    }

    @Test(
        "metadata come lean and compressed by film, signed for others; whoever has another key brings none",
        .enabled(if: SharedData.has("signer-wire/metadata/westend9122.scale")))
    func packed() throws {
        let (from, to) = (try DemoVault(), try DemoVault())
        let (address, _) = try publisher(from)
        for step in [["block", "westend"], ["unblock", WestendPayload.genesis]] {
            #expect(try to.run(["network"] + step + ["--yes"]).exitCode == 0)
        }
        let specs = try publish(["westend"], from: from, by: address)
        #expect(try to.run(["update", "--qr", specs, "--yes"]).exitCode == 0)
        let blob = from.scratch.path("westend.scale")
        try Data(SharedData.bytes("signer-wire/metadata/westend9122.scale")).write(to: URL(filePath: blob))
        let packed = from.scratch.path("packed.bin")
        let made = try DemoVault.casemate.run([
            "metadata", "pack", blob, "--genesis", WestendPayload.genesis, "--out", packed,
        ])
        #expect(made.exitCode == 0, "\(made.errors)")
        let count = try Data(contentsOf: URL(filePath: packed)).count
        #expect(count < 50_000)
        let unsigned = try to.run(["update", "--file", packed, "--yes"])
        #expect(unsigned.exitCode == 2 && unsigned.errors.contains("[NeedVerifier]"), "\(unsigned.errors)")
        let film = try publish(["--file", packed], from: from, by: address)
        let looked = try to.run(["inspect", "--qr", film, "--json"]).json()
        #expect(looked["update"]["kind"].string == "load_metadata")
        let taken = try to.run(["update", "--qr", film, "--yes"])
        #expect(taken.exitCode == 0 && taken.output.contains("Taken in."), "\(taken.errors)")
        // Transactions are read by them.
        #expect(try to.run(["key", "derive", "demo", "//westend", "--network", "westend"]).exitCode == 0)
        let transfer = WestendPayload.transaction(WestendPayload.transfer(to: WestendPayload.bob))
        #expect(try to.run(["sign", "--hex", transfer, "--yes"]).exitCode == 0)
        // A frame that holds something else than it says, vouched for or not, is refused, and nothing is written.
        let log = try to.run(["log", "show"]).output
        var bytes = try Array(Data(contentsOf: URL(filePath: packed)))
        bytes[3] ^= 4
        let damaged = try to.run(["update", "--hex", WestendPayload.hex(bytes), "--yes"])
        #expect(damaged.exitCode == 2 && damaged.errors.contains("[PackedMetadataDamaged]"), "\(damaged.errors)")
        #expect(try to.run(["log", "show"]).output == log)
    }

    @Test("what is no update is refused by update, and an update by sign, and nothing is written")
    func wrongCommand() throws {
        let vault = try DemoVault()
        let transfer = WestendPayload.transaction(WestendPayload.transfer(to: WestendPayload.bob))
        let outcome = try vault.run(["update", "--hex", transfer, "--yes"])
        #expect(outcome.exitCode == 2 && outcome.errors.contains("casemate inspect"))
        let entries = try vault.run(["log", "show"]).output
        // A network of nobody's, signed by nobody.
        let specs =
            "2a00" + "1023303030" + "0c" + "01" + String(repeating: "07", count: 32) + "0461" + "0461" + "0c2f2f61"
            + "00"
            + "0441" + "0441"
        let update = "53ffc1" + WestendPayload.hex(Self.prefixed(specs))
        let unsigned = try vault.run(["sign", "--hex", update, "--yes"])
        #expect(unsigned.exitCode == 3 && unsigned.errors.contains("casemate update"), "\(unsigned.errors)")
        #expect(try vault.run(["log", "show"]).output == entries)
        let declined = try DemoVault.casemate.runInTerminal(
            ["update", "--hex", update, "--vault", vault.folder], keys: "no\n")
        #expect(declined.exitCode == 4)
        #expect(declined.output.contains("nobody"))
        #expect(try vault.run(["network", "list", "--json"]).json().array.count == 4)
    }

    @Test("updates that somebody made to do harm are refused by name, in bounded time, and nothing is written")
    func hostile() throws {
        let vault = try DemoVault()
        // Whoever may bring Westend anew brings it unsigned.
        for step in [["block", "westend"], ["unblock", WestendPayload.genesis]] {
            #expect(try vault.run(["network"] + step + ["--yes"]).exitCode == 0)
        }
        let (log, networks) = (try vault.run(["log", "show"]).output, try vault.run(["network", "list"]).output)
        for (name, bytes, code) in try Self.hostilePayloads() {
            let file = vault.scratch.path("\(name).bin")
            try Data(bytes).write(to: URL(filePath: file))
            let start = ContinuousClock.now
            let outcome = try vault.run(["update", "--file", file, "--yes"])
            #expect(outcome.exitCode == 2 && outcome.errors.contains("[\(code)]"), "\(name): \(outcome.errors)")
            #expect(outcome.errors.utf8.count < 2_000, "\(name): the message repeats what came")
            #expect(.now - start < .seconds(60), "\(name)")
        }
        #expect(try vault.run(["log", "show"]).output == log)
        #expect(try vault.run(["network", "list"]).output == networks)
    }

    private static func hostilePayloads() throws -> [(name: String, bytes: [UInt8], code: String)] {
        func compact(_ value: Int) -> [UInt8] {
            // In its shortest form: 1, 2 or 4 bytes.
            let (count, mode) = value < 1 << 6 ? (1, 0) : value < 1 << 14 ? (2, 1) : (4, 2)
            return (0..<count).map { UInt8(truncatingIfNeeded: (value << 2 | mode) >> (8 * $0)) }
        }
        func text(_ value: String) -> [UInt8] { compact(value.utf8.count) + Array(value.utf8) }
        func specs(name: String = "orion", title: String = "Orion") -> [UInt8] {
            [42, 0] + text("#000") + [12, 1] + [UInt8](repeating: 7, count: 32) + text("orion") + text(name)
                + text("//orion") + text("#000") + text(title) + text("ORI")
        }
        func update(_ kind: UInt8, _ record: [UInt8]) -> [UInt8] {
            [0x53, 0xff, kind] + compact(record.count) + record
        }
        func type(_ name: String) -> [UInt8] { text(name) + [0] + text("u64") }
        let long = String(repeating: "a", count: 1 << 20)
        let genesis = WestendPayload.bytes(of: WestendPayload.genesis)
        // A frame of repeated bytes: 13 GB out of 400 KB.
        let bomb: [UInt8] =
            [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]
            + (0..<100_000).flatMap { number -> [UInt8] in
                let head = 131_072 << 3 | 1 << 1 | (number == 99_999 ? 1 : 0)
                return [UInt8(head & 0xff), UInt8(head >> 8 & 0xff), UInt8(head >> 16), 0x61]
            }
        let packed = [0x53, 0xff, 0x8c] + compact(1_000) + compact(bomb.count) + bomb + genesis
        return [
            ("name", update(0xc1, specs(name: long)), "SpecsMalformed"),
            ("title", update(0xc1, specs(title: long)), "SpecsMalformed"),
            ("thousands", update(0xc1, (0..<2_000).flatMap { _ in specs() }), "Codec"),
            ("doubled", update(0x81, [2 << 2] + type("Weight") + type("Weight")), "TypesMalformed"),
            ("cut", Array(update(0xc1, specs()).dropLast()), "TooShort"),
            ("scheme", [0x53, 0x07, 0xc1] + update(0xc1, specs()).dropFirst(3), "EncryptionNotSupported"),
            ("no-metadata", [0x53, 0xff, 0x80] + compact(3) + [1, 2, 3] + genesis, "NotMeta"),
            ("bomb", packed, "PackedMetadataDamaged"),
        ]
    }

    /// A record of less than 64 bytes with its compact length before it.
    private static func prefixed(_ hex: String) -> [UInt8] {
        [UInt8((hex.count / 2) << 2)] + WestendPayload.bytes(of: hex)
    }
}
