import Signer
import Substrate
import TextForms

/// What is said of keys whose secret left the vault, or follows from one that did.
///
/// Source: `signer-product` section 3.6.
struct ExposureNotices {
    /// Keys among those shown that are marked.
    let exposed: [StoredKey]
    /// Keys among those shown that are parents of a soft child whose secret is out.
    let parents: [StoredKey]

    var atRisk: Set<MultiSigner> { Set(parents.map(\.signer)) }

    /// - Parameters:
    ///   - keys: what is shown.
    ///   - all: the keys of the vault.
    init(of keys: [StoredKey], among all: [StoredKey]) {
        let atRisk = SecretExposure.softParents(among: all)
        exposed = keys.filter(\.details.secretExposed)
        parents = keys.filter { atRisk.contains($0.signer) }
    }

    /// Lines below a table; empty where there is nothing to say.
    var text: String {
        exposed.map { "\nExposed: the secret of \(Self.name($0)) left this vault. Move what is on it to another key." }
            .joined() + parentsText
    }

    /// The lines about parents alone.
    var parentsText: String {
        parents.map { key in
            "\nAt risk [SoftParentAtRisk]: the secret of a key softly below \(Self.name(key)) left this vault. With it and the public "
                + "key of \(Self.name(key)) anybody has the secret of \(Self.name(key)) too. Move what is on it to another key."
        }.joined()
    }

    private static func name(_ key: StoredKey) -> String {
        ForeignName.shown(key.details.seedName + (key.details.path.isEmpty ? " (root)" : key.details.path), as: .title)
    }
}
