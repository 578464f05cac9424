import SecretMemory

/// The content of a key file, of which a part may be secret.
public struct SecretFile: Sendable {
    public let content: SecretBytes

    public init(_ content: SecretBytes) {
        self.content = content
    }
}
