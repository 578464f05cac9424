import ExecutableImage
import Foundation
import TestSupport
import Testing

/// Mach-O files that a linker makes here and now. Known answers come from a few lines of Python beside the fixtures,
/// which share nothing with this room.
@Suite("Cross-compiled Mach-O files", .enabled(if: Zig.isInstalled))
struct CrossCompiledMachOTests {
    private static let targets = [("x86_64-macos", "x86_64"), ("aarch64-macos", "arm64")]
    private static let kinds: [DigestKind] = [.text1, .text2, .load2, .pageRoot]

    /// What was built, by architecture, and what the other program says of it. Built once for all tests.
    private static let built = Result { try build() }
    /// Data, constants, a table of functions, and a library.
    private static let source = """
        #include <stdio.h>
        static const char *const words[] = {"one", "two"};
        int numbers[2048] = {1, 2, 3};
        static int first(int n) { return numbers[n & 2047]; }
        static int second(int n) { return n * 3; }
        static int (*const table[])(int) = {first, second};
        int main(int count, char **arguments) { return puts(words[count & 1]) + table[count & 1](count); }
        """

    private static func build() throws -> [String: (bytes: [UInt8], known: JSON)] {
        let folder = try TemporaryFolder()
        let program = try folder.write(source, to: "program.c")
        var built: [String: (bytes: [UInt8], known: JSON)] = [:]
        for (target, architecture) in targets {
            let output = folder.url.appending(path: architecture)
            try Zig.run(
                ["cc", "-target", target, "-O1", "-o", output.path, program], cache: folder.path("cache"))
            let known = try Zig.python([Fixture.url("macho_digests.py").path, output.path])
            let bytes = try Data(contentsOf: output)
            built[architecture] = (
                Array(bytes), try JSON(parsing: Array(known))[output.path]
            )
        }
        return built
    }

    private func known(_ architecture: String) throws -> JSON {
        try #require(Self.built.get()[architecture]).known
    }

    private func bytes(_ architecture: String) throws -> [UInt8] {
        try #require(Self.built.get()[architecture]).bytes
    }

    @Test("have the digests that another program computes")
    func thin() throws {
        for (_, architecture) in Self.targets {
            let known = try known(architecture)
            let file = try ExecutableFile(parsing: BytesInMemory(bytes(architecture)))
            let digests = try file.digests(Set(Self.kinds + [.file]))
            #expect(file.images.map(\.architecture) == [architecture])
            #expect(digests.file?.description == known["file"].string)
            for kind in Self.kinds {
                #expect(digests.images[0][kind]?.description == known[kind.rawValue].string, "\(architecture) \(kind)")
            }
        }
    }

    @Test("have the same digests as slices of a universal binary", arguments: [ImageClass.bits32, .bits64])
    func universal(width: ImageClass) throws {
        let slices = try Self.targets.map { try bytes($0.1) }
        let file = try ExecutableFile(parsing: BytesInMemory(Self.fat(slices, width)))
        let digests = try file.digests(Set(Self.kinds))
        #expect(file.container == .fat)
        #expect(file.images.map(\.architecture) == Self.targets.map(\.1))
        for (index, (_, architecture)) in Self.targets.enumerated() {
            let known = try known(architecture)
            for kind in Self.kinds {
                #expect(
                    digests.images[index][kind]?.description == known[kind.rawValue].string, "\(architecture) \(kind)")
            }
        }
    }

    @Test("one bit of their code makes another text2, and one of their signature does not")
    func changed() throws {
        let whole = try bytes("arm64")
        func text2(_ bytes: [UInt8]) throws -> ImageDigest? {
            try ExecutableFile(parsing: BytesInMemory(bytes)).digests([.text2]).images[0].text2
        }
        let before = try text2(whole)
        var code = whole
        code[0x3f0] ^= 1
        var signature = whole
        // Of the last hash in the signature.
        signature[whole.count - 1] ^= 1
        #expect(try text2(code) != before)
        #expect(try text2(signature) == before)
    }

    /// Each slice where pages of its machine begin.
    private static func fat(_ slices: [[UInt8]], _ width: ImageClass) -> [UInt8] {
        var file: [UInt8] = [0xca, 0xfe, 0xba, width == .bits32 ? 0xbe : 0xbf] + big(UInt32(slices.count))
        var offset = 0x4000
        var offsets: [Int] = []
        for slice in slices {
            offsets.append(offset)
            let numbers = [offset, slice.count]
            // Type and subtype as the slice itself has them.
            file += slice[4..<8].reversed() + slice[8..<12].reversed()
            file += numbers.flatMap { width == .bits32 ? big(UInt32($0)) : big(UInt64($0)) }
            file += big(UInt32(14)) + (width == .bits32 ? [] : big(UInt32(0)))
            offset += (slice.count + 0x3fff) / 0x4000 * 0x4000
        }
        for (slice, offset) in zip(slices, offsets) {
            file += [UInt8](repeating: 0, count: offset - file.count) + slice
        }
        return file
    }
}

/// The compiler of the Python package `ziglang`, which links for macOS anywhere.
private enum Zig {
    static let isInstalled = (try? python(["-m", "ziglang", "version"])) != nil

    /// - Parameter cache: a folder for what it keeps.
    static func run(_ arguments: [String], cache: String) throws {
        _ = try python(
            ["-m", "ziglang"] + arguments, ["ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache])
    }

    /// - Returns: what it prints.
    static func python(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Data {
        try Tool.run("/usr/bin/env", ["python3"] + arguments, environment: environment)
    }
}
