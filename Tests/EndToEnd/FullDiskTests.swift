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
