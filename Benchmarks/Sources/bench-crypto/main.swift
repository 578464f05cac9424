import Foundation
import SecretMemory
@_spi(Benchmarks) import Sr25519

/// Microseconds of processor time per operation: the best of several rounds.
///
/// - Parameter size: how many of what is counted one call of the operation does.
func best(
    _ name: String, count: Int = 200, rounds: Int = 15, size: Int = 1, _ operation: () throws -> Void
) rethrows {
    var least = Double.infinity
    for _ in 0..<rounds {
        let start = clock()
        for _ in 0..<count { try operation() }
        least = min(least, Double(clock() - start) / Double(CLOCKS_PER_SEC) / Double(count * size))
    }
    print("{\"op\": \"\(name)\", \"us\": \(least * 1e6)}")
}

let seed = try SecretBytes.random(count: 32)
let pair = try Sr25519KeyPair(miniSecret: seed)
let message = try SecretBytes.random(count: 120).withUnsafeBytes { Array($0) }
let signature = try pair.sign(message)
let chainCode = [UInt8](repeating: 0, count: 32)
let publicBytes = pair.publicKey.bytes
let prepared = Sr25519PreparedPublicKey(pair.publicKey)
let batchSize = 64

/// Good signatures of the message.
func batch(of pairs: [Sr25519KeyPair]) throws -> [Sr25519SignedMessage] {
    try pairs.map {
        Sr25519SignedMessage(signature: try $0.sign(message), message: message, publicKey: $0.publicKey.bytes)
    }
}

let manyKeys = try batch(
    of: (0..<batchSize).map { _ in try Sr25519KeyPair(miniSecret: SecretBytes.random(count: 32)) })
let oneKey = try batch(of: Array(repeating: pair, count: batchSize))

func verify(_ batch: [Sr25519SignedMessage]) {
    precondition(Sr25519.verifyBatch(batch).isValid, "a batch of good signatures is valid")
}

try best("from_seed") { _ = try Sr25519KeyPair(miniSecret: seed) }
try best("sign_120B") { _ = try pair.signUnchecked(message) }
try best("verify_120B") { try Sr25519.verify(signature: signature, message: message, publicKey: publicBytes) }
try best("verify_120B_prepared_key") {
    try Sr25519.verify(signature: signature, message: message, publicKey: prepared)
}
best("verify_120B_in_batch_of_64", count: 4, size: batchSize) { verify(manyKeys) }
best("verify_120B_in_batch_of_64_one_key", count: 4, size: batchSize) { verify(oneKey) }
try best("hard_derive") { _ = try pair.deriveHard(chainCode: chainCode) }
try best("soft_derive") { _ = try pair.deriveSoft(chainCode: chainCode) }
try best("soft_public") { _ = try Sr25519PublicKey(publicBytes).deriveSoft(chainCode: chainCode) }
try best("sign_120B_and_check") { _ = try pair.sign(message) }
best("prepare_key") { _ = Sr25519PreparedPublicKey(pair.publicKey) }
