import ExecutableImage
import TestSupport
import Testing

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
    }
}
