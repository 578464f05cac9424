import Foundation
import TestSupport
import Testing

@Suite("A disk that is full", .enabled(if: SmallDisk.isPossible, "\(SmallDisk.reason)"))
struct FullDiskTests {
    /// How many pages of 4 KiB are free when a command begins, from none to more than it needs.
    private static let rooms = [0, 1, 2, 3, 5, 8, 13, 40]

    @Test("leaves a token of mainkey as it was, or stores the new one")
    func tokens() throws {
        let disk = try SmallDisk(byteCount: 4 << 20)
        let vault = try MainKeyVault(onDisk: disk)
        func set(_ token: String) throws -> Program.Outcome {
            try vault.unlocked(["token", "set", "mail", "--token-fd", "4"], secrets: [4: token + "\n"])
        }
        var stored = "tk-0"
        try #require(try set(stored).exitCode == 0)
        var refused = 0
        for (number, pages) in Self.rooms.enumerated() {
            try disk.fill(leaving: pages)
            let outcome = try set("tk-\(number + 1)")
            if outcome.exitCode == 0 {
                stored = "tk-\(number + 1)"
            } else {
                refused += 1
                #expect(outcome.errors.contains("No space left on device"), "\(outcome.errors)")
            }
            // Without a page left nothing is opened either: an attempt that cannot be counted is none.
            let read = try vault.unlocked(["token", "get", "mail"])
            #expect(read.exitCode == 0 ? read.output == stored : read.errors.contains("attempts.mk"), "\(read.errors)")
            disk.free()
            #expect(try vault.unlocked(["token", "get", "mail"]).output == stored)
        }
        #expect(refused > 0 && stored == "tk-\(Self.rooms.count)")
    }

    /// A change that mainkey makes, by its command.
    struct Change: CustomTestStringConvertible {
        let arguments: [String]
        /// What is typed behind the PIN.
        var typed: [String] = []
        /// The PIN that opens the vault once it is made; nil for none.
        var newPIN: String? = MainKeyVault.pin

        var testDescription: String { arguments[0] }

        static let all = [
            Change(arguments: ["protect", "--none", "--yes"], newPIN: nil),
            Change(arguments: ["change-pin"], typed: [MainKeyVault.newPIN], newPIN: MainKeyVault.newPIN),
            Change(
                arguments: ["rekey", "--yes"], typed: [MainKeyVault.newPIN, ""], newPIN: MainKeyVault.newPIN),
            Change(arguments: ["rotate", "--yes"]),
            Change(arguments: ["set-autolock", "9"]),
        ]
    }

