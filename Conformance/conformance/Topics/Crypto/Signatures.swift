import KnownAnswers
import SecretMemory
import Sr25519
import Substrate
import TextForms

extension CryptoTopic {
    static let classic: [Section] = [
        Section("ed25519", having: "seed") { row in
            let pair = try KeyPair(scheme: .ed25519, miniSecret: row.secret("seed"))
            row.expect("public", pair.publicKey, equals: try row.bytes("public"))
            row.expect("signature", try pair.sign(row.bytes("message")), equals: try row.bytes("signature"))
        },
        // The hashes and the long form of the key are steps on the way.
        Section("secp256k1", having: "secret", besides: ["blake2_256", "keccak_256", "public_uncompressed"]) { row in
            let message = try row.bytes("message")
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
        Section("secp256k1_bad_signatures", having: "signature", besides: ["expect"]) { row in
            let valid = SignatureVerifier.isValid(
                signature: try row.bytes("signature"), message: try row.bytes("message"),
                publicKey: try row.bytes("public"),
                scheme: .ecdsa)
            row.expect("valid", valid, equals: false)
        },
        Section("secp256k1_secret_validity", having: "secret") { row in
            let pair = try? KeyPair(scheme: .ecdsa, miniSecret: row.secret("secret"))
            row.expect("valid", pair != nil, equals: row["valid"].bool ?? false)
        },
    ]

    static let rules: [Section] = [
        Section("extrinsic_payloads", having: "payload") { row in
            let payload = try row.bytes("payload")
            if let length = row["length"].int { row.expect("length", payload.count, equals: length) }
            let message = SigningPayload.message(for: payload)
            row.expect("bytes to sign", message, equals: try row.bytes("bytes_to_sign"))
            let schnorrkel = row["sr25519"]
            let pair = try Sr25519KeyPair(
                secret: SecretBytes(publicly: schnorrkel["secret"].hex ?? []), form: .canonical)
            let signature = try pair.signUnchecked(
                message, random: SecretBytes(publicly: schnorrkel["rng32"].hex ?? []))
            try expectAnswer(signature, by: .sr25519, equals: schnorrkel["multisignature"], row: &row)
            for (scheme, secret, answer) in [
                (SignatureScheme.ed25519, "seed", "multisignature"), (.ecdsa, "secret", "multisignature"),
                (.ethereum, "secret", "vault_qr_form"),
            ] {
                let expected = row[scheme.name]
                let pair = try KeyPair(scheme: scheme, miniSecret: SecretBytes(publicly: expected[secret].hex ?? []))
                try expectAnswer(try pair.sign(message), by: scheme, equals: expected[answer], row: &row)
            }
        },
        Section("messages", having: "message") { row in
            let isWrapped = WrappedMessage.content(of: try row.bytes("message")) != nil
            row.expect("outcome", isWrapped ? "signable" : "invalidMessagePayload", equals: try row.text("expect"))
        },
    ]

    private static func expectAnswer(
        _ signature: [UInt8]?, by scheme: SignatureScheme, equals expected: JSON, row: inout Row
    ) throws {
        let answer = signature.flatMap { MultiSignature(scheme: scheme, signature: $0)?.scaleEncoded }
        row.expect(scheme.name, answer, equals: expected.hex)
    }

    static let published: [Section] = [
        Section("suri", having: "uri") { row in
            let uri = try row.text("uri")
            guard !uri.contains("/m/") else { return try checkEthereumURI(uri, &row) }
            guard let scheme = SignatureScheme(name: try row.text("scheme")) else { throw RowError.missing("scheme") }
            let pair = try keyPair(uri, scheme)
            row.expect("public", pair.publicKey, equals: try row.bytes("public"))
            if let address = row["address"].string, scheme != .ethereum {
                row.expect("address", try pair.multiSigner.ss58(prefix: SS58.decode(address).prefix), equals: address)
            }
        },
        // The key is taken from the address only where there is none beside it.
        Section("signatures", having: "crypto", besides: ["address"]) { row in
            guard let scheme = SignatureScheme(name: try row.text("crypto")) else { throw RowError.missing("crypto") }
            let message = Array(try row.text("message").utf8)
            let key = try row["public"].hex ?? row["recovered_public"].hex.map(compressed) ?? row.addressPayload()
            let signature = try row.bytes("signature")
            let valid = SignatureVerifier.isValid(
                signature: signature, message: message, publicKey: key, scheme: scheme)
            // A secp256k1 signature with s in the upper half has a twin; upstream takes both, we take the lower one
            // only.
            let isHighS = scheme.signatureByteCount == 65 && signature[32] & 0x80 != 0
            row.expect("valid", valid, equals: !isHighS)
        },
        Section("vault_ethereum", having: "address") { row in
            guard !row["secret"].isNull else { return row.skip("an address without its secret") }
            let pair = try KeyPair(scheme: .ethereum, miniSecret: row.secret("secret"))
            let address = try row.text("address")
            row.expect(
                "address", pair.multiSigner.ethereumAddress.map { "0x" + Hex.encode($0) }, equals: address.lowercased())
        },
        Section("sp_core", having: "what") { row in
            // The subject is named in words: a scheme, and a development path or a published seed.
            let words = try row.text("what").split(separator: " ")
            guard let scheme = words.first.flatMap({ SignatureScheme(name: String($0)) }) else {
                throw RowError.missing("what")
            }
            var pair: KeyPair
            if let path = words.first(where: { $0.hasPrefix("DEV/") }) {
                pair = try keyPair(developmentPhrase + path.dropFirst(3), scheme)
            } else if words.contains("9d61..7f60") {
                // The first key of RFC 8032, section 7.1.
                pair = try keyPair("0x9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", scheme)
            } else {
                let digits = Array("12345678901234567890123456789012".utf8)
                pair = try KeyPair(scheme: scheme, miniSecret: SecretBytes(publicly: digits))
            }
            // The number 0 as a junction is 32 zero bytes.
            if words.contains("junction") { pair = try pair.derive(DerivationPath(parsing: "//0")) }
            if let key = row["public"].hex { row.expect("public", pair.publicKey, equals: key) }
            if let seed = row["seed"].hex { row.expect("seed", pair.secretSeed?.revealed, equals: seed) }
        },
        // Addresses of other tools, some of them wrong: that is what the threads are about.
        Section(
            "from_issue_threads", having: "suri",
            besides: ["account_id", "address", "address_prefix_0", "polkadot_js_address"]
        ) { row in
            let uri = try row.text("suri")
            if let scheme = row["scheme"].string.flatMap(SignatureScheme.init(name:)) {
                let pair = try keyPair(uri, scheme)
                if let seed = row["seed"].hex { row.expect("seed", pair.secretSeed?.revealed, equals: seed) }
                if let key = row["public"].hex { row.expect("public", pair.publicKey, equals: key) }
                if let address = row["sp_core_address"].string {
                    row.expect(
                        "address", try pair.multiSigner.ss58(prefix: SS58.decode(address).prefix), equals: address)
                }
            }
            for scheme in SignatureScheme.allCases {
                guard let seed = row["\(scheme.name)_seed"].hex else { continue }
                row.expect(scheme.name, try keyPair(uri, scheme).secretSeed?.revealed, equals: seed)
            }
        },
    ]

    /// A secp256k1 key in 33 bytes, also from both coordinates.
    private static func compressed(_ key: [UInt8]) -> [UInt8] {
        key.count == 65 ? [2 | key[64] & 1] + key[1...32] : key
    }

    private static func keyPair(_ text: String, _ scheme: SignatureScheme) throws -> KeyPair {
        let uri = try SecretURI(parsing: secret(text))
        let root = try uri.miniSecret(defaultPhrase: secret(developmentPhrase))
        return try KeyPair(scheme: scheme, miniSecret: root).derive(uri.path)
    }
}

extension Row {
    fileprivate func addressPayload() throws -> [UInt8] {
        try SS58.decode(text("address")).payload
    }
}
