import ExecutableImage
import Foundation
import TestSupport
import Testing

/// What the tools of binutils do to a program after it was linked.
private enum Binutils {
    static let isInstalled = ["/usr/bin/strip", "/usr/bin/objcopy"].allSatisfy(FileManager.default.isExecutableFile)

    /// Runs a tool on a copy of a fixture, and reads what it made.
    static func run(_ tool: String, _ arguments: [String], on name: String) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let copy = try folder.write(Fixture.bytes(name), to: "image")
        try Tool.run("/usr/bin/\(tool)", arguments + [copy])
        return Array(try Data(contentsOf: URL(filePath: copy)))
    }
}

@Suite("Digests do not see what is not loaded", .enabled(if: Binutils.isInstalled))
struct InvarianceTests {
    private static let name = "elf/hello-x86_64-pie"
    private static let kinds: Set<DigestKind> = [.text1, .text2, .load2, .pageRoot]

    @Test(
        "after strip and objcopy all are the same but that of the file",
        arguments: [
            ("strip", ["--strip-all"]), ("objcopy", ["--add-section", ".note.test=/etc/hostname"]),
            ("objcopy", ["--strip-debug", "--remove-section", ".comment"]),
        ])
    func tools(tool: String, arguments: [String]) throws {
        let before = try Fixture.parsed(Self.name)
        let bytes = try Binutils.run(tool, arguments, on: Self.name)
        let after = try ExecutableFile(parsing: BytesInMemory(bytes))
        #expect(try after.digests(Self.kinds) == before.digests(Self.kinds))
        #expect(try after.digests([.file]) != before.digests([.file]))
    }
}
