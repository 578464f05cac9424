import KnownAnswers
import SecretMemory
import Sr25519
import Substrate
import TextForms

extension CryptoTopic {
    static let developmentPhrase = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"

    static let mnemonics: [String: RowCheck] = [
        "valid": RowCheck { row in
            let mnemonic = try Mnemonic(phrase: secret(row.text("phrase")))
            row.expect("entropy", mnemonic.entropy.revealed, equals: try row.bytes("entropy"))
            row.expect(
                "phrase", String(decoding: try mnemonic.phrase().revealed, as: UTF8.self),
                equals: try row.text("phrase"))
            for seed in row["substrate"].array {
                let found = try mnemonic.seed(password: secret(seed["password"].string ?? ""))
                row.expect("seed", found.revealed, equals: seed["seed64"].hex ?? [])
                row.expect("mini-secret", Array(found.revealed.prefix(32)), equals: seed["mini_secret"].hex ?? [])
            }
            let standard = try mnemonic.standardSeed(passphrase: nil)
            row.expect("standard seed", standard.revealed, equals: try row.bytes("bip39_standard_seed"))
        },
        // What another implementation says.
        "malformed": RowCheck(besides: ["rust_peer_validates"]) { row in
            let phrase = try row.text("phrase")
            let outcome: String
            do throws(MnemonicError) {
                let mnemonic = try Mnemonic(phrase: secret(phrase))
                outcome = "ok:" + Hex.encode(mnemonic.entropy.revealed)
            } catch {
                outcome = name(of: error)
            }
            row.expect("outcome", outcome, equals: try row.text("expect"))
        },
        "cases": RowCheck(check: checkURI),
    ]

    static func secret(_ text: String) -> SecretBytes {
        // Known answers fit the locked memory of any machine that runs them; without it nothing can be checked.
        guard let secret = try? SecretBytes(copying: Array(text.utf8)) else { preconditionFailure("no locked memory") }
        return secret
    }

    private static func name(of error: MnemonicError) -> String {
        switch error {
        case .badWordCount: "badWordCount"
        case .unknownWord: "unknownWord"
        case .badChecksum: "badChecksum"
        case .passphraseNotText: "passphraseNotText"
        case .memory: "memory"
        }
    }

    private static func name(of error: SURIError) -> String {
        switch error {
        case .invalidCharacterInPhrase: "invalidCharacterInPhrase"
        case .pathWithoutSlash: "pathWithoutSlash"
        case .invalidCharacterInHardPath: "invalidCharacterInHardPath"
        case .invalidCharacterInSoftPath: "invalidCharacterInSoftPath"
        case .invalidCharacterInPassword: "invalidCharacterInPassword"
        case .invalidPhrase: "invalidPhrase"
        case .invalidSeed: "invalidSeed"
        case .passwordInPath: "passwordInPath"
        case .pathTooLong: "pathTooLong"
        case .invalidBIP32Path: "invalidBIP32Path"
        case .memory: "memory"
        }
    }

    private static func checkURI(_ row: inout Row) throws {
        let text = secret(try row.text("suri"))
        let uri: SecretURI
        do {
            uri = try SecretURI(parsing: text)
        } catch {
            row.expect("parse error", name(of: error), equals: row["parse_error"].string ?? "none")
            return
        }
        guard row["parse_error"].isNull else {
            row.expect("parse error", "none", equals: row["parse_error"].string ?? "")
            return
        }
        func revealed(_ bytes: SecretBytes?) -> String? { bytes.map { String(decoding: $0.revealed, as: UTF8.self) } }
        row.expect("phrase", revealed(uri.phrase), equals: row["parse"]["phrase"].string)
        row.expect("password", revealed(uri.password), equals: row["parse"]["password"].string)
        row.expect(
            "path", uri.path.junctions.map(\.description), equals: row["parse"]["path"].strings)
        let root: SecretBytes
        do {
            root = try uri.miniSecret(
                defaultPhrase: secret(developmentPhrase), passwordOverride: row["password_override"].string.map(secret))
        } catch {
            row.expect("result", name(of: error), equals: row["result"].string ?? "derived keys")
            return
        }
        let result = row["result"]
        row.expect("mini-secret", root.revealed, equals: result["mini_secret"].hex ?? [])
        let junctions = result["junctions"].array
        row.expect("junctions", uri.path.junctions.count, equals: junctions.count)
        for (junction, expected) in zip(uri.path.junctions, junctions) {
            row.expect("kind of \(junction)", "\(junction.kind)", equals: expected["kind"].string)
            row.expect("code of \(junction)", junction.code, equals: expected["code"].string)
            row.expect("junction \(junction)", junction.chainCode, equals: expected["id"].hex ?? [])
        }
        try checkKeys(of: root, at: uri.path, against: result, row: &row)
    }

    /// The scalar of a key of schnorrkel, which a soft step does not leave to chance.
    private static func scalar(of root: SecretBytes, at path: DerivationPath) throws -> [UInt8] {
        let pair = try path.junctions.reduce(Sr25519KeyPair(miniSecret: root)) { pair, junction in
            switch junction.kind {
            case .hard: try pair.deriveHard(chainCode: junction.chainCode)
            case .soft: try pair.deriveSoft(chainCode: junction.chainCode)
            }
        }
        return try Array(pair.secretBytes(form: .canonical).revealed.prefix(32))
    }

    private static func checkKeys(of root: SecretBytes, at path: DerivationPath, against result: JSON, row: inout Row)
        throws
    {
        for (field, scheme) in [
            ("sr25519", SignatureScheme.sr25519), ("ed25519", .ed25519), ("ecdsa", .ecdsa),
            ("ethereum_vault", .ethereum),
        ] {
            let expected = result[field]
            guard !expected.isNull else { continue }
            let pair: KeyPair
            do {
                pair = try KeyPair(scheme: scheme, miniSecret: root).derive(path)
            } catch {
                let reason = error == .softKeyInPath ? "softKeyInPath" : "invalidSecretKey"
                row.expect(field, reason, equals: expected.string ?? "a key")
                continue
            }
            if let scalar = expected["secret_scalar"].hex {
                row.expect("\(field) scalar", try self.scalar(of: root, at: path), equals: scalar)
            }
            row.expect("\(field) public", pair.publicKey, equals: expected["public"].hex ?? [])
            if let seed = (expected["seed"].isNull ? expected["secret"] : expected["seed"]).hex {
                row.expect("\(field) seed", pair.secretSeed?.revealed, equals: seed)
            }
            if let account = expected["account_id"].hex {
                row.expect("\(field) account", pair.multiSigner.accountID, equals: account)
            }
            for (key, prefix) in [("ss58_42", 42 as UInt16), ("ss58_0", 0)] {
                guard let address = expected[key].string else { continue }
                row.expect("\(field) \(key)", try pair.multiSigner.ss58(prefix: prefix), equals: address)
            }
            if let address = expected["ss58_of_public_42"].string {
                row.expect("\(field) of public", try SS58.encode(pair.publicKey, prefix: 42), equals: address)
            }
            if let address = expected["address"].string {
                row.expect("\(field) lower case", address.lowercased(), equals: expected["address_lower"].string)
                row.expect(
                    "\(field) address", pair.multiSigner.ethereumAddress.map(EthereumAddress.checksummed),
                    equals: address)
            }
        }
    }
}