    @Test("leaves a vault of mainkey as it was, and says what to do", arguments: Change.all)
    func vault(change: Change) throws {
        var refused = 0
        for pages in Self.rooms {
            let disk = try SmallDisk(byteCount: 4 << 20)
            let vault = try MainKeyVault(onDisk: disk)
            try #require(
                try vault.unlocked(["token", "set", "t", "--token-fd", "4"], secrets: [4: "tk-1\n"]).exitCode == 0)
            try disk.fill(leaving: pages)
            let typed = ([MainKeyVault.pin] + change.typed).joined(separator: "\n")
            let outcome = try vault.run(change.arguments, typed)
            disk.free()
            let isMade = outcome.exitCode == 0
            if !isMade {
                refused += 1
                #expect(outcome.exitCode == 60, "\(pages): \(outcome.errors)")
                #expect(
                    outcome.errors.contains("No space left on device; free some space and try again"),
                    "\(outcome.errors)")
            }
            let pin = isMade ? change.newPIN : MainKeyVault.pin
            func opened(_ arguments: [String]) throws -> Program.Outcome {
                try pin.map { try vault.run(arguments, $0) } ?? vault.run(arguments)
            }
            let verified = try opened(["verify", "--json"])
            #expect(verified.exitCode == 0, "\(pages): \(verified.errors)")
            #expect(try opened(["token", "get", "t"]).output == "tk-1")
            // Once there is room it is made, and nothing of the attempt is left.
            if !isMade { #expect(try vault.run(change.arguments, typed).exitCode == 0) }
            let names = try FileManager.default.subpathsOfDirectory(atPath: vault.folder)
            #expect(names.allSatisfy { !$0.hasSuffix(".new") }, "\(names)")
        }
        #expect((1..<Self.rooms.count).contains(refused), "\(refused)")
    }

    @Test("leaves a listed file as it was or the new one, and the list that goes with it")
    func listedFile() throws {
        let disk = try SmallDisk(byteCount: 4 << 20)
        let vault = try MainKeyVault(onDisk: disk)
        let (plain, sealed) = (vault.scratch.path("plain"), disk.path + "/a.mkf")
        func encrypt(_ text: String) throws -> Program.Outcome {
            try Data(text.utf8).write(to: URL(filePath: plain))
            return try vault.unlocked(["encrypt", plain, sealed, "--listed"])
        }
        try #require(try encrypt("text 0").exitCode == 0)
        var stored = "text 0"
        var refused = 0
        for (number, pages) in Self.rooms.enumerated() {
            try disk.fill(leaving: pages)
            let outcome = try encrypt("text \(number + 1)")
            disk.free()
            if outcome.exitCode != 0 {
                refused += 1
                #expect(outcome.exitCode == 60 && outcome.errors.contains("free some space"), "\(outcome.errors)")
            }
            let read = try vault.unlocked(["cat", sealed, "--listed"])
            // Between the file and the last commit the disk may be full too: then it is the new one.
            #expect(
                read.output == "text \(number + 1)" || outcome.exitCode != 0 && read.output == stored, "\(read.errors)")
            stored = read.output
            #expect(try vault.unlocked(["verify"]).exitCode == 0)
        }
        #expect(refused > 0 && stored == "text \(Self.rooms.count)")
    }

    @Test("leaves a vault of casemate opened by what is said to open it")
    func rekey() throws {
        let code = /([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{2}/
        var refused = 0
        for pages in Self.rooms {
            let disk = try SmallDisk(byteCount: 4 << 20)
            let vault = try DemoVault("--pin", in: disk.path + "/vault")
            func newCode(_ arguments: [String]) throws -> (outcome: Program.Outcome, code: String?) {
                let outcome = try vault.unlocked(
                    arguments + ["--recovery-fd", "6"], secrets: [4: MainKeyVault.newPIN], taking: [6])
                return (outcome, (outcome.taken[6]?.firstMatch(of: code)?.output.0).map(String.init))
            }
            let oldCode = try #require(try newCode(["protect", "--add-recovery"]).code)
            try disk.fill(leaving: pages)
            let (outcome, shown) = try newCode(["rotate", "--rekey", "--new-pin-fd", "4"])
            disk.free()
            let isNew = outcome.exitCode == 0 || outcome.errors.contains("is valid all the same")
            #expect(isNew || shown == nil || outcome.errors.contains("that was shown opens nothing"))
            if outcome.exitCode != 0 { refused += 1 }
            func isOpened(_ secret: String, _ options: [String] = []) throws -> Bool {
                try DemoVault.casemate.run(
                    ["seed", "list", "--vault", vault.folder, "--pin-fd", "3"] + options, secrets: [3: secret]
                ).exitCode == 0
            }
            // What opens it first: wrong ones are counted.
            for (old, new, options) in [
                (DemoVault.pin, MainKeyVault.newPIN, []), (oldCode, shown ?? "", ["--recovery-code"]),
            ] {
                let (valid, other) = isNew ? (new, old) : (old, new)
                #expect(try isOpened(valid, options), "\(pages): \(outcome.errors)")
                #expect(try other.isEmpty || !isOpened(other, options), "\(pages): \(outcome.errors)")
            }
            guard outcome.exitCode != 0, isNew else { continue }
            #expect(outcome.errors.contains("Go on with: casemate rotate"), "\(outcome.errors)")
            let rotated = try DemoVault.casemate.run(
                ["rotate", "--vault", vault.folder, "--pin-fd", "3"], secrets: [3: MainKeyVault.newPIN])
            #expect(rotated.exitCode == 0, "\(rotated.errors)")
        }
        #expect((1..<Self.rooms.count).contains(refused), "\(refused)")
    }

    @Test("leaves the seeds of casemate as they were, or stores the new one, and its log whole")
    func seeds() throws {
        let disk = try SmallDisk(byteCount: 4 << 20)
        let vault = try DemoVault(in: disk.path + "/vault")
        var stored: Set = ["demo"]
        var refused = 0
        for (number, pages) in Self.rooms.enumerated() {
            try disk.fill(leaving: pages)
            let name = "seed-\(number)"
            let outcome = try vault.unlocked(
                ["seed", "recover", name, "--phrase-fd", "4"], secrets: [4: DemoVault.otherPhrases[number]])
            disk.free()
            let listed = try vault.run(["seed", "list"])
            #expect(listed.exitCode == 0, "\(listed.errors)")
            if outcome.exitCode == 0 {
                stored.insert(name)
            } else {
                refused += 1
                // Between the file of seeds and the rows the disk may be full too: then it is there, without keys.
                if listed.output.contains(name) { stored.insert(name) }
            }
            for name in stored { #expect(listed.output.contains(name)) }
            let log = try vault.unlocked(["log", "verify"])
            #expect(log.exitCode == 0, "\(log.errors)")
        }
        #expect(refused > 0 && stored.contains("seed-\(Self.rooms.count - 1)"))
    }

    @Test("leaves the file that airgap was to replace, and says why")
    func film() throws {
        let disk = try SmallDisk(byteCount: 256 << 10)
        let scratch = try Scratch()
        let content = scratch.path("content")
        try Data((0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }).write(to: URL(filePath: content))
        let airgap = Program(name: "airgap")
        let film = scratch.path("film.apng")
        try #require(try airgap.run(["send", content, "--out", film]).exitCode == 0)
        let out = disk.path + "/out"
        try Data("old".utf8).write(to: URL(filePath: out))
        try disk.fill(leaving: 2)
        for arguments in [["recv", film, "-o", out], ["send", content, "--out", out + ".apng"]] {
            let outcome = try airgap.run(arguments)
            #expect(outcome.exitCode != 0 && outcome.errors.contains("No space left on device"), "\(outcome.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted() == ["filler", "out"])
            #expect(try String(contentsOfFile: out, encoding: .utf8) == "old")
        }
    }
}
