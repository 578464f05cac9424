import ExecutableImage
import TestSupport
import Testing

/// A source that counts what is read from it.
final class CountingBytes: ImageBytes, @unchecked Sendable {
    // Used from one thread only.
    private(set) var total: UInt64 = 0
    private(set) var largest = 0
    private let bytes: BytesInMemory

    init(_ bytes: [UInt8]) { self.bytes = BytesInMemory(bytes) }

    var count: UInt64 { bytes.count }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(ImageFailure) {
        total += UInt64(buffer.count)
        largest = max(largest, buffer.count)
        try bytes.read(at: offset, into: buffer)
    }
}

@Suite("Images from an enemy")
struct HostileImagesTests {
    /// Everything that reads outside bytes: each ends with a value or an error that has a name.
    private func examine(_ bytes: [UInt8]) {
        let source = BytesInMemory(bytes)
        do throws(ImageFailure) {
            let file = try ExecutableFile(parsing: source)
            let digests = try file.digests(Set(DigestKind.allCases))
            #expect(digests.images.count == file.images.count)
            for image in file.images {
                _ = try? file.codeSignature(of: image)
                _ = try? file.linkage(of: image)
                _ = try? image.digests([.text2], in: source, slide: 0)
            }
            _ = try? LoadableImage(mappedIn: source, header: 0)
        } catch {
            #expect(error.error != nil, "\(error)")
        }
    }

    @Test("with any byte changed give digests or a named error", arguments: Fixture.small)
    func mutations(name: String) throws {
        let bytes = try Fixture.bytes(name)
        // Content behind the headers only changes digests: of that every 16th byte.
        for position in bytes.indices where position < 700 || position % 16 == 0 {
            for value in [0, 0xff, bytes[position] ^ 1, bytes[position] ^ 0x80] {
                examine(bytes.replacing(position, with: [value]))
            }
        }
    }

    @Test("cut at any length give digests or a named error", arguments: Fixture.small)
    func truncations(name: String) throws {
        let bytes = try Fixture.bytes(name)
        for length in bytes.indices { examine(Array(bytes[..<length])) }
    }

    @Test("with any number at its limits give digests or a named error", arguments: Fixture.small + ["universal"])
    func limits(name: String) throws {
        let bytes = name == "universal" ? try Universal.bytes() : try Fixture.bytes(name)
        let numbers32: [UInt32] = [.max, .max - 7, .max - 4095, 1 << 31, 0x7fff_ffff]
        let numbers64: [UInt64] = [.max, .max - 7, .max - 4095, 1 << 63, 1 << 32, 0x7fff_ffff_ffff_ffff]
        for position in stride(from: 0, to: 600, by: 4) {
            for number in numbers32 { examine(bytes.replacing(position, with: big(number))) }
            for number in numbers64 { examine(bytes.replacing(position, with: big(number))) }
            for number in numbers64 { examine(bytes.replacing(position, with: little(number))) }
        }
    }

    @Test("made of chance give a named error")
    func noise() {
        var random = SplitMix64(state: 6)
        let magics: [[UInt8]] = [
            [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1], [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2],
            [0xca, 0xfe, 0xba, 0xbf, 0, 0, 0, 1],
            [0xcf, 0xfa, 0xed, 0xfe], [0xfe, 0xed, 0xfa, 0xce], [],
        ]
        for round in 0..<30_000 {
            let count = Int(random.next() % 400)
            examine(magics[round % magics.count] + (0..<count).map { _ in random.next() % 3 == 0 ? random.byte() : 0 })
        }
    }

    @Test("with a signature that is damaged anywhere give a verdict or a named error")
    func signatures() throws {
        let bytes = try Fixture.bytes("macho/hello-arm64")
        let signature = 49_504..<49_752
        for position in signature {
            for value in [0, 0xff, bytes[position] ^ 1] {
                let file = try ExecutableFile(parsing: BytesInMemory(bytes.replacing(position, with: [value])))
                do throws(ImageFailure) {
                    _ = try file.codeSignature(of: file.images[0])
                } catch {
                    #expect(error.error == .codeSignatureOutOfBounds)
                }
            }
        }
    }

    @Test("are read once for all digests, in bounded pieces")
    func onePass() throws {
        let bytes = try Fixture.bytes("elf/hello-x86_64-pie") + [UInt8](repeating: 7, count: 3_000_000)
        let source = CountingBytes(bytes)
        let file = try ExecutableFile(parsing: source)
        let header = source.total
        #expect(header < 4096)
        _ = try file.digests(Set(DigestKind.allCases))
        #expect(source.total - header == source.count)
        #expect(source.largest <= 256 * 1024)
    }

    @Test("that claim much are not believed: less is read than the file has")
    func claims() throws {
        let claims: [(String, Int, [UInt8])] = [
            ("macho/synth-ppc64-be64", 20, big(UInt32(0x10_0000))), ("macho/synth-ppc64-be64", 16, big(UInt32(1024))),
            ("elf/hello-x86_64-pie", 56, little(UInt16(512))),
            ("elf/hello-x86_64-pie", 64 + 56 * 6 + 32, little(UInt64.max)),
        ]
        for (name, position, number) in claims {
            let source = CountingBytes(try Fixture.bytes(name).replacing(position, with: number))
            #expect(throws: ImageFailure.self) { try ExecutableFile(parsing: source) }
            #expect(source.total <= source.count)
        }
    }

    @Test("whose segments lie backwards in the file are hashed in the order of their addresses")
    func backwards() throws {
        // The two covered segments of the program change their content and their places.
        let bytes = try Fixture.bytes("elf/free-arm")
        let file = try Fixture.parsed("elf/free-arm")
        let covered = file.images[0].coveredSegments
        #expect(covered.count == 2)
        let code = covered[1]
        let moved = bytes.count
        // The code moves behind all else, to an offset of the same remainder; its program header follows.
        let padding = (Int(code.fileOffset) - moved).remainder(65_536)
        let offset = moved + padding
        let content = bytes[Int(code.fileOffset)..<Int(code.fileOffset + code.fileSize)]
        let header = try #require(
            (52..<400).first { position in
                (position - 52) % 32 == 0
                    && bytes[position..<position + 8].elementsEqual(little(UInt32(1)) + little(UInt32(code.fileOffset)))
            })
        let other =
            bytes.replacing(header + 4, with: little(UInt32(offset))) + [UInt8](repeating: 0, count: padding) + content
        let digests = try file.digests([.text1]).images
        let movedFile = try ExecutableFile(parsing: BytesInMemory(other))
        #expect(try movedFile.digests([.text1]).images == digests)
        #expect(try movedFile.digests(Set(DigestKind.allCases)).images[0].text1 == digests[0].text1)
    }
}

extension Int {
    fileprivate func remainder(_ divisor: Int) -> Int { ((self % divisor) + divisor) % divisor }
}
