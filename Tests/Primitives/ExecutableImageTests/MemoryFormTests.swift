import ExecutableImage
import Foundation
import TestSupport
import Testing

/// The memory of a made-up process: segments at their addresses, moved by a slide. The rest of memory cannot be read.
struct MappedImage: ImageBytes {
    private let parts: [(address: UInt64, bytes: [UInt8])]

    /// As a loader maps them, writable ones with other content than the file's.
    init(_ file: [UInt8], _ image: LoadableImage, slide: UInt64) {
        parts = image.segments.filter { $0.fileSize > 0 }.map { segment in
            let start = Int(segment.fileOffset)
            let content = file[start..<start + Int(segment.fileSize)]
            let isRelocated = segment.protection.contains(.write)
            return (segment.address &+ slide, isRelocated ? content.map { $0 ^ 0xa5 } : Array(content))
        }
    }

    var count: UInt64 { .max }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(ImageFailure) {
        let part = parts.first { offset >= $0.address && offset - $0.address < UInt64($0.bytes.count) }
        guard let part, UInt64(buffer.count) <= UInt64(part.bytes.count) - (offset - part.address) else {
            throw .unreadable(offset: offset, reason: "nothing is mapped there")
        }
        let start = Int(offset - part.address)
        buffer.copyBytes(from: part.bytes[start..<start + buffer.count])
    }
}

@Suite("Images in memory")
struct MemoryFormTests {
    private static let kinds: Set<DigestKind> = [.text1, .text2, .pageRoot]
    private static let slide: UInt64 = 0x7f12_3456_7000

    @Test(
        "have the digests of their files, wherever they are",
        arguments: ["macho/hello-arm64", "macho/synth-ppc64-be64", "elf/free-aarch64", "elf/free-riscv64"])
    func equal(name: String) throws {
        let bytes = try Fixture.bytes(name)
        let file = try Fixture.parsed(name)
        let fromFile = try file.digests(Self.kinds).images[0]
        let memory = MappedImage(bytes, file.images[0], slide: Self.slide)
        let header = Self.slide &+ (file.images[0].segments.first { $0.fileSize > 0 }?.address ?? 0)
        let mapped = try LoadableImage(mappedIn: memory, header: header)
        #expect(mapped.slide(header: header) == Self.slide)
        #expect(mapped.coveredSegments == file.images[0].coveredSegments)
        #expect(try mapped.digests(Self.kinds, in: memory, slide: Self.slide) == fromFile)
        // The image that was parsed from the file serves as well.
        #expect(try file.images[0].digests(Self.kinds, in: memory, slide: Self.slide) == fromFile)
    }

    @Test("have other digests once a byte of code is another, on that page")
    func patched() throws {
        let name = "macho/hello-arm64"
        let file = try Fixture.parsed(name)
        let patched = try Fixture.bytes(name).flipping(bit: 8 * 4200)
        let memory = MappedImage(patched, file.images[0], slide: Self.slide)
        let fromFile = try file.digests(Self.kinds).images[0]
        #expect(try file.images[0].digests(Self.kinds, in: memory, slide: Self.slide) != fromFile)
        let pages = try file.pageDigests(of: file.images[0])[0].digests
        let found = try file.images[0].pageDigests(in: memory, slide: Self.slide)[0].digests
        #expect(zip(pages, found).map { $0 == $1 } == [true, false])
    }

    @Test("may say that their file is encrypted, and have the digests of the build")
    func encrypted() throws {
        // LC_UUID becomes LC_ENCRYPTION_INFO_64 of the same size, without and with encryption.
        let bytes = try Fixture.bytes("macho/hello-arm64").replacing(1400, with: little(UInt32(0x2c)))
        let plain = bytes.replacing(1416, with: little(UInt32(0)))
        let encrypted = bytes.replacing(1416, with: little(UInt32(1)))
        let build = try ExecutableFile(parsing: BytesInMemory(plain))
        let header = Self.slide &+ 0x1_0000_0000
        let memory = MappedImage(encrypted, build.images[0], slide: Self.slide)
        let mapped = try LoadableImage(mappedIn: memory, header: header)
        #expect(mapped.isEncrypted)
        let expected = try build.digests([.text2, .pageRoot]).images[0]
        #expect(try mapped.digests([.text2, .pageRoot], in: memory, slide: Self.slide) == expected)
        #expect(throws: ImageFailure.self) { try ExecutableFile(parsing: BytesInMemory(encrypted)) }
    }

    @Test("that are no images are refused")
    func refused() throws {
        let file = try Fixture.parsed("elf/free-aarch64")
        let memory = MappedImage(try Fixture.bytes("elf/free-aarch64"), file.images[0], slide: Self.slide)
        #expect(throws: ImageFailure.self) { try LoadableImage(mappedIn: memory, header: 0) }
        let universal = BytesInMemory(try Universal.bytes())
        #expect(throws: ImageFailure.refused(.badMagic, offset: 0)) {
            try LoadableImage(mappedIn: universal, header: 0)
        }
    }

    @Test("that claim more than any file has are refused before they are read")
    func endless() throws {
        struct Endless: ImageBytes {
            let header: [UInt8]
            var count: UInt64 { .max }

            func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(ImageFailure) {
                for index in buffer.indices {
                    let position = offset + UInt64(index)
                    buffer[index] = position < header.count ? header[Int(position)] : 0xff
                }
            }
        }
        let bytes = try Fixture.bytes("elf/hello-x86_64-pie")
        // Sizes in the file and in memory of the last PT_LOAD, and of PT_DYNAMIC.
        let text = bytes.replacing(64 + 56 * 5 + 32, with: little(UInt64(1) << 40) + little(UInt64(1) << 40))
        let dynamic = bytes.replacing(64 + 56 * 6 + 32, with: little(UInt64(1) << 40))
        for header in [text, dynamic] {
            #expect(throws: ImageFailure.refused(.fileTooLarge, offset: nil)) {
                try LoadableImage(mappedIn: Endless(header: header), header: 0)
            }
        }
    }

    #if os(Linux)
        /// The memory of this process.
        private struct OwnMemory: ImageBytes {
            let descriptor: CInt
            var count: UInt64 { .max }

            func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(ImageFailure) {
                guard pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) == buffer.count else {
                    throw .unreadable(offset: offset, reason: "not mapped")
                }
            }
        }

        @Test("of this process have the digests of their files: its libraries, as the kernel lists them")
        func running() throws {
            let descriptor = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            let memory = OwnMemory(descriptor: descriptor)
            var starts: [String: UInt64] = [:]
            for line in try KernelFile.text("/proc/self/maps").split(separator: "\n") {
                let fields = line.split(separator: " ", omittingEmptySubsequences: true)
                guard fields.count == 6, fields[2] == "00000000", fields[5].hasPrefix("/"), fields[5].contains(".so"),
                    let start = UInt64(fields[0].prefix { $0 != "-" }, radix: 16)
                else { continue }
                starts[String(fields[5])] = starts[String(fields[5])] ?? start
            }
            #expect(starts.count > 3)
            for (path, header) in starts {
                let bytes = Array(try Data(contentsOf: URL(filePath: path), options: .alwaysMapped))
                let file = try ExecutableFile(parsing: BytesInMemory(bytes))
                let mapped = try LoadableImage(mappedIn: memory, header: header)
                let slide = mapped.slide(header: header)
                #expect(
                    try mapped.digests([.text2], in: memory, slide: slide) == file.digests([.text2]).images[0],
                    "\(path)")
            }
        }
    #endif
}
