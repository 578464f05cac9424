extension VersionOne {
    /// How version 1 knows the code of both sides.
    package struct Hashes: Hashable, Sendable {
        package var app: Bytes32
        package var validator: Bytes32

        /// The digests of both sides, as version 1 combines them.
        package init(app: Bytes32, validator: Bytes32) {
            self.app = app
            self.validator = validator
        }

        /// - Returns: nil unless the list has both.
        package init?(_ list: ExpectedHashes) {
            guard let app = list.app, let validator = list.validator else { return nil }
            self.init(app: app, validator: validator)
        }

        /// - Returns: nil where the manifest does not know the architecture.
        package init?(_ manifest: Manifest, architecture: String) {
            guard let app = manifest.combinedTextDigest(of: .app, architecture: architecture),
                let validator = manifest.combinedTextDigest(of: .validator, architecture: architecture)
            else { return nil }
            self.init(app: app, validator: validator)
        }
    }

    /// Whether a frame holds a message of version 1: the first byte tells.
    ///
    /// Source: `vigil` section 7.
    package static func isMessage(_ frame: [UInt8]) -> Bool { frame.first == UInt8(ascii: "{") }
}
