import SecretMemory

/// The record of where a tag's key was the first time: a weaker place is refused from then on.
///
/// File: the name of the kind and a line feed.
extension StateDirectory {
    /// - Returns: nil if none is pinned.
    /// - Throws: ``HardwareKeyError/malformed(_:offset:reason:)``
    func pinnedKind(in name: String) throws(HardwareKeyError) -> KeyKind? {
        guard let file = try read(name) else { return nil }
        let text = file.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        guard text.hasSuffix("\n"), let kind = KeyKind(rawValue: String(text.dropLast())) else {
            throw .malformed(.kindFile, offset: 0, reason: "a kind of key expected")
        }
        return kind
    }

    func pin(_ kind: KeyKind, in name: String) throws(HardwareKeyError) {
        try write(name, SecretBytes.joining([.plain(Array("\(kind.rawValue)\n".utf8))]))
    }
}
