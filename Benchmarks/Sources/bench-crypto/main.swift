import Foundation
import Measuring
import SecretMemory
@_spi(Benchmarks) import Sr25519

/// Reports an operation: the best of several rounds.
///
/// - Parameter size: how many of what is counted one call of the operation does.
func measure(
    _ name: String, count: Int = 200, rounds: Int = 15, size: Int = 1, _ operation: () throws -> Void
) rethrows {
    var cost = try best(rounds: rounds, repeats: count, operation)
    cost.microseconds /= Double(size)
    report(name, cost)
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

try measure("from_seed") { _ = try Sr25519KeyPair(miniSecret: seed) }
try measure("sign_120B") { _ = try pair.signUnchecked(message) }
try measure("verify_120B") { try Sr25519.verify(signature: signature, message: message, publicKey: publicBytes) }
try measure("verify_120B_prepared_key") {
    try Sr25519.verify(signature: signature, message: message, publicKey: prepared)
}
measure("verify_120B_in_batch_of_64", count: 4, size: batchSize) { verify(manyKeys) }
measure("verify_120B_in_batch_of_64_one_key", count: 4, size: batchSize) { verify(oneKey) }
try measure("hard_derive") { _ = try pair.deriveHard(chainCode: chainCode) }
try measure("soft_derive") { _ = try pair.deriveSoft(chainCode: chainCode) }
try measure("soft_public") { _ = try Sr25519PublicKey(publicBytes).deriveSoft(chainCode: chainCode) }
try measure("sign_120B_and_check") { _ = try pair.sign(message) }
measure("prepare_key") { _ = Sr25519PreparedPublicKey(pair.publicKey) }
