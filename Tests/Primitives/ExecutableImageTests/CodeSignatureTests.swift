import TestSupport
import Testing

@testable import ExecutableImage

@Suite("Code signatures")
struct CodeSignatureTests {
    private static let name = "macho/hello-arm64"

    private func signature(_ bytes: [UInt8]) throws -> CodeSignature? {
        let file = try ExecutableFile(parsing: BytesInMemory(bytes))
        return try file.codeSignature(of: file.images[0])
    }

    @Test("say what the linker wrote, and every page matches")
    func known() throws {
        let expected = Fixture.images[Self.name]["images"][0]["codeSignature"][0]
        let signature = try #require(try signature(Fixture.bytes(Self.name)))
        let directory = try #require(signature.directories.first)
        #expect(!signature.hasCertificate)
        #expect(signature.directories.count == 1)
        #expect(directory.cdhash == expected["cdhash"].hex)
        #expect(directory.identifier == expected["identifier"].string)
        #expect(directory.teamIdentifier == nil)
        #expect(directory.flags == [.adHoc, .linkerSigned])
        #expect(Int(directory.codeLimit) == expected["codeLimit"].int)
        #expect((directory.pageCount, directory.pageSizeLog2, directory.hashType) == (4, 14, 2))
        #expect(directory.badPages.isEmpty)
        #expect(directory.isComplete)
        #expect(signature.codeNotCovered == nil)
    }

    @Test("name the page that was changed", arguments: [(4200, 0), (16_384, 1), (32_770, 2), (49_160, 3)])
    func changedPage(position: Int, page: UInt32) throws {
        let bytes = try Fixture.bytes(Self.name).flipping(bit: 8 * position)
        #expect(try signature(bytes)?.directories.first?.badPages == [page])
    }

    @Test("are none where there is none")
    func unsigned() throws {
        #expect(try signature(Fixture.bytes("macho/synth-ppc64-be64")) == nil)
        #expect(try signature(Fixture.bytes("elf/free-arm")) == nil)
    }

    /// The container begins at 49504: magic, length, count, then type and offset of each blob; its directory follows.
    @Test(
        "with a damaged structure are refused",
        arguments: [(0, UInt32(0)), (4, .max), (4, 11), (8, .max), (8, 65), (16, .max), (20, 0), (24, 7), (24, .max)])
    func damaged(position: Int, number: UInt32) throws {
        let bytes = try Fixture.bytes(Self.name).replacing(49_504 + position, with: big(number))
        let failure = #expect(throws: ImageFailure.self) { try signature(bytes) }
        #expect(failure?.error == .codeSignatureOutOfBounds)
    }

    @Test("that leave pages out are not complete")
    func incomplete() throws {
        let bytes = try Fixture.bytes(Self.name).replacing(49_524 + 28, with: big(UInt32(3)))
        let directory = try #require(try signature(bytes)?.directories.first)
        #expect(directory.badPages.isEmpty)
        #expect(!directory.isComplete)
        #expect(directory.codeNotCovered != nil)
    }

    @Test("of another program do not cover the code, though the digests are the same and their own program is covered")
    func foreign() throws {
        let bytes = try Fixture.bytes(Self.name)
        // The other program differs in a byte of page 1, and its directory has the hash of that.
        var other = bytes.flipping(bit: 8 * 16_385)
        let hash = try HashStream()
        other[16_384..<32_768].withUnsafeBytes { hash.update($0) }
        let place = bytes[49_524 + 16..<49_524 + 20].reduce(0) { $0 << 8 | Int($1) }
        other = other.replacing(49_524 + place + 32, with: try hash.finish())
        let mixed = Array(bytes[..<49_504] + other[49_504...])
        let own = try #require(try signature(other))
        #expect(own.codeNotCovered == nil)
        let taken = try #require(try signature(mixed))
        #expect(taken.directories.map(\.cdhash) == own.directories.map(\.cdhash))
        #expect(taken.codeNotCovered == "its code is not what was signed: 1 of its pages differ")
        let files = try [bytes, mixed].map { try ExecutableFile(parsing: BytesInMemory($0)) }
        let digests = try files.map { try $0.digests([.load2], of: $0.images).images.first?.load2 }
        #expect(digests[0] == digests[1])
    }

    @Test(
        "over a part of the code alone do not cover it", arguments: [(UInt32(16_384), UInt32(1)), (0, 0), (49_503, 4)])
    func shortened(codeLimit: UInt32, pageCount: UInt32) throws {
        let bytes = try Fixture.bytes(Self.name).replacing(49_524 + 28, with: big(pageCount) + big(codeLimit))
        let signature = try #require(try signature(bytes))
        #expect(signature.directories.first?.isComplete == true)
        #expect(signature.codeNotCovered != nil)
    }
}
