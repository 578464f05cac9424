import Console
import Signer
import Substrate
import TextForms

/// Derived keys that are asked for or offered. Paths come from outside.
enum DerivationsText {
    /// What a hot wallet would learn.
    static func paragraphs(_ preview: DynamicDerivationsPreview) -> [Paragraph] {
        let seed = ForeignName.shown(preview.seedName, as: .title)
        return [.heading("A wallet asks for addresses of the seed \(seed)"), .blank]
            + preview.keys.flatMap { item in
                let network =
                    item.network.map { ForeignName.shown($0.title, as: .title) }
                    ?? "network \(item.genesisHash.hex) (not in this vault)"
                let address =
                    item.network.map { item.key.address(in: $0).text }
                    ?? "0x" + Hex.encode(item.key.signer.publicKey)
                let state = item.alreadyExists ? "known" : item.network == nil ? "not stored" : "new"
                return lines(
                    "\(path(item.key.details.path))  \(network)  \(item.key.details.scheme.name)", state: state,
                    address: address)
            }
    }

    /// What a list of paths would add below a seed.
    static func paragraphs(_ preview: PathImportPreview) -> [Paragraph] {
        [.heading("Keys in \(ForeignName.shown(preview.network.title, as: .title)), below a seed that you name")]
            + preview.paths.map { Paragraph(indent: 2, [.words(path($0))]) }
    }

    /// What an import would add.
    static func paragraphs(_ groups: [DerivationsPreview]) -> [Paragraph] {
        guard !groups.isEmpty else { return [Paragraph(indent: 2, [.words("None of the seeds is in this vault.")])] }
        return groups.flatMap { group in
            [Paragraph(indent: 2, [.words("\(ForeignName.shown(group.name, as: .title)):")])]
                + group.keys.flatMap { key in
                    let network =
                        key.networkTitle.map { ForeignName.shown($0, as: .title) }
                        ?? "network \(key.genesisHash.hex)"
                    return lines("\(path(key.path ?? ""))  \(network)", state: status(key), address: key.address.text)
                }
        }
    }

    private static func lines(_ name: String, state: String, address: String) -> [Paragraph] {
        [
            Paragraph(indent: 4, [.words("\(name)  \(state)")]),
            Paragraph(indent: 6, [.whole(address)]),
        ]
    }

    /// A path without the password that may stand behind it.
    private static func path(_ path: String) -> String {
        guard let secret = path.firstRange(of: "///") else {
            return path.isEmpty ? "(root)" : ForeignName.shown(path, as: .title)
        }
        return ForeignName.shown(String(path[..<secret.lowerBound]), as: .title) + " ///…"
    }

    private static func status(_ key: DerivationsPreview.Key) -> String {
        switch key.status {
        case .alreadyExists: "known"
        case .importable: key.hasPassword == true ? "with password" : "new"
        case .invalid(let faults): faults.map(\.rawValue).joined(separator: ", ")
        }
    }
}
