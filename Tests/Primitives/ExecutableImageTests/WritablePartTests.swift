import ExecutableImage
import Foundation
import TestSupport
import Testing

@Suite("What stays writable in an image")
struct WritablePartTests {
    private func parts(_ bytes: [UInt8]) throws -> [WritablePart] {
        let file = try ExecutableFile(parsing: BytesInMemory(bytes))
        return try file.writableParts(of: file.images[0])
    }

    /// Links a program.
    private func linked(_ options: String..., source: String = "int main(void) { return 0; }") throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let (input, output) = (try folder.write(source, to: "a.c"), folder.url.appending(path: "a"))
        try Tool.run("/usr/bin/cc", ["-o", output.path, input] + options)
        return Array(try Data(contentsOf: output))
    }

    private static let hasCompiler = FileManager.default.isExecutableFile(atPath: "/usr/bin/cc")
    private static let calling = "#include <stdio.h>\nint main(int c, char **v) { return printf(\"%s\", v[0]); }"
    /// As Swift's compiler marks some of its constants.
    private static let marked = """
        __asm__(".section .rodata,\\"aw\\",@progbits\\n.globl answer\\nanswer: .long 42\\n.previous\\n");
        extern const int answer;
        int main(void) { return answer; }
        """

    @Test("nothing, where a linker was told so", .enabled(if: hasCompiler))
    func closed() throws {
        #expect(try parts(linked("-Wl,-z,relro,-z,now", source: Self.calling)) == [])
    }

    @Test("functions that are looked up late, with the table of their addresses", .enabled(if: hasCompiler))
    func lazy() throws {
        let found = try parts(linked("-Wl,-z,relro,-z,lazy", source: Self.calling))
        #expect(found.first == .lazyBinding && found.contains(.section(".got.plt")))
    }

    @Test("what the loader fills in, where it is not told to close it", .enabled(if: hasCompiler))
    func withoutClosing() throws {
        let found = try parts(linked("-Wl,-z,norelro,-z,now", source: Self.calling))
        for name in [".got", ".init_array", ".dynamic"] { #expect(found.contains(.section(name)), "\(found)") }
    }

    @Test("constants that were marked as writable, and all others with them", .enabled(if: hasCompiler))
    func constants() throws {
        #expect(try parts(linked("-Wl,-z,relro,-z,now", source: Self.marked)).contains(.section(".rodata")))
    }

    @Test("an image without a table of sections is not taken for a good one", .enabled(if: hasCompiler))
    func stripped() throws {
        let bytes = try linked("-Wl,-z,relro,-z,now")
        for field in [40..<48, 58..<60, 60..<62] {
            var bare = bytes
            for place in field { bare[place] = 0 }
            #expect(try parts(bare) == [.unknown], "\(field)")
        }
    }

    @Test("a table of sections that reaches out of the file is refused, whatever it says", .enabled(if: hasCompiler))
    func hostile() throws {
        let bytes = try linked("-Wl,-z,relro,-z,now")
        #expect(throws: ImageFailure.self) { try parts(bytes.replacing(40, with: little(UInt64.max - 8))) }
        #expect(throws: ImageFailure.self) { try parts(bytes.replacing(60, with: little(UInt16.max))) }
        let table = bytes[40..<48].reversed().reduce(0) { $0 << 8 | Int($1) }
        var random = SplitMix64(state: 2)
        for _ in 0..<2000 {
            var damaged = bytes
            for _ in 0..<4 {
                damaged[Int.random(in: table..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            _ = try? parts(damaged)
        }
    }

    @Test("a Mach-O image has nothing of this kind")
    func machO() throws {
        #expect(try parts(Fixture.bytes("macho/hello-arm64")) == [])
    }

    @Test("what the loader closes begins and ends with whole pages of its system", .enabled(if: hasCompiler))
    func pages() throws {
        let bytes = try linked("-Wl,-z,relro,-z,now,-z,max-page-size=65536,-z,common-page-size=4096")
        let image = try ExecutableFile(parsing: BytesInMemory(bytes)).images[0]
        let closed = try #require(image.readOnlyAfterRelocation(pageSize: 1).first)
        for size in [4_096, 16_384, 65_536] as [UInt64] {
            let first = closed.address / size * size
            let last = (closed.address + closed.memorySize) / size * size
            let found = image.readOnlyAfterRelocation(pageSize: size)
            #expect(found.map(\.address) == (first < last ? [first] : []))
            #expect(found.map(\.memorySize) == (first < last ? [last - first] : []))
            #expect(found.allSatisfy { $0.fileOffset % size == 0 && $0.fileSize <= $0.memorySize })
        }
        #expect(image.readOnlyAfterRelocation(pageSize: 4_096).count == 1)
    }

    @Test(
        "where pages may be larger than the linker closes, the rest of the last one stays writable",
        .enabled(if: hasCompiler), arguments: [4_096, 65_536])
    func largePages(closedBy size: Int) throws {
        let options = "-Wl,-z,relro,-z,now,-z,max-page-size=65536,-z,common-page-size=\(size)"
        var bytes = try linked(options, source: Self.calling)
        let header = try ExecutableFile(parsing: BytesInMemory(bytes)).images[0]
        // Intel's processors have no others.
        #expect(try parts(bytes) == [])
        let isWhole = header.readOnlyAfterRelocation(pageSize: 1).allSatisfy {
            ($0.address + $0.memorySize) % 65_536 == 0
        }
        bytes.replaceSubrange(18..<20, with: little(UInt16(183)))
        #expect(try parts(bytes).contains(.section(".got")) == !isWhole)
    }
}
