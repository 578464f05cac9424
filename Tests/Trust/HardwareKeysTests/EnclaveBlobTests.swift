import TestSupport
import Testing

@testable import HardwareKeys

@Suite("Secure Enclave blobs")
struct EnclaveBlobTests {
    static let blob = EnclaveBlob(
        needsBiometry: true, representation: [1, 2, 3], ephemeralKey: [4] + [UInt8](repeating: 9, count: 64))

    @Test("a blob has its documented bytes, and reads as it was written")
    func roundTrip() throws {
        #expect(Self.blob.serialised == [1, 1, 0, 3, 1, 2, 3, 4] + [UInt8](repeating: 9, count: 64))
        #expect(try EnclaveBlob(parsing: Self.blob.serialised) == Self.blob)
    }

    @Test("a blob that is cut off or has impossible fields is refused")
    func refused() {
        let bytes = Self.blob.serialised
        for count in bytes.indices {
            #expect(throws: HardwareKeyError.self) { try EnclaveBlob(parsing: Array(bytes.prefix(count))) }
        }
        for (offset, byte) in [(0, 2), (1, 2), (3, 0), (7, 3)] as [(Int, UInt8)] {
            var wrong = bytes
            wrong[offset] = byte
            #expect(throws: HardwareKeyError.self) { try EnclaveBlob(parsing: wrong) }
        }
        #expect(throws: HardwareKeyError.self) { try EnclaveBlob(parsing: bytes + [0]) }
    }
}
