import Foundation
import TestSupport
import Testing

@Suite("vigil-hash-tool")
struct HashToolTests {
    private static let tool = Program(name: "vigil-hash-tool")
    private static let fixtures = packageRoot.appending(path: "Tests/Primitives/ExecutableImageTests/Fixtures")
    private static let known = (try? JSON(contentsOf: fixtures.appending(path: "images.json"))) ?? .null
    private static let pie = path("elf/hello-x86_64-pie")
    private static let signed = path("macho/hello-arm64")

    private static func path(_ name: String) -> String { fixtures.appending(path: name).path }

    private func run(_ arguments: String...) throws -> Program.Outcome { try Self.tool.run(arguments) }

    private func json(_ outcome: Program.Outcome) throws -> JSON {
        try JSON(parsing: Array(outcome.output.utf8))
    }

    /// A copy of a fixture, changed.
    private func changed(_ name: String, _ change: (inout [UInt8]) -> Void, in scratch: Scratch) throws -> String {
        var bytes = Array(try Data(contentsOf: Self.fixtures.appending(path: name)))
        change(&bytes)
        let path = scratch.path("changed")
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    @Test("prints digest, two spaces and path, and nothing else", arguments: ["text1", "text2", "load2", "pageRoot"])
    func text(profile: String) throws {
        let outcome = try run("hash", "--profile", profile, Self.pie)
        let digest = try #require(Self.known["elf/hello-x86_64-pie"]["images"][0][profile].string)
        #expect(outcome.output == "\(digest)  \(Self.pie)\n")
        #expect((outcome.exitCode, outcome.errors) == (0, ""))
    }

    @Test("tells text2 unless asked for something else, and the whole file as sha256sum does")
    func profiles() throws {
        #expect(try run("hash", Self.pie).output == run("hash", "--profile", "text2", Self.pie).output)
        let sum = try Program.shell("sha256sum \(Program.quoted(Self.pie))")
        #expect(try run("hash", "--profile", "file", Self.pie).output == sum.output)
        #expect(try run("hash", "--profile", "all", Self.pie).output.split(separator: "\n").count == 6)
    }

    @Test("prints exactly the published object for machines", arguments: known.object.keys.sorted())
    func machine(name: String) throws {
        let path = Self.path(name)
        let outcome = try run("hash", "--json", path)
        var expected = Self.known[name].object
        expected["note"] = nil
        #expect(try json(outcome) == .object([path: .object(expected)]))
    }

    @Test("names the rule that an image breaks, exits with 3, and still hashes the others")
    func malformed() throws {
        let scratch = try Scratch()
        let broken = try changed("elf/free-arm", { $0[4] = 9 }, in: scratch)
        let outcome = try run("hash", broken, Self.pie)
        #expect(outcome.exitCode == 3)
        #expect(outcome.output.hasSuffix("  \(Self.pie)\n"))
        #expect(outcome.errors.contains("[badElfIdent]"))
        let machine = try run("hash", "--json", broken)
        #expect(machine.exitCode == 3)
        #expect(try json(machine) == .object([broken: .object(["error": .string("badElfIdent")])]))
    }

    @Test("exits with 4 if a file cannot be read, with 3 if it is no regular file, with 2 if it is used wrongly")
    func exitCodes() throws {
        let scratch = try Scratch()
        #expect(try run("hash", scratch.path("none")).exitCode == 4)
        let folder = try run("hash", scratch.path)
        #expect(folder.exitCode == 3 && folder.errors.contains("[notARegularFile]"))
        #expect(try run("hash").exitCode == 2)
        #expect(try run("hash", "--profile", "md5", Self.pie).exitCode == 2)
        #expect(try run("hash", "--arch", "arm64", Self.pie).exitCode == 2)
        #expect(try run("--help").exitCode == 0)
    }

    @Test("checks pages against a code signature")
    func codesign() throws {
        let good = try run("codesign", Self.signed)
        #expect(good.exitCode == 0 && good.output.contains("6d411d4bba2643ba31fb419949339e510bee1789"))
        let scratch = try Scratch()
        let bad = try run("codesign", "--json", changed("macho/hello-arm64", { $0[16_384] ^= 1 }, in: scratch))
        #expect(bad.exitCode == 1)
        #expect(try json(bad)[0]["codeSignature"][0]["badPages"] == .array([.integer(1)]))
        #expect(try json(bad)[0]["coversCode"].bool == false)
        // A directory over the first page alone: nCodeSlots and codeLimit.
        let short = try changed(
            "macho/hello-arm64", { $0.replaceSubrange(49_552..<49_560, with: [0, 0, 0, 1, 0, 0, 64, 0]) }, in: scratch)
        let left = try run("codesign", short)
        #expect(left.exitCode == 1 && left.output.contains("some have no hash"))
    }

    @Test("says on which page two images differ, and nothing where they do not")
    func pages() throws {
        let scratch = try Scratch()
        let other = try changed("macho/hello-arm64", { $0[5000] ^= 1 }, in: scratch)
        let outcome = try run("pages", Self.signed, "--diff", other)
        #expect(outcome.exitCode == 1)
        #expect(outcome.output == "__TEXT page 1: address 0x100001000, file offset 0x1000\n")
        #expect(try run("pages", Self.signed, "--diff", Self.signed).exitCode == 0)
        #expect(try run("pages", Self.signed, "--diff", Self.pie).exitCode == 1)
    }

    @Test("prints the digest of a bundle")
    func bundle() throws {
        let scratch = try Scratch()
        let bin = scratch.url.appending(path: "bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Self.pie, toPath: bin.appending(path: "app").path)
        let digest = "115c882949d21ce5e3133daadb77488efcb2b92679c2a4a5d14a556bc5ccfe35"
        #expect(try run("bundle", scratch.path).output == "\(digest)  \(scratch.path)\n")
        try FileManager.default.removeItem(at: bin)
        #expect(try run("bundle", scratch.path).exitCode == 3)
    }

    @Test("writes the property list of the seed, for both roles into one file, and over nothing else")
    func propertyList() throws {
        let scratch = try Scratch()
        let list = scratch.path("ExpectedHashes.plist")
        #expect(try run("--input", Self.signed, "--output", list).exitCode == 0)
        #expect(try run("--binary", Self.pie, "--output", list, "--role", "validator").exitCode == 0)
        let values = try PropertyListDecoder().decode(
            [String: String].self, from: Data(contentsOf: URL(filePath: list)))
        let app = Self.known["macho/hello-arm64"]["images"][0]
        let validator = Self.known["elf/hello-x86_64-pie"]["images"][0]
        #expect(
            values
                == [
                    "app_text_hash": app["text1"].string, "app_text2_hash": app["text2"].string,
                    "validator_text_hash": validator["text1"].string, "validator_text2_hash": validator["text2"].string,
                ].compactMapValues { $0 })
        let other = scratch.path("other")
        try Data("mine".utf8).write(to: URL(filePath: other))
        #expect(try run("--input", Self.signed, "--output", other).exitCode == 3)
        #expect(try Data(contentsOf: URL(filePath: other)) == Data("mine".utf8))
    }
}
