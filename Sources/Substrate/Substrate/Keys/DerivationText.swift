import TextForms

/// The grammar of a path as people and exports write it: junctions, then perhaps a password that is not empty.
package enum DerivationText {
    /// Whether a text is a path for the scheme: soft junctions belong to sr25519 alone.
    package static func isWellFormed(_ text: String, scheme: SignatureScheme) -> Bool {
        let parts = split(text)
        guard parts.password.map({ !$0.isEmpty }) ?? true else { return false }
        guard isComposed(parts.path), let path = try? DerivationPath(parsing: parts.path) else { return false }
        return scheme == .sr25519 || !path.hasSoftJunction
    }

    /// Whether a text is in the composed form of Unicode (NFC), which keyboards give: in another form the same text
    /// would be the path of another key.
    package static func isComposed(_ text: String) -> Bool { CanonicalComposition.isForm(of: text) }

    /// The path, and what stands behind three slashes.
    package static func split(_ text: String) -> (path: String, password: ArraySlice<UInt8>?) {
        // Bytes: a character may join a slash with the mark behind it.
        let bytes = Array(text.utf8)
        let mark = bytes.indices.first { bytes[$0...].starts(with: "///".utf8) }
        guard let mark else { return (text, nil) }
        return (String(decoding: bytes[..<mark], as: UTF8.self), bytes[(mark + 3)...])
    }
}
