import Identicons
import Signer
import Substrate

/// Derived keys that are asked for or offered, each with what becomes of it.
enum DerivationBlocks {
    /// What a hot wallet would learn.
    static func blocks(of preview: DynamicDerivationsPreview) -> [Block] {
        [
            .headline(
                Text(preview.keys.count, "address", plural: "addresses"), caption: "of the key set \(preview.seedName)"),
            .text(Text(own: DerivationsWording.heading(of: preview))),
            .group(title: "Addresses", rows(DerivedKeyWording.keys(of: preview), place: "key")),
        ]
    }

    /// What a list of paths would add below a seed.
    static func blocks(of preview: PathImportPreview) -> [Block] {
        [
            .headline(Text(preview.paths.count, "key", plural: "keys"), caption: "on \(preview.network.title)"),
            .text(Text(own: DerivationsWording.heading(of: preview))),
            .group(
                title: "Paths",
                preview.paths.enumerated().map { index, path in
                    Row(
                        id: "path-\(index + 1)", picture: .icon(.keys),
                        title: Text(own: DerivedKeyWording.path(path), .monospaced))
                }),
        ]
    }

    /// What an import of key sets would add.
    static func blocks(of answer: Answer) -> [Block] {
        let groups = answer.cards.derivations.flatMap { card -> [DerivationsPreview] in
            if case .derivations(let groups) = card.kind { groups } else { [] }
        }
        guard !groups.isEmpty else {
            return [.card(.notice, title: "Nothing to take in", text: Text(own: DerivationsWording.noSeed))]
        }
        let count = groups.reduce(0) { $0 + $1.keys.count }
        return [
            .headline(
                Text(count, "key", plural: "keys"), caption: "of " + Text(groups.count, "key set", plural: "key sets"))
        ]
            + groups.enumerated().map { index, group in
                .group(
                    title: "\(group.name)",
                    rows(DerivedKeyWording.keys(of: group), place: "set-\(index + 1)-key"))
            }
    }

    private static func rows(_ keys: [DerivedKeyWording], place: String) -> [Row] {
        keys.enumerated().map { index, key in
            let network = Text(own: key.network) + (key.scheme.map { ", \(own: $0)" as Text } ?? "")
            return Row(
                id: "\(place)-\(index + 1)", picture: .identicon(Identicon(key.address.identicon)),
                title: Text(own: key.path, .monospaced), value: Text(address: key.address.text), detail: network,
                marks: [
                    key.isRefused
                        ? Row.Mark(severity: .refusal, icon: .refused, text: "refused: \(own: key.state)")
                        : Row.Mark(severity: .notice, icon: .note, text: Text(own: key.state))
                ], emphasis: .title)
        }
    }
}
