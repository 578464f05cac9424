import ExecutableImage
import TestSupport
import Testing

@Suite("Images that others have hashed")
struct KnownImagesTests {
    @Test(
        "of the same machine have a name for each order of bytes",
        arguments: [("elf/free-riscv64", "ppc64le"), ("elf/free-s390x-be64", "ppc64")])
    func byteOrder(base: String, name: String) throws {
        let isLittle = name == "ppc64le"
        let bytes = try Fixture.bytes(base).replacing(18, with: isLittle ? little(UInt16(21)) : big(UInt16(21)))
        #expect(try ExecutableFile(parsing: BytesInMemory(bytes)).images.map(\.architecture) == [name])
    }

    @Test("have the same digests here", arguments: Fixture.names)
    func digests(name: String) throws {
        let expected = Fixture.images[name]
        let file = try Fixture.parsed(name)
        let digests = try file.digests(Set(DigestKind.allCases))
        #expect(digests.file?.description == expected["file"].string)
        #expect(file.images.count == expected["images"].array.count)
        for ((image, found), expected) in zip(zip(file.images, digests.images), expected["images"].array) {
            #expect(image.architecture == expected["arch"].string)
            for kind in [DigestKind.text1, .text2, .load2, .pageRoot] {
                #expect(found[kind]?.description == expected[kind.rawValue].string, "\(kind)")
            }
            let segments = expected["segments"].array
            #expect(image.coveredSegments.map { Int($0.address) } == segments.map { $0["address"].int })
            #expect(image.coveredSegments.map { Int($0.fileSize) } == segments.map { $0["size"].int })
            #expect(image.coveredSegments.map { Int($0.protection.rawValue) } == segments.map { $0["prot"].int })
        }
    }

    @Test("are refused or hashed by each digest alone as by all together", arguments: DigestKind.allCases)
    func oneByOne(kind: DigestKind) throws {
        let file = try Fixture.parsed("macho/hello-arm64")
        let all = try file.digests(Set(DigestKind.allCases))
        let one = try file.digests([kind])
        #expect(one.images[0][kind] == all.images[0][kind])
        #expect(one.file == (kind == .file ? all.file : nil))
        #expect(one.fsverity == (kind == .fsverity ? all.fsverity : nil))
    }

    @Test("have the digests of their slices in a universal binary", arguments: [ImageClass.bits32, .bits64])
    func universal(width: ImageClass) throws {
        let file = try ExecutableFile(parsing: BytesInMemory(Universal.bytes(width)))
        #expect(file.container == .fat)
        #expect(file.images.map(\.architecture) == ["ppc64", "arm64"])
        #expect(file.images.map { Int($0.range.lowerBound) } == Universal.offsets)
        let kinds: Set<DigestKind> = [.text1, .text2, .load2, .pageRoot]
        let thin = try ["macho/synth-ppc64-be64", "macho/synth-two-exec-segments"].flatMap {
            try Fixture.parsed($0).digests(kinds).images
        }
        #expect(try file.digests(kinds).images == thin)
        #expect(try file.digests(kinds, of: [file.images[1]]).images == [thin[1]])
    }

