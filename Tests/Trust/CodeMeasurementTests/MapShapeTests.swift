import ExecutableImage
import Testing

@testable import CodeMeasurement

@Suite("The shape of a memory map")
struct MapShapeTests {
    private static let key = FileKey(device: DeviceNumber(major: 0xfe, minor: 0), inode: 7)

    /// Two pages that are read, three of code from the middle of a page on.
    private static let program = MeasuredProgram(
        main: MeasuredImage(
            path: "bin/app", key: key,
            segments: [
                ImageSegment(
                    name: nil, address: 0, memorySize: 0x1800, fileOffset: 0, fileSize: 0x1800, protection: .read),
                ImageSegment(
                    name: nil, address: 0x2800, memorySize: 0x2100, fileOffset: 0x1800, fileSize: 0x2100,
                    protection: [.read, .execute]),
            ]))

    private static let clean = """
        10000-12000 r--p 00000000 fe:00 7 /opt/bin/app
        12000-15000 r-xp 00001000 fe:00 7 /opt/bin/app
        15000-16000 rw-p 00004000 fe:00 7 /opt/bin/app
        20000-21000 r-xp 00001000 fe:00 9 /usr/lib/libc.so.6
        30000-31000 r-xp 00000000 00:00 0 [vdso]
        ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]

        """

    private func shape(
        _ text: String, policy: MapPolicy = MapPolicy(), program: MeasuredProgram = program,
        examine: (String, FileKey) -> ExternalFile = { _, _ in .trusted }
    ) throws -> MapShape {
        MapShape(try MemoryMap(Array(text.utf8)), program: program, policy: policy, examine: examine)
    }

