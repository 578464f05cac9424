import ExecutableImage
import TestSupport
import Testing

/// A change to a good image, and why it is refused then.
struct Refusal: Sendable, CustomTestStringConvertible {
    let error: ImageError
    let base: String
    var patches: [(Int, [UInt8])] = []
    /// How much is left; nil for all.
    var length: Int?

    init(_ error: ImageError, _ base: String, _ patches: (Int, [UInt8])..., length: Int? = nil) {
        self.error = error
        self.base = base
        self.patches = patches
        self.length = length
    }

    var testDescription: String { "\(error.rawValue): \(base) \(patches.map { "\($0.0)" }) \(length ?? -1)" }

    func bytes() throws -> [UInt8] {
        let bytes = base == "universal" ? try Universal.bytes() : try Fixture.bytes(base)
        return Array(patches.reduce(bytes) { $0.replacing($1.0, with: $1.1) }.prefix(length ?? .max))
    }
}

@Suite("Images that break a rule")
struct RefusalTests {
    private static let elf = "elf/hello-x86_64-pie"
    private static let elf32 = "elf/free-arm"
    private static let synth = "macho/synth-ppc64-be64"
    private static let synth32 = "macho/synth-ppc-be32"
    private static let signed = "macho/hello-arm64"
    private static let text = Array("__TEXT".utf8) + [UInt8](repeating: 0, count: 10)

    /// Load commands of ``synth``: __TEXT at 32, __DATA at 184, __LINKEDIT at 336.
    private static let machO: [Refusal] = [
        Refusal(.truncatedHeader, synth, length: 0), Refusal(.truncatedHeader, synth, length: 3),
        Refusal(.truncatedHeader, synth, length: 31), Refusal(.truncatedHeader, synth32, length: 27),
        Refusal(.badMagic, synth, (0, [0xfd])), Refusal(.badMagic, synth, (0, Array("#!/b".utf8))),
        Refusal(.tooManyLoadCommands, synth, (16, big(UInt32(1025)))),
        Refusal(.tooManyLoadCommands, synth, (16, big(UInt32.max))),
        Refusal(.truncatedLoadCommands, synth, (16, big(UInt32(1024)))),
        Refusal(.loadCommandsTooLarge, synth, (20, big(UInt32(0x10_0001)))),
        Refusal(.truncatedLoadCommands, synth, (20, big(UInt32(0x10_0000)))),
        Refusal(.truncatedLoadCommands, synth, (16, big(UInt32(4)))),
        Refusal(.truncatedLoadCommands, synth, (20, big(UInt32(0x177)))),
        Refusal(.truncatedLoadCommands, synth, (36, big(UInt32(0xffff_fff8)))),
        Refusal(.badLoadCommandSize, synth, (36, big(UInt32(0)))),
        Refusal(.badLoadCommandSize, synth, (36, big(UInt32(156)))),
        Refusal(.badLoadCommandSize, synth32, (32, big(UInt32(7)))),
        Refusal(.badLoadCommandSize, synth, (96, big(UInt32.max))),
        Refusal(.unsupportedFileType, synth, (12, big(UInt32(1)))),
        Refusal(.unsupportedFileType, synth, (12, big(UInt32(10)))),
        Refusal(.segmentWidthMismatch, synth, (32, big(UInt32(1)))),
        Refusal(.segmentWidthMismatch, synth32, (28, big(UInt32(0x19)))),
        Refusal(.segmentOutOfBounds, synth, (224, big(UInt64.max))),
        Refusal(.segmentOutOfBounds, synth, (224, big(UInt64.max - 511))),
        Refusal(.segmentOutOfBounds, synth, (232, big(UInt64.max))),
        Refusal(.segmentOutOfBounds, synth, (208, big(UInt64.max - 4094))),
        Refusal(.segmentOutOfBounds, synth32, (28 + 24, big(UInt32.max - 4094))),
        Refusal(.segmentFileLargerThanMemory, synth, (64, big(UInt64(4095)))),
        Refusal(.overlappingSegments, synth, (224, big(UInt64(4095)))),
        Refusal(.overlappingSegments, synth, (208, big(UInt64(8191)))),
        Refusal(.noTextSegment, synth, (40, Array("__MEXT".utf8))),
        Refusal(.noTextSegment, synth, (80, big(UInt64(0)))),
        Refusal(.duplicateTextSegment, synth, (192, text)),
        Refusal(.writableExecutable, synth, (92, big(UInt32(7)))),
        Refusal(.writableExecutable, synth, (244, big(UInt32(7)))),
        Refusal(.headerNotInText, synth, (72, big(UInt64(512))), (80, big(UInt64(3584)))),
        Refusal(.headerNotInText, synth, (80, big(UInt64(400)))),
        Refusal(.duplicateCodeSignature, signed, (1160, little(UInt32(0x1d)))),
        Refusal(.badLoadCommandSize, signed, (1400, little(UInt32(0x1d)))),
        Refusal(.codeSignatureOutOfBounds, signed, (1488, little(UInt32.max))),
        Refusal(.codeSignatureOutOfBounds, signed, (1492, little(UInt32.max))),
        Refusal(.codeSignatureOutOfBounds, signed, (1488, little(UInt32(0)))),
        Refusal(.encryptedText, signed, (1400, little(UInt32(0x2c))), (1416, little(UInt32(1)))),
        Refusal(.badLoadCommandSize, signed, (1400, little(UInt32(0x21)))),
    ]

