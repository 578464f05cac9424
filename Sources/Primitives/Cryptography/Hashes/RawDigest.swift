#if canImport(CryptoKit)
    import CryptoKit

    /// A digest that was made before, in the form in which CryptoKit takes it.
    package struct RawDigest: Digest {
        package static let byteCount = 32
        private let bytes: [UInt8]

        package init(_ bytes: [UInt8]) {
            precondition(bytes.count == Self.byteCount, "a digest of SHA-256 has 32 bytes")
            self.bytes = bytes
        }

        package var description: String { "SHA-256" }
        package func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try bytes.withUnsafeBytes(body)
        }
        package func makeIterator() -> Array<UInt8>.Iterator { bytes.makeIterator() }
        package static func == (left: RawDigest, right: RawDigest) -> Bool { left.bytes == right.bytes }
        package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
    }
#endif
