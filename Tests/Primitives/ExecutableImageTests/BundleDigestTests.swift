import ExecutableImage
import TestSupport
import Testing

@Suite("Bundles")
struct BundleDigestTests {
    private static let pie = "elf/hello-x86_64-pie"

    private func text2(_ name: String) throws -> ImageDigest {
        try #require(try Fixture.parsed(name).digests([.text2]).images[0].text2)
    }

    @Test("of one program have the known digest")
    func one() throws {
        let entry = try BundleDigest.Entry(path: "bin/app", text2: text2(Self.pie))
        let expected = "115c882949d21ce5e3133daadb77488efcb2b92679c2a4a5d14a556bc5ccfe35"
        #expect(try BundleDigest.bundle2([entry]).description == expected)
    }

    @Test("do not depend on the order in which images are found, but on each path and digest")
    func order() throws {
        let one = try BundleDigest.Entry(path: "lib/é.so", text2: text2(Self.pie))
        let other = try BundleDigest.Entry(path: "lib/z.so", text2: text2("elf/free-arm"))
        let digest = try BundleDigest.bundle2([one, other])
        #expect(try BundleDigest.bundle2([other, one]) == digest)
        let swapped = [
            try BundleDigest.Entry(path: one.path, text2: other.text2),
            try BundleDigest.Entry(path: other.path, text2: one.text2),
        ]
        #expect(try BundleDigest.bundle2(swapped) != digest)
        #expect(BundleDigest.isPath("Lib/A.so", before: "bin/app") && BundleDigest.isPath("lib/z", before: "lib/é"))
    }

    @Test(
        "take no path that leaves them", arguments: ["", "/bin/app", "bin//app", "./app", "bin/../app", "bin/", ".."])
    func paths(path: String) throws {
        let digest = try text2(Self.pie)
        #expect(throws: BundlePathError.notInside(path)) { try BundleDigest.Entry(path: path, text2: digest) }
    }

    @Test("take no path that 16 bits cannot count")
    func longPath() throws {
        let digest = try text2(Self.pie)
        let path = String(repeating: "a", count: 65_536)
        #expect(throws: BundlePathError.tooLong(path)) { try BundleDigest.Entry(path: path, text2: digest) }
        #expect(throws: Never.self) { try BundleDigest.Entry(path: String(path.dropLast()), text2: digest) }
    }

    @Test("in the seed's form: one hash stays itself, more are hashed in their order")
    func combined() throws {
        let one = try text2(Self.pie)
        let other = try text2("elf/free-arm")
        #expect(try BundleDigest.combineHashes([]) == nil)
        #expect(try BundleDigest.combineHashes([one]) == one)
        let both = try #require(try BundleDigest.combineHashes([one, other]))
        #expect(try both == ImageDigest(ofAll: BytesInMemory(one.bytes + other.bytes)))
        #expect(try BundleDigest.combineHashes([other, one]) != both)
    }
}