    /// Program headers of ``elf`` from 64 on, 56 bytes each: the third is the first PT_LOAD, the seventh PT_DYNAMIC.
    private static let elves: [Refusal] = [
        Refusal(.truncatedHeader, elf, length: 15), Refusal(.truncatedHeader, elf, length: 63),
        Refusal(.truncatedHeader, elf32, length: 51),
        Refusal(.badElfIdent, elf, (4, [0])), Refusal(.badElfIdent, elf, (4, [3])),
        Refusal(.badElfIdent, elf, (5, [0])), Refusal(.badElfIdent, elf, (6, [2])),
        Refusal(.badElfIdent, elf, (20, little(UInt32(2)))),
        Refusal(.unsupportedFileType, elf, (16, little(UInt16(1)))),
        Refusal(.unsupportedFileType, elf, (16, little(UInt16(4)))),
        Refusal(.noTextSegment, elf, (56, little(UInt16(0)))),
        Refusal(.noTextSegment, elf, (64 + 56 * 3 + 4, little(UInt32(4)))),
        Refusal(.tooManyProgramHeaders, elf, (56, little(UInt16(513)))),
        Refusal(.tooManyProgramHeaders, elf, (56, little(UInt16(0xffff)))),
        Refusal(.truncatedProgramHeaders, elf, (56, little(UInt16(512)))),
        Refusal(.badProgramHeaderSize, elf, (54, little(UInt16(57)))),
        Refusal(.truncatedProgramHeaders, elf, (32, little(UInt64.max))),
        Refusal(.truncatedProgramHeaders, elf, (32, little(UInt64.max - 615))),
        Refusal(.truncatedProgramHeaders, elf32, (28, little(UInt32.max))),
        Refusal(.segmentOutOfBounds, elf, (64 + 56 * 2 + 8, little(UInt64.max - 0x61f))),
        Refusal(.segmentOutOfBounds, elf, (64 + 56 * 2 + 32, little(UInt64.max))),
        Refusal(
            .segmentOutOfBounds, elf, (64 + 56 * 2 + 40, little(UInt64.max)), (64 + 56 * 2 + 16, little(UInt64(4096)))),
        Refusal(.segmentOutOfBounds, elf, (64 + 56 * 6 + 8, little(UInt64.max))),
        Refusal(.segmentFileLargerThanMemory, elf, (64 + 56 * 2 + 40, little(UInt64(1)))),
        Refusal(.misalignedSegment, elf, (64 + 56 * 2 + 48, little(UInt64(3)))),
        Refusal(.misalignedSegment, elf, (64 + 56 * 3 + 16, little(UInt64(0x1621)))),
        Refusal(.overlappingSegments, elf, (64 + 56 * 5 + 16, little(UInt64(0x2968)))),
        Refusal(.overlappingSegments, elf, (64 + 56 * 5 + 16, little(UInt64(0x968)))),
        Refusal(.writableExecutable, elf, (64 + 56 * 3 + 4, little(UInt32(7)))),
        Refusal(.textRelocations, elf, (0x7a0, little(UInt64(22)))),
        Refusal(.textRelocations, elf, (0x7a0, little(UInt64(30)) + little(UInt64(4)))),
    ]

