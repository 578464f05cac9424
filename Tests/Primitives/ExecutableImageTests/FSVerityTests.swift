import ExecutableImage
import TestSupport
import Testing

@Suite("fs-verity")
struct FSVerityTests {
    @Test("has the digests of fsverity-utils", arguments: Fixture.verity["cases"].array)
    func known(json: JSON) throws {
        let bytes = (0..<(json["length"].int ?? 0)).map { UInt8(truncatingIfNeeded: $0 * 131 + 17 + ($0 >> 8)) }
        let salt = try #require(json["salt"].hex)
        let digest = try FSVerity.digest(of: BytesInMemory(bytes), salt: salt)
        #expect(digest.description == json["fsverity"].string)
        #expect(try ImageDigest(ofAll: BytesInMemory(bytes)).description == json["sha256"].string)
    }

    @Test("sees every byte, and the length")
    func sensitive() throws {
        var bytes = [UInt8](repeating: 0, count: 4096 * 129 + 1)
        let digest = try FSVerity.digest(of: BytesInMemory(bytes))
        #expect(try FSVerity.digest(of: BytesInMemory(bytes + [0])) != digest)
        bytes[4096 * 128] = 1
        #expect(try FSVerity.digest(of: BytesInMemory(bytes)) != digest)
    }
}
