import KnownAnswers
import SecretMemory
import Sr25519
import Substrate
import TextForms

extension CryptoTopic {
    static let classic: [String: RowCheck] = [
        "ed25519": RowCheck { row in
            let pair = try KeyPair(scheme: .ed25519, miniSecret: row.secret("seed"))
            row.expect("public", pair.publicKey, equals: try row.bytes("public"))
            row.expect("signature", try pair.sign(row.bytes("message")), equals: try row.bytes("signature"))
        },
        "secp256k1": RowCheck { row in
            let message = try row.bytes("message")
            row.expect("blake2_256", Blake2b.hash256(message).bytes, equals: try row.bytes("blake2_256"))
            row.expect("keccak_256", Keccak.hash256(message), equals: try row.bytes("keccak_256"))
            row.expect("key", compressed(try row.bytes("public_uncompressed")), equals: try row.bytes("public"))
            for scheme in [SignatureScheme.ecdsa, .ethereum] {
                let pair = try KeyPair(scheme: scheme, miniSecret: row.secret("secret"))
                let signature = try row.bytes("signature_\(scheme.name)")
                row.expect("public", pair.publicKey, equals: try row.bytes("public"))
                row.expect(scheme.name, try pair.sign(message), equals: signature)
                row.expect(
                    "\(scheme.name) verifies",
                    SignatureVerifier.isValid(
                        signature: signature, message: message, publicKey: pair.publicKey, scheme: scheme), equals: true
                )
                row.expect("account", pair.multiSigner.accountID, equals: try row.bytes("account_id"))
                row.expect(
                    "address", pair.multiSigner.ethereumAddress.map(EthereumAddress.checksummed),
                    equals: try row.text("eth_address"))
            }
        },
        // All of them are refused, each for a reason that is not told apart here.
        "secp256k1_bad_signatures": RowCheck(besides: ["expect"]) { row in
            let valid = SignatureVerifier.isValid(
                signature: try row.bytes("signature"), message: try row.bytes("message"),
                publicKey: try row.bytes("public"),
                scheme: .ecdsa)
            row.expect("valid", valid, equals: false)
        },
        "secp256k1_secret_validity": RowCheck { row in
            let pair = try? KeyPair(scheme: .ecdsa, miniSecret: row.secret("secret"))
            row.expect("valid", pair != nil, equals: row["valid"].bool ?? false)
        },
    ]

    static let rules: [String: RowCheck] = [
        "extrinsic_payloads": RowCheck { row in
            let payload = try row.bytes("payload")
            if let length = row["length"].int { row.expect("length", payload.count, equals: length) }
            let message = SigningPayload.message(for: payload)
            row.expect("bytes to sign", message, equals: try row.bytes("bytes_to_sign"))
            let schnorrkel = row["sr25519"]
            let pair = try Sr25519KeyPair(
                secret: SecretBytes(copying: schnorrkel["secret"].hex ?? []), form: .canonical)
            let signature = try pair.signUnchecked(
                message, random: SecretBytes(copying: schnorrkel["rng32"].hex ?? []))
            try expectAnswer(signature, by: .sr25519, equals: schnorrkel["multisignature"], row: &row)
            row.expect("sr25519 signature", signature, equals: schnorrkel["signature"].hex)
            row.expect("sr25519 public", pair.publicKey.bytes, equals: schnorrkel["public"].hex)
            for (scheme, secret, answer) in [
                (SignatureScheme.ed25519, "seed", "multisignature"), (.ecdsa, "secret", "multisignature"),
                (.ethereum, "secret", "vault_qr_form"),
            ] {
                let expected = row[scheme.name]
                let pair = try KeyPair(scheme: scheme, miniSecret: SecretBytes(copying: expected[secret].hex ?? []))
                let signature = try pair.sign(message)
                try expectAnswer(signature, by: scheme, equals: expected[answer], row: &row)
                expectSteps(to: signature, of: message, by: pair, scheme, equals: expected, row: &row)
            }
        },
        "messages": RowCheck { row in
            let isWrapped = WrappedMessage.content(of: try row.bytes("message")) != nil
            row.expect("outcome", isWrapped ? "signable" : "invalidMessagePayload", equals: try row.text("expect"))
        },
    ]

    /// What an answer is made of: key, digest, signature.
    private static func expectSteps(
        to signature: [UInt8], of message: [UInt8], by pair: KeyPair, _ scheme: SignatureScheme, equals expected: JSON,
        row: inout Row
    ) {
        if scheme == .ethereum {
            let address = pair.multiSigner.ethereumAddress.map(EthereumAddress.checksummed)
            row.expect("address", address?.lowercased(), equals: expected["address"].string?.lowercased())
            row.expect("ethereum digest", Keccak.hash256(message), equals: expected["digest_signed"].hex)
            row.expect("ethereum signature", signature, equals: expected["signature65"].hex)
        } else {
            row.expect("\(scheme.name) public", pair.publicKey, equals: expected["public"].hex)
        }
        if scheme == .ecdsa {
            row.expect("ecdsa digest", Blake2b.hash256(message).bytes, equals: expected["digest_signed"].hex)
        }
    }

    private static func expectAnswer(
        _ signature: [UInt8]?, by scheme: SignatureScheme, equals expected: JSON, row: inout Row
    ) throws {
        let answer = signature.flatMap { MultiSignature(scheme: scheme, signature: $0)?.scaleEncoded }
        row.expect(scheme.name, answer, equals: expected.hex)
    }

    /// A secp256k1 key in 33 bytes, also from both coordinates.
    static func compressed(_ key: [UInt8]) -> [UInt8] {
        key.count == 65 ? [2 | key[64] & 1] + key[1...32] : key
    }
}
