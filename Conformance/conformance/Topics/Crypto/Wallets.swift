import KnownAnswers
import SecretMemory
import Substrate

/// Keys that wallets outside Substrate make of a phrase.
extension CryptoTopic {
    static let wallets: [String: RowCheck] = [
        "bip44_ethereum": RowCheck { row in
            let path = try BIP32Path(parsing: row.text("path"))
            row.expect("path", path.description, equals: try row.text("path"))
            let pair = try KeyPair.ethereumBIP44(seed: standardSeed(row), path: path)
            row.expect("secret", pair.secretSeed?.revealed, equals: try row.bytes("secret"))
            row.expect("public", pair.publicKey, equals: try row.bytes("public"))
            row.expect(
                "address", pair.multiSigner.ethereumAddress.map(EthereumAddress.checksummed),
                equals: try row.text("address"))
        },
        "bip32_ed25519_ledger": RowCheck { row in
            let path = try BIP32Path(parsing: row.text("path"))
            let seed = try standardSeed(row)
            row.expect("root", try LedgerKey(seed: seed).exported().revealed, equals: try row.bytes("master_xprv"))
            let pair = try KeyPair.ledger(seed: seed, path: path)
            row.expect("seed", pair.secretSeed?.revealed, equals: try row.bytes("ed25519_seed"))
            row.expect("public", pair.publicKey, equals: try row.bytes("public"))
            let address = try row.text("ss58")
            row.expect("address", try pair.multiSigner.ss58(prefix: SS58.decode(address).prefix), equals: address)
        },
    ]

    private static func standardSeed(_ row: Row) throws -> SecretBytes {
        try Mnemonic(phrase: secret(row.text("phrase"))).standardSeed(passphrase: secret(row.text("passphrase")))
    }

    /// A URI with a path of BIP-32 in place of junctions.
    static func checkEthereumURI(_ text: String, _ row: inout Row) throws {
        let uri = try SecretURI(parsing: secret(text))
        let pair = try KeyPair.ethereumBIP44(seed: uri.standardSeed(), path: uri.bip32Path())
        row.expect("public", pair.publicKey, equals: try row.bytes("public"))
        if let address = row["address"].string {
            row.expect("address", pair.multiSigner.ethereumAddress.map(EthereumAddress.checksummed), equals: address)
        }
    }
}
