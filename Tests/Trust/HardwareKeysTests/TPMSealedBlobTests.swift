import Foundation
import TestSupport
import Testing

@testable import HardwareKeys

@Suite("Sealed blobs")
struct TPMSealedBlobTests {
    static func blob(_ policy: TPMPolicy) -> TPMSealedBlob {
        TPMSealedBlob(
            policy: policy, registers: nil, parent: .transient,
            parentName: [0, 0x0b] + [UInt8](repeating: 7, count: 32),
            privatePart: [UInt8](repeating: 1, count: 158),
            publicArea: TPMPublicArea.sealedData(policy: policy.digest, unique: [UInt8](repeating: 2, count: 32)))
    }

    static let policies: [TPMPolicy] = [
        .authorisation, .counter(index: 0x0180_4d02, value: 1 << 40),
        .limited(counter: 0x0180_4d00, value: 3, pin: 0x0180_4d01, limit: 10),
    ]

    @Test(
        "the sample vaults' blobs read as their fields say, and write the same again",
        .enabled(if: SharedData.has("mainkey/tpm")), arguments: ["template2", "template3", "template3-last-try"])
    func samples(name: String) throws {
        let known = try SharedData.json("mainkey/tpm/\(name)/expect.json")
        let bytes = try #require(known["blob"].hex)
        let blob = try TPMSealedBlob(parsing: bytes)
        #expect(Int(blob.policy.template) == known["template"].int)
        #expect(blob.policy.counter.map { Int($0.index) } == known["counterIndex"].int)
        #expect(blob.policy.counter.map { Int($0.value) } == known["counterValue"].int)
        #expect(blob.policy.pin.map { Int($0.index) } ?? 0 == known["pinIndex"].int)
        #expect(blob.policy.pin.map { Int($0.limit) } ?? 0 == known["pinLimit"].int)
        #expect(blob.policy.digest == known["policy"].hex)
        #expect(blob.parent == .transient)
        #expect(blob.serialised == bytes)
    }

    @Test("a blob reads as it was written", arguments: policies)
    func roundTrip(policy: TPMPolicy) throws {
        let blob = Self.blob(policy)
        #expect(try TPMSealedBlob(parsing: blob.serialised) == blob)
    }

    @Test("a blob that is cut off anywhere is refused", arguments: policies)
    func truncated(policy: TPMPolicy) {
        let bytes = Self.blob(policy).serialised
        for count in bytes.indices {
            #expect(throws: HardwareKeyError.self) { try TPMSealedBlob(parsing: Array(bytes.prefix(count))) }
        }
        #expect(throws: HardwareKeyError.self) { try TPMSealedBlob(parsing: bytes + [0]) }
    }

    @Test("a flipped bit is refused, or reads as another blob", arguments: policies)
    func flipped(policy: TPMPolicy) {
        let blob = Self.blob(policy)
        let bytes = blob.serialised
        for bit in 0..<bytes.count * 8 {
            #expect((try? TPMSealedBlob(parsing: bytes.flipping(bit: bit))) != blob)
        }
    }

    @Test("any bytes are read or refused, never a trap")
    func randomBytes() {
        var random = SplitMix64(state: 1)
        for _ in 0..<20_000 {
            var bytes = Self.blob(Self.policies.randomElement(using: &random)!).serialised
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = random.byte()
            }
            bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            if let blob = try? TPMSealedBlob(parsing: bytes) { #expect(blob.serialised == bytes) }
        }
    }

    @Test("a blob for what no counter can hold is refused", arguments: [0, 1 << 63, .max] as [UInt64])
    func impossibleValue(value: UInt64) {
        let bytes = Self.blob(.counter(index: 0x0180_4d02, value: value)).serialised
        #expect(throws: HardwareKeyError.self) { try TPMSealedBlob(parsing: bytes) }
    }

    @Test("fields that no template has are refused")
    func impossibleFields() {
        let two = Self.blob(Self.policies[1]).serialised
        func changed(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
            var copy = two
            copy.replaceSubrange(offset..<offset + bytes.count, with: bytes)
            return copy
        }
        for wrong in [
            changed(0, [2]), changed(1, [0]), changed(1, [4]), changed(3, [1]), changed(1, [1]), changed(1, [3]),
            changed(4, [1, 0, 0, 1]), changed(19, [1]), changed(23, [5]), changed(25, [3]), changed(27, [33]),
        ] {
            #expect(throws: HardwareKeyError.self) { try TPMSealedBlob(parsing: wrong) }
        }
    }
}
