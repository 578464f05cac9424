import Console
import Signer
import Substrate
import TextForms

/// Derived keys that are asked for or offered.
enum DerivationsText {
    /// What a hot wallet would learn.
    static func text(_ preview: DynamicDerivationsPreview, _ style: Style) -> String {
        let rows = preview.keys.map { item in
            let network = item.network?.title ?? "network \(item.genesisHash.hex) (not in this vault)"
            let address =
                item.network.map { item.key.address(in: $0).text } ?? "0x" + Hex.encode(item.key.signer.publicKey)
            let state = item.alreadyExists ? "known" : item.network == nil ? "not stored" : "new"
            return [item.key.details.path, network, item.key.details.scheme.name, state, address]
        }
        return style.bold("A wallet asks for addresses of the seed \(ScreenText.escape(preview.seedName))") + "\n\n"
            + Table.text(["PATH", "NETWORK", "SCHEME", "STATE", "ADDRESS"], rows)
    }

    /// What an import would add.
    static func lines(_ groups: [DerivationsPreview]) -> [String] {
        guard !groups.isEmpty else { return ["None of the seeds is in this vault."] }
        return groups.flatMap { group in
            ["\(ScreenText.escape(group.name)):"]
                + group.keys.map { key in
                    let network = ScreenText.escape(key.networkTitle ?? "network \(key.genesisHash.hex)")
                    return
                        "  \(ScreenText.escape(key.path ?? "(root)"))  \(network)  \(key.address.text)  \(status(key))"
                }
        }
    }

    private static func status(_ key: DerivationsPreview.Key) -> String {
        switch key.status {
        case .alreadyExists: "known"
        case .importable: key.hasPassword == true ? "with password, left out" : "new"
        case .invalid(let faults): faults.map(\.rawValue).joined(separator: ", ")
        }
    }
}
