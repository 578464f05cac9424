import KnownAnswers
import SecretMemory
import Substrate
import TextForms

/// `{NAME: {source, vectors: […]}}`: what others published.
enum PublishedAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { checks.keys.contains { content[$0].has("vectors") } }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        for (name, list) in checks.sorted(by: { $0.key < $1.key }) where content.has(name) {
            report.check(content[name]["vectors"], by: list)
        }
        // What all rows of a list have in common, which their checks know.
        for (list, field, known) in [
            ("substrate_bip39", "password", "Substrate"), ("bip39_standard", "passphrase", "TREZOR"),
        ] where content.has(list) {
            report.expect(file.name("\(list) \(field)"), content[list][field].string, equals: known)
        }
        if content["vault_ethereum"].has("mythos") {
            report.check(content["vault_ethereum"]["mythos"]) { row in
                let pair = try keyPair(row.text("suri"), .ethereum)
                row.expect("public", pair.publicKey, equals: try row.bytes("public"))
                let address = pair.multiSigner.ethereumAddress.map { "0x" + Hex.encode($0) }
                row.expect("address", address, equals: try row.text("address"))
            }
        }
    }

    private static let checks: [String: RowCheck] = [
        "substrate_bip39": RowCheck { row in
            let mnemonic = try Mnemonic(phrase: CryptoTopic.secret(row.text("phrase")))
            row.expect("entropy", mnemonic.entropy.revealed, equals: try row.bytes("entropy"))
            let seed = try mnemonic.seed(password: CryptoTopic.secret("Substrate"))
            row.expect("seed", seed.revealed, equals: try row.bytes("seed64"))
        },
        "ss58": RowCheck { row in
            let address = try row.text("address")
            let (prefix, payload) = try SS58.decode(address)
            row.expect("public", payload, equals: try row.bytes("public"))
            if let expected = row["prefix"].int { row.expect("prefix", Int(prefix), equals: expected) }
            row.expect("encoded", try SS58.encode(payload, prefix: prefix), equals: address)
        },
        "bip39_standard": RowCheck { row in
            let mnemonic = try Mnemonic(phrase: CryptoTopic.secret(row.text("phrase")))
            row.expect("entropy", mnemonic.entropy.revealed, equals: try row.bytes("entropy"))
            let seed = try mnemonic.standardSeed(passphrase: CryptoTopic.secret("TREZOR"))
            row.expect("seed", seed.revealed, equals: try row.bytes("seed"))
            let root = try BIP32Key(seed: seed)
            // Version, depth, fingerprint and number: 13 bytes; chain code, 0, secret; a check sum of 4.
            let exported = Base58.decode(try row.text("bip32_root_xprv")) ?? []
            row.expect(
                "root", root.chainCode.revealed + [0] + root.secret.revealed,
                equals: Array(exported.dropFirst(13).dropLast(4)))
        },
        "suri": RowCheck { row in
            let uri = try row.text("uri")
            guard !uri.contains("/m/") else { return try CryptoTopic.checkEthereumURI(uri, &row) }
            guard let scheme = SignatureScheme(name: try row.text("scheme")) else { throw RowError.missing("scheme") }
            let pair = try keyPair(uri, scheme)
            row.expect("public", pair.publicKey, equals: try row.bytes("public"))
            if let address = row["address"].string, scheme != .ethereum {
                row.expect("address", try pair.multiSigner.ss58(prefix: SS58.decode(address).prefix), equals: address)
            }
        },
        // The key is taken from the address only where there is none beside it.
        "signatures": RowCheck(besides: ["address"]) { row in
            guard let scheme = SignatureScheme(name: try row.text("crypto")) else { throw RowError.missing("crypto") }
            let message = Array(try row.text("message").utf8)
            let key =
                try row["public"].hex ?? row["recovered_public"].hex.map(CryptoTopic.compressed)
                ?? SS58.decode(row.text("address")).payload
            let signature = try row.bytes("signature")
            let valid = SignatureVerifier.isValid(
                signature: signature, message: message, publicKey: key, scheme: scheme)
            // A secp256k1 signature with s in the upper half has a twin; upstream takes both, we take the lower one
            // only.
            let isHighS = scheme.signatureByteCount == 65 && signature.count > 32 && signature[32] & 0x80 != 0
            row.expect("valid", valid, equals: !isHighS)
        },
        "vault_ethereum": RowCheck { row in
            guard !row["secret"].isNull else { return row.skip("an address without its secret") }
            let pair = try KeyPair(scheme: .ethereum, miniSecret: row.secret("secret"))
            let address = try row.text("address")
            row.expect(
                "address", pair.multiSigner.ethereumAddress.map { "0x" + Hex.encode($0) }, equals: address.lowercased())
        },
        "sp_core": RowCheck { row in
            // The subject is named in words: a scheme, and a development path or a published seed.
            let words = try row.text("what").split(separator: " ")
            guard let scheme = words.first.flatMap({ SignatureScheme(name: String($0)) }) else {
                throw RowError.missing("what")
            }
            var pair: KeyPair
            if let path = words.first(where: { $0.hasPrefix("DEV/") }) {
                pair = try keyPair(CryptoTopic.developmentPhrase + path.dropFirst(3), scheme)
            } else if words.contains("9d61..7f60") {
                // The first key of RFC 8032, section 7.1.
                pair = try keyPair("0x9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", scheme)
            } else {
                guard words.contains("'12345678901234567890123456789012'") else { throw RowError.missing("what") }
                let digits = Array("12345678901234567890123456789012".utf8)
                pair = try KeyPair(scheme: scheme, miniSecret: SecretBytes(copying: digits))
            }
            // The number 0 as a junction is 32 zero bytes.
            if words.contains("junction") { pair = try pair.derive(DerivationPath(parsing: "//0")) }
            if let key = row["public"].hex { row.expect("public", pair.publicKey, equals: key) }
            if let seed = row["seed"].hex { row.expect("seed", pair.secretSeed?.revealed, equals: seed) }
        },
        // Addresses of other tools, some of them wrong: that is what the threads are about.
        "from_issue_threads": RowCheck(
            besides: ["account_id", "address", "address_prefix_0", "polkadot_js_address"]
        ) { row in
            let uri = try row.text("suri")
            if let name = row["scheme"].string {
                guard let scheme = SignatureScheme(name: name) else { throw RowError.missing("scheme") }
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

    private static func keyPair(_ text: String, _ scheme: SignatureScheme) throws -> KeyPair {
        let uri = try SecretURI(parsing: CryptoTopic.secret(text))
        let root = try uri.miniSecret(defaultPhrase: CryptoTopic.secret(CryptoTopic.developmentPhrase))
        return try KeyPair(scheme: scheme, miniSecret: root).derive(uri.path)
    }
}
