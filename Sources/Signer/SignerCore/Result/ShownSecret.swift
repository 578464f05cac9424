import SecretMemory

/// A secret that a page shows. Written as JSON it says only that it is there, unless that is asked for.
///
/// Each page has it in memory of its own; two are equal where they say the same, whatever memory that is in.
package struct ShownSecret: Sendable, Encodable, Equatable {
    /// UTF-8.
    package let bytes: SecretBytes

    /// The key under which an encoder is told to write secrets: the value is true.
    package static let reveal = CodingUserInfoKey(rawValue: "reveal")

    /// The key under which an encoder is given a ``ShownSecrets`` that takes the secrets of what is encoded.
    package static let collector = CodingUserInfoKey(rawValue: "secrets")

    init(_ bytes: SecretBytes) { self.bytes = bytes }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let collector = Self.collector.flatMap({ encoder.userInfo[$0] as? ShownSecrets }) {
            collector.add(bytes, at: encoder.codingPath)
        }
        let isRevealed = Self.reveal.map { encoder.userInfo[$0] as? Bool == true } ?? false
        guard isRevealed else { return try container.encode("(hidden)") }
        try container.encode(bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
    }
}
