import Signer
import Substrate

/// What is said of keys whose secret left the vault, or follows from one that did.
///
/// Source: `signer-product` section 3.6.
struct ExposureNotices {
    /// Keys among those shown that are marked.
    let exposed: [StoredKey]
    /// Keys among those shown that follow from the secret of a soft child that is out.
    let endangered: [StoredKey]

    var atRisk: Set<MultiSigner> { Set(endangered.map(\.signer)) }

    /// - Parameters:
    ///   - keys: what is shown.
    ///   - all: the keys of the vault.
    init(of keys: [StoredKey], among all: [StoredKey]) {
        let atRisk = SecretExposure.atRisk(among: all)
        exposed = keys.filter(\.details.secretExposed)
        endangered = keys.filter { atRisk.contains($0.signer) }
    }

    /// Lines below a table; empty where there is nothing to say.
    var text: String {
        exposed.map { "\nExposed: \(ExposureWording.exposed(Self.name($0)))" }
            .joined() + endangeredText
    }

    /// The lines about keys at risk alone.
    var endangeredText: String {
        endangered.map { key in
            "\nAt risk [SoftParentAtRisk]: \(ExposureWording.atRisk(Self.name(key)))"
        }.joined()
    }

    private static func name(_ key: StoredKey) -> String {
        ExposureWording.name(seed: key.details.seedName, path: key.details.path)
    }
}
