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

    @Test("only a key that asks for a face is taken for one that a new face has destroyed")
    func refusedAgreement() {
        let withPasscode = EnclaveBlob(needsBiometry: false, representation: [1], ephemeralKey: Self.blob.ephemeralKey)
        #expect(Self.blob.refusedAgreement == .enclaveKeyInvalidated)
        #expect(withPasscode.refusedAgreement == .unavailable(.otherHardware))
    }

    @Test("a public key that is no point is a damaged blob, and told with its place")
    func badPoint() {
        guard case .malformed(.enclaveBlob, let offset, _) = Self.blob.badEphemeralKey else {
            Issue.record("\(Self.blob.badEphemeralKey)")
            return
        }
        #expect(Self.blob.serialised[offset...].elementsEqual(Self.blob.ephemeralKey))
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
