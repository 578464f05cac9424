import Foundation
import Pictures
import QRCode
import TestSupport
import Testing
import ZXingReader

@Suite("casemate, as a person runs it")
struct VaultCommandsTests {
    static let casemate = DemoVault.casemate
    static let payload = packageRoot.appending(path: "Benchmarks/westend-batch.hex").path

    private func vault(_ protection: String = "--none") throws -> (folder: String, scratch: Scratch) {
        let vault = try DemoVault(protection)
        return (vault.folder, vault.scratch)
    }

    @Test("the demonstration reads a picture, signs and verifies")
    func demo() throws {
        let scratch = try Scratch()
        let outcome = try Self.casemate.run(["demo", "--yes", "--out", scratch.path("answer.png")])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("method: batch_all") && outcome.output.contains("1.500000000000 WND"))
        #expect(outcome.output.contains("Verified:"))
        #expect(!outcome.output.contains("\u{1b}"), "no colour where there is no terminal")
    }

    @Test("a payload is inspected without a vault, and with one signed into a picture that reads back")
    func roundTrip() throws {
        let (folder, scratch) = try vault()
        let inspected = try Self.casemate.run(["inspect", "--vault", folder, "--file", Self.payload])
        #expect(inspected.exitCode == 0)
        #expect(inspected.output.contains("Call hash  0x"))
        let answer = scratch.path("answer.png")
        let signed = try Self.casemate.run(
            ["sign", "--vault", folder, "--file", Self.payload, "--yes", "--out", answer, "--pin-fd", "3", "--json"],
            secrets: [3: DemoVault.pin]
        ).succeeded()
        let json = try JSON(parsing: Array(signed.output.utf8))
        let picture = try PictureDecoder.decode(Array(Data(contentsOf: URL(filePath: answer))))
        let text = try ZXingReader().read(picture).map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(text == [json["answer"].string])
        let log = try Self.casemate.run(["log", "show", "--vault", folder])
        #expect(log.output.contains("TransactionSigned"))
        #expect(try Self.casemate.run(["log", "verify", "--vault", folder]).exitCode == 0)
    }

    @Test("each kind of trouble has its message and exit code")
    func troubles() throws {
        let (folder, scratch) = try vault("--pin")
        func exitCode(_ arguments: [String], _ secrets: [Int: String] = [3: DemoVault.pin], input: String = "") throws
            -> Int32
        {
            let outcome = try Self.casemate.run(
                arguments + ["--vault", folder] + (arguments[0] == "network" ? [] : ["--pin-fd", "3"]),
                input: Array(input.utf8), secrets: secrets)
            if outcome.exitCode != 0 { #expect(outcome.errors.contains("casemate: ") || outcome.exitCode == 64) }
            #expect(!outcome.errors.contains(DemoVault.pin) && !outcome.errors.contains("bottom drive"))
            return outcome.exitCode
        }
        let hex = try String(contentsOfFile: Self.payload, encoding: .utf8).trimmingCharacters(
            in: .whitespacesAndNewlines)
        let sign = ["sign", "--yes", "--hex", hex]
        #expect(try exitCode(sign, [3: "wrong one"]) == 10)
        #expect(try exitCode(["init"]) == 1)
        #expect(try exitCode(["inspect", "--hex", "00"]) == 2)
        #expect(try exitCode(["inspect", "--hex", "5301"]) == 2)
        #expect(try exitCode(["inspect", "--hex", String(hex.dropLast(2)) + "00"]) == 12)
        #expect(try exitCode(["inspect", "--hex", hex.replacing("a223000007000000", with: "a323000007000000")]) == 13)
        #expect(try exitCode(["inspect"], input: "zz") == 2)
        #expect(try exitCode(["inspect", "--hex", hex, "--qr", "x"]) == 64)
        #expect(
            try exitCode(["key", "derive", "none", "//x", "--network", "westend"]) == 16)
        #expect(
            try exitCode(["key", "derive", "demo", "x", "--network", "westend"]) == 1)
        #expect(try exitCode(["network", "show", "nowhere"]) == 16)
        let blank = scratch.path("blank.pgm")
        try Data("P5 40 40 255\n".utf8 + [UInt8](repeating: 200, count: 1600)).write(to: URL(filePath: blank))
        #expect(try exitCode(["inspect", "--qr", blank]) == 17)
        let other = try Self.casemate.run(["key", "list", "--vault", scratch.path("none")])
        #expect(other.exitCode == 14)
        try Data([1, 2, 3]).write(to: URL(filePath: folder + "/vault.sqlite"))
        #expect(try exitCode(["key", "list"]) == 15)
    }

    @Test("a folder that holds something else is refused before anything is asked, and no code is shown")
    func takenFolder() throws {
        let scratch = try Scratch()
        try Data("x".utf8).write(to: URL(filePath: scratch.path("file")))
        let refused = try Self.casemate.run(
            [
                "init", "--recovery", "--network-allowed", "--vault", scratch.path, "--pin-fd", "3", "--recovery-fd",
                "4",
            ],
            secrets: [3: DemoVault.pin], taking: [4])
        #expect(refused.exitCode == 1 && refused.errors.contains("--vault FOLDER"), "\(refused.errors)")
        #expect(refused.taken[4]?.isEmpty == true)
    }

    @Test("a preview shows a phrase's addresses in each kind of wallet, needs no vault and keeps nothing")
    func preview() throws {
        let scratch = try Scratch()
        let none = scratch.path("none")
        let outcome = try Self.casemate.run(
            [
                "--isolated", "key", "preview", "--vault", none, "--phrase-fd", "3", "--path", "//Alice", "--accounts",
                "2",
            ],
            secrets: [3: DemoVault.phrase])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        for address in [
            "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY", "5FA9nQDVg267DEd8m1ZypXLBnvN7SFxYwV7ndqSYGiN9TTpu",
            "5C7C2Z5sWbytvHpuLTvzKunnnRwQxft1jiqrLD5rhucQ5S9X", "0xf24FF3a9CF04c71Dbc94D0b566f7A27B94566cac",
            "0x3Cd0A705a2DC65e5b1E1205896BaA2be8A07c6e0",
        ] {
            #expect(outcome.output.contains(address))
        }
        #expect(!outcome.output.contains("\u{1b}") && !outcome.output.contains("bottom"))
        #expect(!FileManager.default.fileExists(atPath: none))
    }

    @Test("a preview of a stored seed is the same for machines, and leaves the vault as it was")
    func previewOfSeed() throws {
        let (folder, scratch) = try vault()
        defer { withExtendedLifetime(scratch) {} }
        let before = try Self.casemate.run(["log", "show", "--vault", folder]).output
        let outcome = try Self.casemate.run(
            [
                "key", "preview", "--vault", folder, "--seed", "demo", "--pin-fd", "3", "--password-fd", "4",
                "--network",
                "polkadot", "--path", "m/44'/60'/0'/0/1", "--path", "/soft", "--json",
            ], secrets: [3: DemoVault.pin, 4: "pass"]
        ).succeeded()
        let rows = try JSON(parsing: Array(outcome.output.utf8)).array
        let ethereum = try #require(rows.first { $0["scheme"].string == "ethereum-bip44" })
        #expect(ethereum["address"].string == "0xd6cdaBF92E16ebb9E0152F41922a27e6bC991b06")
        let schnorr = try #require(rows.first { $0["scheme"].string == "sr25519" })
        #expect(schnorr["address"].string?.hasPrefix("1") == true && schnorr["error"].isNull)
        let edwards = try #require(rows.first { $0["scheme"].string == "ed25519" })
        #expect(edwards["address"].isNull && edwards["error"].string?.contains("soft junction") == true)
        #expect(try Self.casemate.run(["log", "show", "--vault", folder]).output == before)
    }

    @Test("a preview refuses what it cannot read, and repeats no word of it")
    func previewTroubles() throws {
        let (folder, scratch) = try vault("--pin")
        defer { withExtendedLifetime(scratch) {} }
        func exitCode(_ arguments: [String], _ secrets: [Int: String] = [:]) throws -> Int32 {
            let outcome = try Self.casemate.run(["key", "preview", "--vault", folder] + arguments, secrets: secrets)
            #expect(!(outcome.errors + outcome.output).contains("bottom"))
            return outcome.exitCode
        }
        let phrase = ["--phrase-fd", "4"]
        #expect(try exitCode(["--seed", "demo", "--pin-fd", "3"], [3: "wrong one"]) == 10)
        #expect(try exitCode(["--seed", "none", "--pin-fd", "3"], [3: DemoVault.pin]) == 16)
        #expect(try exitCode(phrase, [4: "bottom drive"]) == 1)
        #expect(try exitCode(phrase, [4: DemoVault.phrase.replacing("walk", with: "bottom")]) == 1)
        #expect(try exitCode(phrase + ["--path", "m/44'/x"], [4: DemoVault.phrase]) == 1)
        #expect(try exitCode(phrase + ["--path", "//a///b"], [4: DemoVault.phrase]) == 1)
        #expect(try exitCode(phrase + ["--network", "nowhere"], [4: DemoVault.phrase]) == 16)
        #expect(try exitCode(phrase + ["--prefix", "16384"]) == 64)
        #expect(try exitCode(phrase + ["--prefix", "0", "--network", "polkadot"]) == 64)
        #expect(try exitCode(phrase + ["--accounts", "0"]) == 64)
        #expect(try exitCode(phrase + ["--seed", "demo"]) == 64)
    }

    @Test("on a terminal the cards are shown, a no signs nothing, and the PIN is not echoed")
    func terminal() throws {
        let (folder, scratch) = try vault()
        defer { withExtendedLifetime(scratch) {} }
        let refused = try Self.casemate.runInTerminal(
            ["sign", "--vault", folder, "--file", Self.payload], keys: "no\n")
        #expect(refused.exitCode == 4)
        #expect(refused.output.contains("method: batch_all") && refused.output.contains("Type yes"))
        let log = try Self.casemate.run(["log", "show", "--vault", folder])
        #expect(!log.output.contains("TransactionSigned"))
    }

    @Test("without a terminal the demonstration says that nobody is there, signs with the public key, and ends well")
    func demoAlone() throws {
        let outcome = try Program.shell("exec setsid --wait \(Program.quoted(Self.casemate.path)) demo")
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let output = outcome.output
        let asked = try #require(output.range(of: "At a glance"))
        let alone = try #require(output.range(of: "Nobody is there to ask"))
        let verified = try #require(output.range(of: "Verified:"))
        #expect(asked.upperBound < alone.lowerBound && alone.upperBound < verified.lowerBound)
    }

    @Test("with a terminal the demonstration asks, and takes a no")
    func demoDeclined() throws {
        let session = try TerminalSession(Self.casemate, ["demo"])
        try session.wait(for: "Sign this with the public test key? Type yes to go on:")
        try session.type("no")
        #expect(session.exitCode() == 4)
        #expect(try !session.shown().contains("Verified:"))
    }

    @Test("casemate's help teaches, and every command has it")
    func help() throws {
        let outcome = try Self.casemate.run(["--help"])
        #expect(outcome.exitCode == 0)
        #expect(outcome.output.contains("casemate demo") && outcome.output.contains("EXIT CODES"))
        for command in [
            "init", "seed", "key", "network", "inspect", "sign", "log", "status", "unlock", "lock", "protect",
            "metadata", "demo",
        ] {
            #expect(try Self.casemate.run([command, "--help"]).exitCode == 0)
        }
    }

    @Test("killed at any moment, a vault opens again with whole data")
    func killed() throws {
        let (folder, scratch) = try vault()
        let pin = scratch.path("pin")
        try Data(DemoVault.pin.utf8).write(to: URL(filePath: pin))
        var lastCount = 5
        for round in 0..<25 {
            let delay = Double(round) * 0.03
            let name = Program.quoted("seed \(round)")
            let command =
                "\(Program.quoted(Self.casemate.path)) seed new \(name) --words 12 --vault \(Program.quoted(folder)) "
                + "--pin-fd 3 --phrase-fd 4 3<\(Program.quoted(pin)) 4>/dev/null"
            _ = try Program.shell("\(command) & p=$!; sleep \(delay); kill -9 $p 2>/dev/null; wait $p; true")
            let keys = try Self.casemate.run(["key", "list", "--json", "--vault", folder])
            #expect(keys.exitCode == 0, "\(keys.errors)")
            let count = try JSON(parsing: Array(keys.output.utf8)).array.count
            // All five rows of a seed or none.
            #expect(count >= lastCount && count % 5 == 0)
            lastCount = count
            #expect(try Self.casemate.run(["log", "verify", "--vault", folder]).exitCode == 0)
        }
        // The sealed seeds open too; what a kill left without rows gets them now.
        let last = try Self.casemate.run(
            ["seed", "new", "last", "--words", "12", "--vault", folder, "--pin-fd", "3", "--phrase-fd", "4"],
            secrets: [3: DemoVault.pin], taking: [4])
        #expect(last.exitCode == 0, "\(last.errors)")
    }
}