    /// Entries of the table from 8 on, 20 bytes each.
    private static let fat: [Refusal] = [
        Refusal(.truncatedHeader, "universal", length: 7), Refusal(.truncatedHeader, "universal", length: 47),
        Refusal(.emptyFat, "universal", (4, big(UInt32(0)))),
        Refusal(.tooManyFatSlices, "universal", (4, big(UInt32(33)))),
        Refusal(.tooManyFatSlices, "universal", (4, big(UInt32(0x0034)))),
        Refusal(.fatAlignment, "universal", (24, big(UInt32(16)))),
        Refusal(.fatAlignment, "universal", (16, big(UInt32(8193)))),
        Refusal(.fatSliceOutOfBounds, "universal", (16, big(UInt32(0)))),
        Refusal(.fatSliceOutOfBounds, "universal", (20, big(UInt32(0)))),
        Refusal(.fatSliceOutOfBounds, "universal", (20, big(UInt32.max))),
        Refusal(.fatSlicesOverlap, "universal", (20, big(UInt32(8193)))),
        Refusal(.duplicateArch, "universal", (28, big(Universal.machines[0]) + [0x80, 0, 0, 0])),
        Refusal(.fatArchMismatch, "universal", (8, big(UInt32(7)))),
        Refusal(.fatArchMismatch, "universal", (12, big(UInt32(2)))),
        Refusal(.badMagic, "universal", (8192, [0x7f, 0x45, 0x4c, 0x46])),
        Refusal(.badMagic, "universal", (8192, [0xca, 0xfe, 0xba, 0xbe])),
        Refusal(.truncatedHeader, "universal", (20, big(UInt32(3)))),
    ]

    private static let all = machO + elves + fat

    @Test("are refused by the name of the rule", arguments: all)
    func refused(_ refusal: Refusal) throws {
        let bytes = BytesInMemory(try refusal.bytes())
        let failure = #expect(throws: ImageFailure.self) { _ = try ExecutableFile(parsing: bytes) }
        #expect(failure?.error == refusal.error)
    }

    @Test("are tried for every rule of a file's content")
    func complete() {
        let elsewhere: Set<ImageError> = [.fileTooLarge, .notARegularFile]
        #expect(Set(Self.all.map(\.error)).union(elsewhere) == Set(ImageError.allCases))
    }

    @Test("are said to break it at a byte of the file, also inside a slice")
    func offset() throws {
        let bytes = try Universal.bytes().replacing(8192 + 12, with: big(UInt32(1)))
        let failure = #expect(throws: ImageFailure.self) { try ExecutableFile(parsing: BytesInMemory(bytes)) }
        #expect(failure == .refused(.unsupportedFileType, offset: 8192 + 12))
        #expect(failure.map { "\($0)" }?.hasPrefix("At byte 8204: ") == true)
    }

    @Test("end where the address space does and not one byte later")
    func lastAddress() throws {
        let bytes = try Fixture.bytes(Self.synth)
        // __LINKEDIT has 4096 bytes in memory.
        let fits = bytes.replacing(360, with: big(UInt64.max - 4095))
        #expect(throws: Never.self) { try ExecutableFile(parsing: BytesInMemory(fits)) }
        let beyond = bytes.replacing(360, with: big(UInt64.max - 4094))
        #expect(throws: ImageFailure.refused(.segmentOutOfBounds, offset: 336)) {
            try ExecutableFile(parsing: BytesInMemory(beyond))
        }
    }

    @Test("are not even looked at above 1 GiB")
    func tooLarge() {
        struct Nothing: ImageBytes {
            var count: UInt64 { ExecutableFile.sizeLimit + 1 }
            func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(ImageFailure) {
                throw .unreadable(offset: offset, reason: "read")
            }
        }
        #expect(throws: ImageFailure.refused(.fileTooLarge, offset: nil)) { try ExecutableFile(parsing: Nothing()) }
    }

    @Test("may not make 1 GiB out of little by naming the same bytes many times")
    func repeated() throws {
        // 512 program headers over one file of 3 MiB, each at an address of its own.
        let size = 3 << 20
        var file = Array(try Fixture.bytes("elf/hello-x86_64-pie")[..<64]).replacing(56, with: little(UInt16(512)))
        for index in 0..<UInt64(512) {
            file += little(UInt32(1)) + little(UInt32(5)) + little(UInt64(0)) + little(index << 24) + little(UInt64(0))
            file += little(UInt64(size)) + little(UInt64(size)) + little(UInt64(4096))
        }
        file += [UInt8](repeating: 0, count: size - file.count)
        #expect(throws: ImageFailure.refused(.fileTooLarge, offset: nil)) {
            try ExecutableFile(parsing: BytesInMemory(file))
        }
    }

    @Test("have a sentence for each rule, which says what to do")
    func sentences() {
        #expect(Set(ImageError.allCases.map { "\($0)" }).count == ImageError.allCases.count)
        #expect(ImageError.allCases.allSatisfy { "\($0)".hasSuffix(".") })
        #expect(ImageError.allCases.count == 33)
    }
}
