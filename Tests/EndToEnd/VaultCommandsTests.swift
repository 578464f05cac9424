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

    private func vault() throws -> (folder: String, scratch: Scratch) {
        let vault = try DemoVault()
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
            secrets: [3: "passphrase"])
        try #require(signed.exitCode == 0, "\(signed.errors)")
        let json = try JSONDecoder().decode(JSON.self, from: Data(signed.output.utf8))
        let picture = try PictureDecoder.decode(Array(Data(contentsOf: URL(filePath: answer))))
        let text = try ZXingReader().read(picture).map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(text == [json["answer"].string])
        let log = try Self.casemate.run(["log", "show", "--vault", folder])
        #expect(log.output.contains("TransactionSigned"))
        #expect(try Self.casemate.run(["log", "verify", "--vault", folder]).exitCode == 0)
    }

    @Test("each kind of trouble has its message and exit code")
    func troubles() throws {
        let (folder, scratch) = try vault()
        func exitCode(_ arguments: [String], _ secrets: [Int: String] = [:], input: String = "") throws -> Int32 {
            let outcome = try Self.casemate.run(
                arguments + ["--vault", folder], input: Array(input.utf8), secrets: secrets)
            if outcome.exitCode != 0 { #expect(outcome.errors.contains("casemate: ") || outcome.exitCode == 64) }
            #expect(!outcome.errors.contains("passphrase ") && !outcome.errors.contains("bottom drive"))
            return outcome.exitCode
        }
        let hex = try String(contentsOfFile: Self.payload, encoding: .utf8).trimmingCharacters(
            in: .whitespacesAndNewlines)
        let sign = ["sign", "--yes", "--hex", hex, "--pin-fd", "3"]
        #expect(try exitCode(sign, [3: "wrong one"]) == 10)
        #expect(try exitCode(["init", "--pin-fd", "3"], [3: "passphrase"]) == 1)
        #expect(try exitCode(["inspect", "--hex", "00"]) == 2)
        #expect(try exitCode(["inspect", "--hex", "5301"]) == 2)
        #expect(try exitCode(["inspect", "--hex", String(hex.dropLast(2)) + "00"]) == 12)
        #expect(try exitCode(["inspect", "--hex", hex.replacing("a223000007000000", with: "a323000007000000")]) == 13)
        #expect(try exitCode(["inspect"], input: "zz") == 2)
        #expect(try exitCode(["inspect", "--hex", hex, "--qr", "x"]) == 64)
        #expect(
            try exitCode(["key", "derive", "none", "//x", "--network", "westend", "--pin-fd", "3"], [3: "passphrase"])
                == 16)
        #expect(
            try exitCode(["key", "derive", "demo", "x", "--network", "westend", "--pin-fd", "3"], [3: "passphrase"])
                == 1)
        #expect(try exitCode(["network", "show", "nowhere"]) == 16)
        let blank = scratch.path("blank.pgm")
        try Data("P5 40 40 255\n".utf8 + [UInt8](repeating: 200, count: 1600)).write(to: URL(filePath: blank))
        #expect(try exitCode(["inspect", "--qr", blank]) == 17)
        let other = try Self.casemate.run(["key", "list", "--vault", scratch.path("none")])
        #expect(other.exitCode == 14)
        try Data([1, 2, 3]).write(to: URL(filePath: folder + "/vault.sqlite"))
        #expect(try exitCode(["key", "list"]) == 15)
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

    @Test("help teaches, and every command has it")
    func help() throws {
        let outcome = try Self.casemate.run(["--help"])
        #expect(outcome.exitCode == 0)
        #expect(outcome.output.contains("casemate demo") && outcome.output.contains("EXIT CODES"))
        for command in ["init", "seed", "key", "network", "inspect", "sign", "log", "metadata", "demo"] {
            #expect(try Self.casemate.run([command, "--help"]).exitCode == 0)
        }
    }

    @Test("killed at any moment, a vault opens again with whole data")
    func killed() throws {
        let (folder, scratch) = try vault()
        let pin = scratch.path("pin")
        try Data("passphrase".utf8).write(to: URL(filePath: pin))
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
            let count = try JSONDecoder().decode(JSON.self, from: Data(keys.output.utf8)).array.count
            // All five rows of a seed or none.
            #expect(count >= lastCount && count % 5 == 0)
            lastCount = count
            #expect(try Self.casemate.run(["log", "verify", "--vault", folder]).exitCode == 0)
        }
        // The sealed seeds open too; what a kill left without rows gets them now.
        let last = try Self.casemate.run(
            ["seed", "new", "last", "--words", "12", "--vault", folder, "--pin-fd", "3", "--phrase-fd", "1"],
            secrets: [3: "passphrase"])
        #expect(last.exitCode == 0, "\(last.errors)")
    }
}
