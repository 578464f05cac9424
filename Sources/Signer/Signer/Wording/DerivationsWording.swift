import Substrate
import TextForms

/// A derived key that is asked for or offered, in words. Its path and names come from outside.
package struct DerivedKeyWording: Hashable, Sendable {
    /// The path without a password that may stand behind it.
    package var path: String
    package var network: String
    /// The scheme, where it is told.
    package var scheme: String?
    /// What becomes of it: `new`, `known`, or the reasons why it cannot be taken.
    package var state: String
    /// The whole address, or the public key where its network is not here.
    package var address: AccountAddress
    /// Whether it is refused.
    package var isRefused = false

    /// The keys that a hot wallet would learn.
    package static func keys(of preview: DynamicDerivationsPreview) -> [DerivedKeyWording] {
        preview.keys.map { item in
            DerivedKeyWording(
                path: path(item.key.details.path),
                network: item.network.map { ForeignName.shown($0.title, as: .title) }
                    ?? "network \(item.genesisHash.hex) (not in this vault)",
                scheme: item.key.details.scheme.name,
                state: item.alreadyExists ? "known" : item.network == nil ? "not stored" : "new",
                address: item.network.map { item.key.address(in: $0) }
                    ?? AccountAddress(
                        text: "0x" + Hex.encode(item.key.signer.publicKey),
                        identicon: item.key.signer.identicon(for: item.key.details.scheme)))
        }
    }

    /// The keys of a seed that an import would add.
    package static func keys(of group: DerivationsPreview) -> [DerivedKeyWording] {
        group.keys.map { key in
            DerivedKeyWording(
                path: path(key.path ?? ""),
                network: key.networkTitle.map { ForeignName.shown($0, as: .title) }
                    ?? "network \(key.genesisHash.hex)",
                state: status(key), address: key.address, isRefused: key.isInvalid)
        }
    }

    /// A path without the password that may stand behind it.
    package static func path(_ path: String) -> String {
        let (shown, password) = DerivationText.split(path)
        guard password == nil else { return ForeignName.shown(shown, as: .title) + " ///…" }
        return path.isEmpty ? "(root)" : ForeignName.shown(path, as: .title)
    }

    private static func status(_ key: DerivationsPreview.Key) -> String {
        switch key.status {
        case .alreadyExists: "known"
        case .importable: key.hasPassword == true ? "with password" : "new"
        case .invalid(let faults): faults.map(\.rawValue).joined(separator: ", ")
        }
    }
}

extension DerivationsPreview.Key {
    fileprivate var isInvalid: Bool { if case .invalid = status { true } else { false } }
}

/// Headings of what is asked for or offered.
package enum DerivationsWording {
    package static func heading(of preview: DynamicDerivationsPreview) -> String {
        "A wallet asks for addresses of the seed \(ForeignName.shown(preview.seedName, as: .title))"
    }

    package static func heading(of preview: PathImportPreview) -> String {
        "Keys in \(ForeignName.shown(preview.network.title, as: .title)), below a seed that you name"
    }

    package static let noSeed = "None of the seeds is in this vault."
}
