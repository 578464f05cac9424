import Navigator
import Signer
import SignerCore

/// The keys that other wallets make of the same words.
extension Pages {
    func keyPreview(_ data: KeyPreviewData) -> Content {
        let look = Message.core([
            CoreCall(
                .goForward, .object(["paths": "paths", "network": "network", "accounts": "accounts"]),
                secret: "wallet-password")
        ])
        var body: [Block] = [
            .text(
                "Wallets make different keys of the words of \(data.seed). Compare them with an address that you know. Nothing is stored, and nothing is logged."
            )
        ]
        if data.isPasswordAmbiguous {
            body.append(
                .card(
                    .notice, title: "The password",
                    text:
                        "It has characters beyond ASCII. Keys at junctions take it as it was typed, so the same letters from another keyboard may give other addresses."
                ))
        } else if data.hasPassword {
            body.append(.text("With the password that was typed."))
        }
        body += Self.schemes.compactMap { scheme, wallets in
            let rows = data.rows.enumerated().filter { $1.scheme == scheme }.map { Self.row($1, number: $0 + 1) }
            return rows.isEmpty ? nil : .group(title: Text(own: scheme) + ": " + wallets, rows)
        }
        body.append(
            .fold(
                title: "Look at others",
                [
                    .field(
                        Field(
                            "paths", label: "Paths", kind: .text(data.paths),
                            hint:
                                "Junctions like //polkadot//0, or one of BIP-32 like m/44'/60'/0'/0/7; blanks between.",
                            enter: look)),
                    .field(
                        Field(
                            "network", label: "Network of the addresses", kind: .text(data.network),
                            hint: "Its name, title or genesis hash, or a prefix of SS58; empty for the usual one.",
                            enter: look)),
                    .field(
                        Field(
                            "accounts", label: "How many accounts",
                            kind: .number(data.accounts, in: 1...KeyPreviewData.accountLimit),
                            hint: "Of wallets that number them.", enter: look)),
                    .field(
                        Field(
                            "wallet-password", label: "Password", kind: .secret(.password),
                            hint:
                                "What stands behind /// for junctions, and the passphrase of BIP-39 for the others. Empty for none.",
                            enter: look)),
                    .buttons([Control("look", label: "Show these", icon: .forward, style: .suggested, does: look)]),
                ]))
        return Content(title: "Keys in other wallets", body: body)
    }

    /// Which wallets make keys by which scheme.
    private static let schemes: [(String, Text)] = [
        ("sr25519", "Polkadot Vault, polkadot-js, most Polkadot wallets"),
        ("ed25519", "the same wallets, where that kind was chosen"),
        ("ecdsa", "the same wallets, where that kind was chosen"),
        ("ecdsa-vault", "as Polkadot Vault writes it; not the account on the chain"),
        ("ethereum", "Polkadot Vault on chains with Ethereum addresses"),
        ("ethereum-bip44", "MetaMask, Talisman and polkadot-js on such chains"),
        ("ledger-polkadot", "a Ledger's words, app of Polkadot"),
        ("ledger-kusama", "a Ledger's words, app of Kusama"),
    ]

    private static func row(_ key: PreviewRow, number: Int) -> Row {
        Row(
            id: "preview-\(number)", title: Text(path: key.path),
            value: key.address.map { Text(address: $0) } ?? Text(own: key.error ?? ""),
            marks: key.address == nil
                ? [Row.Mark(severity: .notice, icon: Severity.notice.icon, text: "no key")] : [])
    }
}
