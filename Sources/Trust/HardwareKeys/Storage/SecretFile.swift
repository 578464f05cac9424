import SecretMemory

/// The content of a key file, of which a part may be secret.
public struct SecretFile: Sendable {
    /// The bytes of the file.
    public let content: SecretBytes

    /// A file of these bytes.
    public init(_ content: SecretBytes) {
        self.content = content
    }
}
