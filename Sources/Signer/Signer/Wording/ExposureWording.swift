import TextForms

/// What is said of keys whose secret left the vault, or follows from one that did.
///
/// Source: `signer-product` section 3.6.
package enum ExposureWording {
    /// - Parameter name: of the key, fit for a screen.
    package static func exposed(_ name: String) -> String {
        "the secret of \(name) left this vault. Move what is on it to another key."
    }

    /// - Parameter name: of the key, fit for a screen.
    package static func atRisk(_ name: String) -> String {
        "the secret of a key softly below \(name) left this vault. With it and the public "
            + "key of \(name) anybody has the secret of \(name) too. Move what is on it to another key."
    }

    /// Seed and path of a key, fit for a screen.
    package static func name(seed: String, path: String) -> String {
        ForeignName.shown(seed + (path.isEmpty ? " (root)" : path), as: .title)
    }
}
