import AppAttest
import Crypto
import Foundation
import Measuring

// bench-appattest mint FILE   makes an attestation and an assertion
// bench-appattest FILE        measures how long they take to verify

/// Reports an operation: the best of several rounds.
func measure(_ name: String, count: Int, rounds: Int = 15, _ operation: () throws -> Void) rethrows {
    let cost = try best(rounds: rounds, repeats: count, operation)
    report(name, cost, "\"per_cpu_second\": \(Int(1e6 / cost.microseconds))")
}

let arguments = CommandLine.arguments.dropFirst()
guard let path = arguments.last else {
    print("usage: bench-appattest [mint] FILE")
    exit(64)
}
if arguments.first == "mint" {
    try JSONEncoder().encode(Inputs.mint(at: Date())).write(to: URL(filePath: path))
    exit(0)
}

let inputs = try JSONDecoder().decode(Inputs.self, from: Data(contentsOf: URL(filePath: path)))
let now = inputs.mintedAt.addingTimeInterval(1)
let appID = AppID(inputs.appID)!
let keyID = KeyID(bytes: inputs.keyID)!
let hash = Array(SHA256.hash(data: inputs.challenge))
let anchors = try TrustAnchors(pem: inputs.anchors)
var policy = AppAttestPolicy(appIDs: [appID])
let withReceipt = try AttestationVerifier(policy: policy, anchors: anchors)
policy.verifyReceipt = false
let withoutReceipt = try AttestationVerifier(policy: policy, anchors: anchors)
let assertions = try AssertionVerifier(policy: policy)

func verify(_ verifier: AttestationVerifier) throws {
    _ = try verifier.verify(attestation: inputs.attestation, keyID: keyID, clientDataHash: hash, at: now)
}

try measure("attestation", count: 100) { try verify(withoutReceipt) }
try measure("attestation_and_receipt", count: 100) { try verify(withReceipt) }
try measure("attestation_first_of_a_verifier", count: 20) {
    try verify(try AttestationVerifier(policy: policy, anchors: anchors))
}
try measure("assertion", count: 500) {
    _ = try assertions.verify(
        assertion: inputs.assertion, clientDataHash: hash, publicKey: inputs.publicKey, storedSignCount: 0)
}

// What an assertion cannot do without: one signature of swift-crypto, its key and its numbers parsed before, and with
// them.
let key = P256.Signing.PrivateKey()
let signature = try key.signature(for: hash)
let (point, der) = (key.publicKey.x963Representation, signature.derRepresentation)
let publicKey = key.publicKey
measure("bare_p256", count: 500) { precondition(publicKey.isValidSignature(signature, for: hash)) }
try measure("bare_p256_parsed", count: 500) {
    let parsedKey = try P256.Signing.PublicKey(x963Representation: point)
    let parsedSignature = try P256.Signing.ECDSASignature(derRepresentation: der)
    precondition(parsedKey.isValidSignature(parsedSignature, for: hash))
}