    @Test("the map of the loader passes, and its code is known")
    func clean() throws {
        let shape = try shape(Self.clean)
        #expect(shape.findings.isEmpty)
        #expect(shape.biases == [0x10000])
        #expect(shape.flags.isEmpty)
        #expect(
            shape.codeRanges.map(\.addresses) == [
                0x10000..<0x12000, 0x12000..<0x15000, 0x20000..<0x21000, 0x30000..<0x31000,
            ])
        #expect(shape.codeRanges.map(\.origin).suffix(2) == [.external("/usr/lib/libc.so.6"), .external("[vdso]")])
    }

    @Test("mappings that the kernel has split or merged pass")
    func split() throws {
        let text = Self.clean.replacing(
            "12000-15000 r-xp 00001000 fe:00 7 /opt/bin/app",
            with: "12000-13000 r-xp 00001000 fe:00 7 /opt/bin/app\n13000-15000 r-xp 00002000 fe:00 7 /opt/bin/app")
        #expect(try shape(text).findings.isEmpty)
    }

    @Test(
        "a deviation of a covered page is found",
        arguments: [
            ("12000-15000 r-xp", "12000-14000 r-xp", 0x14000), ("12000-15000 r-xp", "12000-15000 rwxp", 0x12000),
            ("12000-15000 r-xp", "12000-15000 r--p", 0), ("12000-15000 r-xp", "12000-15000 --xp", 0x12000),
            ("12000-15000 r-xp", "12000-15000 r-xs", 0x12000), ("10000-12000 r--p", "10000-12000 rw-p", 0x10000),
            ("r-xp 00001000 fe:00 7", "r-xp 00002000 fe:00 7", 0x12000),
            ("r-xp 00001000 fe:00 7", "r-xp 00001000 fe:00 8", 0),
            ("r-xp 00001000 fe:00 7", "r-xp 00001000 fe:01 7", 0),
            ("r--p 00000000 fe:00 7", "r--p 00001000 fe:00 7", 0),
        ])
    func deviations(original: String, changed: String, address: Int) throws {
        let shape = try shape(Self.clean.replacing(original, with: changed))
        let finding = try #require(shape.findings.first)
        #expect(finding.address == (address == 0 ? nil : UInt64(address)))
    }

    /// The page behind the code is what the loader fills in and closes.
    private static let closing: MeasuredProgram = {
        var program = MapShapeTests.program
        program.main.closedSegments = [
            ImageSegment(
                name: nil, address: 0x5000, memorySize: 0x1000, fileOffset: 0x4000, fileSize: 0x1000, protection: .read)
        ]
        return program
    }()

    @Test("what the loader has filled in and closed passes, and belongs to what may not change meanwhile")
    func closed() throws {
        let shape = try shape(Self.clean.replacing("15000-16000 rw-p", with: "15000-16000 r--p"), program: Self.closing)
        #expect(shape.findings.isEmpty)
        #expect(shape.closedRanges == [0x15000..<0x16000])
        #expect(shape.hasCode(in: 0x15000..<0x15001) && !shape.hasCode(in: 0x16000..<0x17000))
        // Its pages are the process's own.
        #expect(!shape.codeRanges.contains { $0.addresses.overlaps(0x15000..<0x16000) })
    }

    @Test(
        "what the loader has closed and is open again, gone or of another place is found",
        arguments: [
            "15000-16000 rw-p 00004000 fe:00 7 /opt/bin/app", "15000-16000 r--p 00000000 00:00 0",
            "15000-16000 r--p 00005000 fe:00 7 /opt/bin/app", "15000-16000 r--p 00004000 fe:00 8 /opt/bin/app",
            "15000-16000 r--s 00004000 fe:00 7 /opt/bin/app", "15000-16000 ---p 00004000 fe:00 7 /opt/bin/app",
            "16000-17000 r--p 00004000 fe:00 7 /opt/bin/app",
        ])
    func reopened(line: String) throws {
        let text = Self.clean.replacing("15000-16000 rw-p 00004000 fe:00 7 /opt/bin/app", with: line)
        let finding = try #require(try shape(text, program: Self.closing).findings.first)
        #expect(finding.address == 0x15000 && finding.text.contains("the loader made read-only"))
    }

    @Test("code of a program that is not mapped at all is found")
    func missing() throws {
        let finding = try shape("20000-21000 r-xp 00001000 fe:00 9 /usr/lib/libc.so.6\n").findings.first
        #expect(finding?.path == "bin/app")
    }

    @Test(
        "executable memory that nobody names is found",
        arguments: [
            ("r-xp 00000000 00:00 0", "anonymous r-x"), ("rwxp 00000000 00:00 0", "anonymous rwx"),
            ("r-xp 00000000 00:01 33 /memfd:x (deleted)", "/memfd:x (deleted)"),
            ("r-xp 00000000 fe:00 33 /dev/shm/x", "/dev/shm/x"),
            ("r-xp 00000000 fe:00 33 /usr/libx/a.so", "/usr/libx/a.so"),
            ("r-xp 00000000 fe:00 33 /usr/lib/a.so (deleted)", "/usr/lib/a.so (deleted)"),
            ("rwxp 00000000 fe:00 33 /usr/lib/a.so", "/usr/lib/a.so"),
            ("r-xs 00000000 fe:00 33 /usr/lib/a.so", "/usr/lib/a.so"),
            ("r-xp 00000000 fe:00 33 [vdso]", "[vdso]"), ("rwxp 00000000 00:00 0 [vdso]", "[vdso]"),
            ("r-xp 00000000 00:00 0 [heap]", "[heap]"), ("r-xp 00001000 fe:00 7 /opt/bin/app", "/opt/bin/app"),
        ])
    func foreign(line: String, path: String) throws {
        let shape = try shape(Self.clean + "ffffffffff700000-ffffffffff701000 \(line)\n")
        #expect(shape.findings.map(\.path) == [path])
        #expect(shape.findings.first?.address == 0xffff_ffff_ff70_0000)
        #expect(shape.foreignCount == 1)
    }

    @Test("a mapping through which the file of the code can be changed is found")
    func writableMapping() throws {
        let line = "ffffffffff700000-ffffffffff701000 rw-s 00000000 fe:00 7 /opt/bin/app\n"
        #expect(try shape(Self.clean + line).findings.map(\.address) == [0xffff_ffff_ff70_0000])
        #expect(try shape(Self.clean + line.replacing("rw-s", with: "r--s")).findings.isEmpty)
        #expect(try shape(Self.clean + line.replacing("fe:00 7", with: "fe:00 8")).findings.isEmpty)
    }

    @Test("a library must have a name of the manifest's list")
    func names() throws {
        #expect(try shape(Self.clean, policy: MapPolicy(externalNames: ["libc.so.6"])).findings.isEmpty)
        #expect(try shape(Self.clean, policy: MapPolicy(externalNames: ["libc.so"])).findings.isEmpty)
        #expect(try shape(Self.clean, policy: MapPolicy(externalNames: ["libm.so.6"])).findings.count == 1)
        #expect(try shape(Self.clean, policy: MapPolicy(externalNames: [])).findings.count == 1)
        let policy = MapPolicy(externalNames: ["libz.so.1"])
        #expect(policy.allowsName(of: "/usr/lib/libz.so.1.2.13"))
        #expect(!policy.allowsName(of: "/usr/lib/libz.so.12"))
        #expect(!policy.allowsName(of: "/usr/lib/libz.so.1.evil"))
    }

    @Test("the library of a file is the one of the longest name that fits")
    func sonames() {
        let names = ["libz.so", "libz.so.1", "libm.so.6"]
        #expect(Soname.named(by: "/usr/lib/libz.so.1.2.13", among: names) == "libz.so.1")
        #expect(Soname.named(by: "libz.so.12", among: names) == "libz.so")
        for path in ["/libm.so.6/x", "/usr/lib/libm.so", "libm.so.66", "libm.so.6a", "libm.so.6-1", ""] {
            #expect(Soname.named(by: path, among: ["libm.so.6"]) == nil)
        }
    }

    @Test("a library that others may change is found")
    func examined() throws {
        let shape = try shape(Self.clean) { _, _ in .refused("others") }
        #expect(shape.findings.map(\.text) == ["others"])
    }

    @Test("a replaced library passes where the policy lets it, and is flagged")
    func deletedExternal() throws {
        let text = Self.clean.replacing("libc.so.6", with: "libc.so.6 (deleted)")
        #expect(try shape(text).findings.count == 1)
        let allowed = try shape(text, policy: MapPolicy(deletedExternal: .allowUntilRestart)) { _, _ in
            .refused("the path is another file by now")
        }
        #expect(allowed.findings.isEmpty)
        #expect(allowed.flags == .externalDeleted)
        // Its content cannot be compared any more.
        var pinned = MapPolicy(deletedExternal: .allowUntilRestart)
        pinned.pinnedNames = ["libc.so"]
        #expect(try shape(text, policy: pinned).findings.count == 1)
    }

    @Test("a program whose file was removed is flagged, and new sessions are refused")
    func deletedExecutable() throws {
        let shape = try shape(Self.clean.replacing("bin/app", with: "bin/app (deleted)"))
        #expect(shape.findings.isEmpty)
        #expect(shape.flags == .executableDeleted)
        #expect(MapPolicy().deletedExecutable.refuses(newSession: true))
        #expect(!MapPolicy().deletedExecutable.refuses(newSession: false))
        #expect(MapPolicy.DeletedExecutable.refuse.refuses(newSession: false))
        #expect(!MapPolicy.DeletedExecutable.allow.refuses(newSession: true))
    }

    @Test(
        "an allowance for code that is made while running holds for so many and so large, and never for writable memory"
    )
    func generatedCode() throws {
        let policy = MapPolicy(allowedJIT: [.init(count: 1, size: 0x1000), .init(count: 1, size: 0x2000)])
        let large = "ffffffffff700000-ffffffffff702000 r-xp 00000000 00:00 0\n"
        let small = "ffffffffff703000-ffffffffff704000 r-xp 00000000 00:00 0\n"
        let more = "ffffffffff705000-ffffffffff706000 r-xp 00000000 00:00 0\n"
        #expect(try shape(Self.clean + large + small, policy: policy).findings.isEmpty)
        #expect(try shape(Self.clean + large + small + more, policy: policy).findings.count == 1)
        #expect(try shape(Self.clean + large.replacing("2000 r", with: "3000 r"), policy: policy).findings.count == 1)
        #expect(try shape(Self.clean + small.replacing("r-x", with: "rwx"), policy: policy).findings.count == 1)
    }

    @Test("another device is another file, whatever its inode")
    func otherDevice() throws {
        let text = Self.clean.replacing("fe:00 7", with: "00:1f 7")
        #expect(try shape(text).findings.isEmpty == false)
        let mixed = Self.clean.replacing("r-xp 00001000 fe:00 7", with: "r-xp 00001000 00:1f 7")
        #expect(try shape(mixed).findings.isEmpty == false)
    }

    @Test("a library of the bundle need not be mapped, and if it is, it is whole")
    func library() throws {
        var program = Self.program
        var library = Self.program.main
        library.path = "lib/libdemo.so"
        library.key = FileKey(device: Self.key.device, inode: 8)
        program.libraries = [library]
        #expect(try shape(Self.clean, program: program).findings.isEmpty)
        let lines = """
            40000-42000 r--p 00000000 fe:00 8 /opt/lib/libdemo.so
            42000-45000 r-xp 00001000 fe:00 8 /opt/lib/libdemo.so

            """
        let vsyscall = try #require(Self.clean.split(separator: "\n").last)
        let text = Self.clean.replacing(vsyscall, with: lines + vsyscall)
        let loaded = try shape(text, program: program)
        #expect(loaded.findings.isEmpty)
        #expect(loaded.biases == [0x10000, 0x40000])
        #expect(try shape(text.replacing("42000-45000", with: "42000-44000"), program: program).findings.count == 1)
    }

    @Test("segments at the end of memory are found, not computed with")
    func overflow() throws {
        var program = Self.program
        program.main.segments[1] = ImageSegment(
            name: nil, address: .max - 10, memorySize: 100, fileOffset: 0, fileSize: 100, protection: [.read, .execute])
        #expect(try shape(Self.clean, program: program).findings.isEmpty == false)
    }

    @Test("a private copy is named by image, segment and page of the manifest")
    func privateCopies() throws {
        let shape = try shape(Self.clean)
        func finding(_ copy: Range<UInt64>) -> Finding? {
            CodePage.findings(in: shape, of: Self.program) { copy.overlaps($0) ? [copy] : [] }.first
        }
        // The segment begins in the middle of its first page of memory.
        #expect(finding(0x12000..<0x13000)?.pages == [0])
        #expect(finding(0x13000..<0x14000)?.pages == [0, 1])
        #expect(finding(0x14000..<0x15000)?.pages == [1, 2])
        #expect(finding(0x12000..<0x15000)?.segment == 1)
        #expect(finding(0x11000..<0x12000)?.path == "bin/app")
        #expect(finding(0x11000..<0x12000)?.pages == [1])
        #expect(finding(0x20000..<0x21000)?.path == "/usr/lib/libc.so.6")
        #expect(finding(0x15000..<0x16000) == nil)
    }

    @Test("a page is a private copy if it is there or swapped out, and of no file")
    func pageEntries() {
        let present: UInt64 = 1 << 63
        let swapped: UInt64 = 1 << 62
        let ofFile: UInt64 = 1 << 61
        let words = [0, present, swapped, present | ofFile, present, present | 1 << 55, swapped | ofFile, ofFile]
        var runs: [Range<UInt64>] = []
        words.withUnsafeBufferPointer { PageEntry.collect($0, from: 0x1000, pageSize: 0x1000, into: &runs) }
        #expect(runs == [0x2000..<0x4000, 0x5000..<0x7000])
    }
}
