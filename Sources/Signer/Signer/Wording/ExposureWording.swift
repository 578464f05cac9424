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
        "the secret of a key softly below \(name), or softly below a key above it, left this vault. With it and public "
            + "keys, which are no secrets, anybody has this key and all below it. Move what is on them to another key set."
    }

    /// What goes with a secret that is about to be handed out, in whole sentences.
    ///
    /// - Parameters:
    ///   - count: of other keys of the vault.
    ///   - givesParent: whether the key above goes too, as its public key is no secret.
    package static func goesWith(_ count: Int, givesParent: Bool) -> String {
        let parent =
            givesParent
            ? "Its path ends in a soft junction: with it and public keys, which are no secrets, anybody has the key above "
                + "it and every key below that. " : "Every key below it goes with it. "
        switch count {
        case 0: return parent + "No other key of this vault does so far."
        case 1: return parent + "Of this vault that is one other key so far."
        default: return parent + "Of this vault these are \(count) other keys so far."
        }
    }

    /// Seed and path of a key, fit for a screen.
    package static func name(seed: String, path: String) -> String {
        ForeignName.shown(seed + (path.isEmpty ? " (root)" : path), as: .title)
    }
}
