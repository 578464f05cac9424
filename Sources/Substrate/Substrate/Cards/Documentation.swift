/// Documentation as metadata holds it, read only when it is asked for.
///
/// Keeps the blob alive and remembers a place in it; equal when the texts are equal.
public struct Documentation: Sendable {
    private let blob: [UInt8]
    private let offset: Int

    /// No documentation.
    package static let empty = Documentation(blob: [0], offset: 0)

    /// - Parameter offset: where the `vec<str>` of doc lines stands in `blob`.
    package init(blob: [UInt8], offset: Int) {
        self.blob = blob
        self.offset = offset
    }

    /// The doc lines, joined by newline.
    public var text: String {
        blob.withUnsafeBufferPointer { buffer in
            var cursor = BlobCursor(buffer, at: offset)
            return cursor.strings().joined(separator: "\n")
        }
    }
}

extension Documentation: Hashable {
    /// Whether both are the same.
    public static func == (left: Self, right: Self) -> Bool { left.text == right.text }
    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension Documentation: CustomStringConvertible {
    /// The value as text.
    public var description: String { text }
}
