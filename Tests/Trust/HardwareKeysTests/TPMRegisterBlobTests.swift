import TestSupport
import Testing

@testable import HardwareKeys

@Suite("Sealed blobs that are bound to registers")
struct TPMRegisterBlobTests {
    private static func blob(_ policy: TPMPolicy, _ bitmap: UInt16 = 1 << 7) -> TPMSealedBlob {
        let registers = TPMRegisterState(
            TPMRegisterSelection(bitmap: bitmap), digest: [UInt8](repeating: 9, count: 32))
        return TPMSealedBlob(
            policy: policy, registers: registers, parent: .persistent,
            parentName: [0, 0x0b] + [UInt8](repeating: 7, count: 32), privatePart: [UInt8](repeating: 1, count: 158),
            publicArea: TPMPublicArea.sealedData(
                policy: policy.digest(with: registers), unique: [UInt8](repeating: 2, count: 32)))
    }

    @Test("one reads as it was written, and as version 2", arguments: TPMSealedBlobTests.policies)
    func roundTrip(policy: TPMPolicy) throws {
        for bitmap: UInt16 in [1, 1 << 7, 0x8001, .max] {
            let bytes = Self.blob(policy, bitmap).serialised
            #expect(bytes[0] == 2 && TPMSealedBlob.areBoundToRegisters(bytes))
            #expect(Array(bytes[62..<66]) == [0, 0, UInt8(bitmap >> 8), UInt8(bitmap & 0xff)])
            #expect(try TPMSealedBlob(parsing: bytes) == Self.blob(policy, bitmap))
        }
        #expect(!TPMSealedBlob.areBoundToRegisters(TPMSealedBlobTests.blob(policy).serialised))
    }

    @Test("one that is cut off anywhere, or names no register or one beyond 15, is refused")
    func refused() {
        let bytes = Self.blob(.authorisation).serialised
        for count in bytes.indices {
            #expect(throws: HardwareKeyError.self) { try TPMSealedBlob(parsing: Array(bytes.prefix(count))) }
        }
        #expect(throws: HardwareKeyError.self) { try TPMSealedBlob(parsing: bytes + [0]) }
        #expect(throws: HardwareKeyError.self) { try TPMSealedBlob(parsing: Self.blob(.authorisation, 0).serialised) }
        var beyond = bytes
        beyond[63] = 1
        #expect(throws: HardwareKeyError.self) { try TPMSealedBlob(parsing: beyond) }
    }

    @Test(
        "a flipped bit is refused, or reads as another blob that is bound to the same registers",
        arguments: TPMSealedBlobTests.policies)
    func flipped(policy: TPMPolicy) {
        let blob = Self.blob(policy)
        let bytes = blob.serialised
        for bit in 0..<bytes.count * 8 {
            let found = try? TPMSealedBlob(parsing: bytes.flipping(bit: bit))
            #expect(found != blob)
            // What it is bound to cannot be changed at all.
            if (62 * 8..<98 * 8).contains(bit) { #expect(found == nil) }
        }
    }

    @Test("any bytes are a blob with registers or refused, never a trap")
    func randomBytes() {
        var random = SplitMix64(state: 2)
        for _ in 0..<20_000 {
            var bytes = Self.blob(TPMSealedBlobTests.policies.randomElement(using: &random)!).serialised
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = random.byte()
            }
            bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            if let blob = try? TPMSealedBlob(parsing: bytes) { #expect(blob.serialised == bytes) }
        }
    }

    @Test("selections are numbers with commas between, each once")
    func selections() {
        #expect(TPMRegisterSelection("7")?.numbers == [7])
        #expect(TPMRegisterSelection("15,0,7")?.description == "0,7,15")
        for wrong in ["", ",", "7,", "7,7", "16", "-1", "7 ", "a", "0-7", "23", "99999999999999999999"] {
            #expect(TPMRegisterSelection(wrong) == nil, "\(wrong)")
        }
    }
}
