import CSodium
import SecretMemory
import Testing

@testable import Sr25519

extension Sr25519SignedMessage {
    /// What single verification says.
    var refusal: Sr25519Error? {
        refusal { () throws(Sr25519Error) in
            try Sr25519.verify(signature: signature, message: message, publicKey: publicKey, context: context)
        }
    }

    /// What verification with a prepared key says.
    func refusal(prepared key: Sr25519PreparedPublicKey) -> Sr25519Error? {
        refusal { () throws(Sr25519Error) in
            try Sr25519.verify(signature: signature, message: message, publicKey: key, context: context)
        }
    }

    private func refusal(_ verification: () throws(Sr25519Error) -> Void) -> Sr25519Error? {
        do {
            try verification()
            return nil
        } catch {
            return error
        }
    }

    /// The same with another scalar in the signature.
    func with(scalar: PublicScalar) -> Sr25519SignedMessage {
        var bytes = withUnsafeBytes(of: scalar.words) { Array($0) }
        bytes[31] |= 0x80
        return Sr25519SignedMessage(
            signature: signature[..<32] + bytes, message: message, publicKey: publicKey, context: context)
    }
}

/// Good signatures, each of another key.
func goodBatch(count: Int) throws -> [Sr25519SignedMessage] {
    try (0..<count).map { index in
        let pair = try Sr25519KeyPair(miniSecret: SecretBytes.random(count: 32))
        let message = [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: index)
        return try Sr25519SignedMessage(
            signature: pair.sign(message), message: message, publicKey: pair.publicKey.bytes)
    }
}

@Suite("Batches and prepared keys")
struct BatchVerificationTests {
    @Test("batches of good signatures are valid", arguments: [0, 1, 2, 3, 4, 64, 200])
    func good(count: Int) throws {
        let batch = try goodBatch(count: count)
        for arithmetic in CurveArithmetic.available {
            let verdict = Sr25519.verifyBatch(batch, on: arithmetic)
            #expect(verdict.isValid)
            #expect(verdict.refusals.isEmpty)
        }
    }

    @Test("every bad signature is named, and only those", arguments: [2, 4, 17, 150])
    func bad(count: Int) throws {
        var batch = try goodBatch(count: count)
        var expected: [Int: Sr25519Error] = [:]
        for index in stride(from: 1, to: count, by: 3) {
            let entry = batch[index]
            batch[index] = Sr25519SignedMessage(
                signature: entry.signature, message: entry.message + [1], publicKey: entry.publicKey)
            expected[index] = .signatureMismatch
        }
        for arithmetic in CurveArithmetic.available {
            let verdict = Sr25519.verifyBatch(batch, on: arithmetic)
            #expect(!verdict.isValid)
            #expect(verdict.refusals == expected)
        }
    }

    @Test("what is malformed is named with its reason and does not spoil the rest")
    func malformed() throws {
        let good = try goodBatch(count: 6)
        func entry(_ index: Int, _ signature: [UInt8]? = nil, key: [UInt8]? = nil) -> Sr25519SignedMessage {
            Sr25519SignedMessage(
                signature: signature ?? good[index].signature, message: good[index].message,
                publicKey: key ?? good[index].publicKey)
        }
        let unmarked = good[2].signature[..<63] + [good[2].signature[63] & 0x7f]
        let undecodable = [UInt8](repeating: 0xff, count: 32)
        let verdict = Sr25519.verifyBatch([
            good[0], entry(1, [1, 2, 3]), entry(2, Array(unmarked)), entry(3, key: undecodable),
            entry(4, undecodable + good[4].signature[32...]), entry(5, key: [1]),
        ])
        #expect(
            verdict.refusals == [
                1: .invalidLength(expected: 64, found: 3), 2: .notMarkedSchnorrkel, 3: .invalidPublicKey,
                4: .signatureMismatch, 5: .invalidLength(expected: 32, found: 1),
            ])
    }

    @Test("two errors that cancel each other are both named")
    func cancelling() throws {
        var batch = try goodBatch(count: 4)
        let delta = PublicScalar(12345)
        let scalars = try batch.map { try ParsedSignature($0.signature).scalar }
        batch[1] = batch[1].with(scalar: scalars[1] + delta)
        batch[2] = batch[2].with(scalar: scalars[2] - delta)
        #expect(Sr25519.verifyBatch(batch).refusals == [1: .signatureMismatch, 2: .signatureMismatch])
    }

    @Test("one key may come many times, and contexts may differ")
    func oneKey() throws {
        let pair = try Sr25519KeyPair(miniSecret: SecretBytes.random(count: 32))
        let prepared = Sr25519PreparedPublicKey(pair.publicKey)
        let contexts: [[UInt8]?] = [nil, Array("substrate".utf8), Array("other".utf8), []]
        var batch = try (0..<40).map { index in
            let message = [UInt8(index)]
            let context = contexts[index % 4]
            return try Sr25519SignedMessage(
                signature: pair.sign(message, context: context), message: message, publicKey: pair.publicKey.bytes,
                context: context)
        }
        #expect(Sr25519.verifyBatch(batch).isValid)
        #expect(batch.allSatisfy { $0.refusal(prepared: prepared) == nil })
        batch[7] = Sr25519SignedMessage(
            signature: batch[7].signature, message: [7], publicKey: pair.publicKey.bytes, context: [1])
        #expect(Sr25519.verifyBatch(batch).refusals == [7: .signatureMismatch])
        #expect(batch[7].refusal(prepared: prepared) == .signatureMismatch)
    }

    @Test("the identity key has the verdicts of single verification")
    func identityKey() throws {
        let zeros = [UInt8](repeating: 0, count: 32)
        let scalar = PublicScalar(7)
        let commitment = RistrettoPoint.multiplyBase(withUnsafeBytes(of: scalar.words) { Array($0) }).encoded
        let accepted = Sr25519SignedMessage(signature: commitment + zeros, message: [1, 2], publicKey: zeros)
            .with(scalar: scalar)
        let refused = accepted.with(scalar: PublicScalar(8))
        #expect(accepted.refusal == nil)
        #expect(refused.refusal == .signatureMismatch)
        let good = try goodBatch(count: 3)
        #expect(Sr25519.verifyBatch(good + [accepted]).isValid)
        #expect(Sr25519.verifyBatch(good + [refused, accepted]).refusals == [3: .signatureMismatch])
        let prepared = try Sr25519PreparedPublicKey(Sr25519PublicKey(zeros))
        #expect(accepted.refusal(prepared: prepared) == nil)
        #expect(refused.refusal(prepared: prepared) == .signatureMismatch)
    }

    @Test(
        "no flipped bit of a signature verifies with a prepared key, and the reasons are those of single verification")
    func flippedBits() throws {
        let entry = try goodBatch(count: 1)[0]
        let prepared = try Sr25519PreparedPublicKey(Sr25519PublicKey(entry.publicKey))
        #expect(entry.refusal(prepared: prepared) == nil)
        for bit in 0..<512 {
            var signature = entry.signature
            signature[bit / 8] ^= 1 << (bit % 8)
            let mauled = Sr25519SignedMessage(
                signature: signature, message: entry.message, publicKey: entry.publicKey)
            #expect(mauled.refusal != nil)
            #expect(mauled.refusal(prepared: prepared) == mauled.refusal)
        }
    }
}
