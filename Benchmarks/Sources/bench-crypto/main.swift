import Foundation
import SecretMemory
@_spi(Benchmarks) import Sr25519

/// Microseconds of processor time per operation: the best of several rounds.
func best(_ name: String, count: Int = 200, rounds: Int = 15, _ operation: () throws -> Void) rethrows {
    var least = Double.infinity
    for _ in 0..<rounds {
        let start = clock()
        for _ in 0..<count { try operation() }
        least = min(least, Double(clock() - start) / Double(CLOCKS_PER_SEC) / Double(count))
    }
    print("{\"op\": \"\(name)\", \"us\": \(least * 1e6)}")
}

let seed = try SecretBytes.random(count: 32)
let pair = try Sr25519KeyPair(miniSecret: seed)
let message = try SecretBytes.random(count: 120).withUnsafeBytes { Array($0) }
let signature = try pair.sign(message)
let chainCode = [UInt8](repeating: 0, count: 32)
let publicBytes = pair.publicKey.bytes

try best("from_seed") { _ = try Sr25519KeyPair(miniSecret: seed) }
try best("sign_120B") { _ = try pair.signUnchecked(message) }
try best("verify_120B") { try Sr25519.verify(signature: signature, message: message, publicKey: publicBytes) }
try best("hard_derive") { _ = try pair.deriveHard(chainCode: chainCode) }
try best("soft_derive") { _ = try pair.deriveSoft(chainCode: chainCode) }
try best("soft_public") { _ = try Sr25519PublicKey(publicBytes).deriveSoft(chainCode: chainCode) }
try best("sign_120B_and_check") { _ = try pair.sign(message) }