    @Test("are known by each page: the root is the hash of the pages")
    func pages() throws {
        let file = try Fixture.parsed("macho/hello-arm64")
        let pages = try file.pageDigests(of: file.images[0])
        #expect(pages.map(\.digests.count) == [2])
        let changed = try Fixture.bytes("macho/hello-arm64").flipping(bit: 8 * 5000)
        let other = try ExecutableFile(parsing: BytesInMemory(changed))
        let otherPages = try other.pageDigests(of: other.images[0])
        #expect(otherPages[0].digests[0] == pages[0].digests[0])
        #expect(otherPages[0].digests[1] != pages[0].digests[1])
        let large = try file.pageDigests(of: file.images[0], pageSize: .kib16)
        #expect(large.map(\.digests.count) == [1])
        #expect(
            try file.digests([.pageRoot], pageSize: .kib16).images != file.digests([.pageRoot]).images)
    }

    @Test("name their libraries and their loader")
    func linkage() throws {
        let file = try Fixture.parsed("elf/hello-x86_64-pie")
        let linkage = try file.linkage(of: file.images[0])
        #expect(linkage.needed == ["libc.so.6"])
        #expect(linkage.interpreter == "/lib64/ld-linux-x86-64.so.2")
        let machO = try Fixture.parsed("macho/hello-arm64")
        #expect(try machO.linkage(of: machO.images[0]).needed.isEmpty)
    }

    @Test("name no more libraries than the limit, however many headers lead to a list")
    func linkageLimit() throws {
        var bytes = try Fixture.bytes("elf/hello-x86_64-pie")
        func value(of tag: UInt64) throws -> [UInt8] {
            let entry = try #require(
                stride(from: 0x7a0, to: 0x940, by: 16).first { Array(bytes[$0..<$0 + 8]) == little(tag) })
            return Array(bytes[entry + 8..<entry + 16])
        }
        let name = try little(UInt64(1)) + value(of: 1)
        let table = try little(UInt64(5)) + value(of: 5) + little(UInt64(10)) + value(of: 10)
        let (start, count) = (bytes.count, 600)
        let list = (0..<count).flatMap { _ in name } + table + [UInt8](repeating: 0, count: 16)
        bytes += list
        for (index, header) in [6, 9].enumerated() {
            // Its kind, place, and size.
            let position = 64 + 56 * header
            bytes = bytes.replacing(position, with: little(UInt32(2)))
                .replacing(position + 8, with: little(UInt64(start)))
                .replacing(position + 32, with: little(UInt64(list.count)) + little(UInt64(list.count)))
            let file = try ExecutableFile(parsing: BytesInMemory(bytes))
            if index == 0 {
                #expect(try file.linkage(of: file.images[0]).needed.count == count)
            } else {
                #expect(throws: ImageFailure.self) { try file.linkage(of: file.images[0]) }
            }
        }
    }

    @Test("tell of libraries that they open later, in notes of a known size")
    func notes() throws {
        let original = try Fixture.bytes("elf/hello-x86_64-pie")
        func file(_ note: [UInt8], size: UInt64? = nil) throws -> ExecutableFile {
            // Header 9 becomes a note: its kind, place, size and alignment.
            let position = 64 + 56 * 9
            let size = little(size ?? UInt64(note.count))
            let bytes = (original + note).replacing(position, with: little(UInt32(4)))
                .replacing(position + 8, with: little(UInt64(original.count)))
                .replacing(position + 32, with: size + size).replacing(position + 48, with: little(UInt64(4)))
            return try ExecutableFile(parsing: BytesInMemory(bytes))
        }
        func note(_ text: String, owner: String = "FDO\0", type: UInt32 = 0x407c_0c0a) -> [UInt8] {
            let content = Array(text.utf8)
            let padding = [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
            return little(UInt32(owner.utf8.count)) + little(UInt32(content.count)) + little(type) + Array(owner.utf8)
                + content + padding
        }
        let known = try file(note("other", type: 1) + note("[1]\0") + note("x", owner: "GNU\0") + note("[2]"))
        #expect(try known.linkage(of: known.images[0]).openedLater == [Array("[1]".utf8), Array("[2]".utf8)])
        let none = try file([1, 2, 3])
        #expect(try none.linkage(of: none.images[0]).openedLater.isEmpty)
        let cut = try file(note("[1]").dropLast(2) + [])
        #expect(throws: ImageFailure.self) { try cut.linkage(of: cut.images[0]) }
        let beyond = try file(note("[1]"), size: 1000)
        #expect(throws: ImageFailure.self) { try beyond.linkage(of: beyond.images[0]) }
        let large = try file([UInt8](repeating: 0, count: Linkage.notesSizeLimit + 12))
        #expect(throws: ImageFailure.self) { try large.linkage(of: large.images[0]) }
    }

    @Test("name no library that is not in the file")
    func brokenLinkage() throws {
        let bytes = try Fixture.bytes("elf/hello-x86_64-pie")
        // DT_STRTAB and DT_STRSZ in the dynamic section at 0x7a0.
        for tag in [UInt64(5), 10] {
            let entry = try #require(
                stride(from: 0x7a0, to: 0x940, by: 16).first { Array(bytes[$0..<$0 + 8]) == little(tag) })
            for value in [UInt64.max, 1 << 40, 0x7fff_ffff_ffff_ffff] {
                let file = try ExecutableFile(
                    parsing: BytesInMemory(bytes.replacing(entry + 8, with: little(value))))
                #expect(throws: ImageFailure.self) { try file.linkage(of: file.images[0]) }
            }
        }
    }
}
