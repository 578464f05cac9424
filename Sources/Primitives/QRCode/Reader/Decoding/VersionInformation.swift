/// The version that a symbol of version 7 and up states (`raptorq-qr` sections 13.5 and 14).
enum VersionInformation {
    /// Bits that may be wrong.
    static let tolerance = 3

    private static let words = (7...40).compactMap(QRVersion.init).map { (FunctionPatterns.versionBits($0), $0) }

    /// The version whose 18 bits are nearest, or nil if none is near enough.
    static func nearest(_ bits: Int) -> QRVersion? {
        // Valid words differ in eight bits at the least, so that no other is as near.
        words.first { ($0.0 ^ bits).nonzeroBitCount <= tolerance }?.1
    }
}
