import Foundation
import Testing

@testable import MainKey

@Suite("Replacing a file in one step")
struct AtomicWriteTests {
    private let folder = StorageFolder()

    private func stage(_ text: String, as name: String, in directory: PrivateDirectory) throws {
        try Array(text.utf8).withUnsafeBytes { try directory.stage($0, as: name) }
    }

    @Test("the two halves: until the second the old content stands")
    func halves() throws {
        let directory = try folder.open()
        try directory.write(Array("old".utf8), to: "file")
        try stage("new", as: "file.new", in: directory)
        #expect(try directory.read("file", limit: 10) == Array("old".utf8))
        #expect(try directory.read("file.new", limit: 10) == Array("new".utf8))
        try directory.promote("file.new", to: "file")
        #expect(try directory.read("file", limit: 10) == Array("new".utf8))
        #expect(folder.names() == ["file"])
    }

    @Test("what a crash left under the staged name goes, a link there is not followed")
    func leftover() throws {
        let directory = try folder.open()
        folder.put("target", "target")
        try FileManager.default.createSymbolicLink(atPath: folder.file("file.new"), withDestinationPath: "target")
        try directory.write(Array("new".utf8), to: "file")
        #expect(try directory.read("target", limit: 10) == Array("target".utf8))
        #expect(folder.names() == ["file", "target"])
    }

    @Test("a folder in the way is an error, and what was staged goes")
    func inTheWay() throws {
        let directory = try folder.open()
        #expect(mkdir(folder.file("file"), 0o700) == 0)
        #expect(code { try directory.write([1], to: "file") } == "io")
        #expect(folder.names() == ["file"])
    }

    @Test("what was staged stays when it cannot be given its name")
    func stagedStays() throws {
        let directory = try folder.open()
        #expect(mkdir(folder.file("file"), 0o700) == 0)
        try stage("new", as: "file.new", in: directory)
        #expect(code { try directory.promote("file.new", to: "file") } == "io")
        #expect(try directory.read("file.new", limit: 10) == Array("new".utf8))
    }

    @Test("on a full file system the old content stays and no half file", .enabled(if: SmallFileSystem.isPossible))
    func full() throws {
        let small = try #require(SmallFileSystem(options: "size=64k"))
        let directory = try small.folder.open()
        try directory.write(Array("old".utf8), to: "file")
        let large = [UInt8](repeating: 1, count: 200_000)
        #expect(code { try directory.write(large, to: "file") } == "io")
        #expect(message { try directory.write(large, to: "file") }.contains("free some space"))
        #expect(try directory.read("file", limit: 10) == Array("old".utf8))
        #expect(small.folder.names() == ["file"])
    }

    @Test(
        "on a read-only file system nothing is written, and the error says so", .enabled(if: SmallFileSystem.isPossible)
    )
    func readOnly() throws {
        let small = try #require(SmallFileSystem(options: "size=64k"))
        let directory = try small.folder.open()
        try directory.write(Array("old".utf8), to: "file")
        try #require(small.makeReadOnly())
        #expect(code { try directory.write([1], to: "file") } == "io")
        #expect(message { try directory.write([1], to: "file") }.contains("remount,rw"))
        #expect(code { try directory.overwriteAndRemove("file") } == "io")
        #expect(code { _ = try PrivateDirectory(small.folder.path, .creating) } == "ok")
        #expect(code { _ = try PrivateDirectory(small.folder.file("deep/folder"), .creating) } == "io")
        #expect(try directory.read("file", limit: 10) == Array("old".utf8))
    }

    @Test("readers see the old content or the new, whole, while another thread replaces it")
    func concurrent() async throws {
        let directory = try folder.open()
        let contents = [[UInt8](repeating: 1, count: 3000), [UInt8](repeating: 2, count: 5000)]
        try directory.write(contents[0], to: "file")
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                for round in 0..<200 { try directory.write(contents[round % 2], to: "file") }
                return true
            }
            group.addTask {
                for _ in 0..<2000 {
                    guard let seen = try directory.read("file", limit: 10_000), contents.contains(seen) else {
                        return false
                    }
                }
                return true
            }
            for try await good in group { #expect(good) }
        }
    }

    static let steps = [
        "stage.removed:file.new", "stage.created:file.new", "stage.written:file.new", "stage.synced:file.new",
        "promote.renamed:file", "promote.synced:file",
    ]

    @Test("a process that dies at any step leaves the old content or the new", arguments: steps)
    func crash(step: String) async throws {
        let directory = try folder.open()
        let old = [UInt8](repeating: 1, count: 3000)
        let new = [UInt8](repeating: 2, count: 5000)
        try directory.write(old, to: "file")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String, step = step as String] in
            CrashPoint.arm(step)
            try PrivateDirectory(path, .existing).write([UInt8](repeating: 2, count: 5000), to: "file")
        }
        let expected = step.hasPrefix("promote") ? new : old
        #expect(try directory.read("file", limit: 10_000) == expected)
        try directory.write(new, to: "file")
        #expect(folder.names() == ["file"])
    }

    @Test("only the first argument arms a crash point; it is taken from the others")
    func argument() {
        #expect(CrashPoint.take(from: ["status", "--crash-at=never.1"]) == ["status", "--crash-at=never.1"])
        #expect(CrashPoint.take(from: [CrashPoint.argument("never.1"), "status"]) == ["status"])
        #expect(CrashPoint.take(from: [String]()).isEmpty)
    }

    @Test("a step may be passed some times before")
    func plan() {
        let plan = CrashPlan("commit.3@3")
        #expect(!plan.isDue(at: "commit.3") && !plan.isDue(at: "commit.4") && !plan.isDue(at: "commit.3"))
        #expect(plan.isDue(at: "commit.3"))
        #expect(!plan.isDue(at: "commit.3"))
        #expect(CrashPlan("commit.3").isDue(at: "commit.3"))
        #expect(!CrashPlan("").isDue(at: "commit.3"))
    }
}
