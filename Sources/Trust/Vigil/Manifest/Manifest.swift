/// What a vendor says of a product's code: the digests of every image, signed with the release keys.
///
/// Both programs of a pair have the same manifest and the release keys compiled in. A manifest is made from the bytes
/// of a verified envelope alone:
///
///     let manifest = try Manifest(verifying: file, by: releaseKeys, storedEpoch: store.epoch)
///     let expected = manifest.bundleDigest(of: .app, architecture: "x86_64")
///
/// Source: `vigil` section 6.1.
package struct Manifest: Hashable, Sendable {
    package static let payloadType = "application/vnd.vigil.manifest.v2+json"
    static let version = 2
    package static let entryLimit = 1024

    package let product: String
    /// Grows with every release; a smaller one than was seen is refused.
    package let epoch: UInt32
    /// RFC 3339.
    package let created: String
    /// The images of both sides.
    package let images: [ManifestImage]
    /// Libraries of the system that the programs may load.
    package let externals: [ExternalLibrary]
    package let bundles: [BundleEntry]

    /// - Throws: ``ManifestError/malformedManifest(_:)`` if a rule is broken.
    package init(
        product: String, epoch: UInt32, created: String, images: [ManifestImage], externals: [ExternalLibrary],
        bundles: [BundleEntry]
    ) throws(ManifestError) {
        self.product = product
        self.epoch = epoch
        self.created = created
        self.images = images
        self.externals = externals
        self.bundles = bundles
        try checkRules()
    }

    /// Verifies a manifest's file.
    ///
    /// - Parameters:
    ///   - file: the envelope in JSON.
    ///   - trusted: the release keys.
    ///   - storedEpoch: the greatest that was seen; 0 at first.
    /// - Throws: ``ManifestError``
    package init(verifying file: [UInt8], by trusted: TrustedKeys, storedEpoch: UInt32 = 0) throws(ManifestError) {
        let payload: [UInt8]
        do throws(EnvelopeError) {
            payload = try Envelope(parsing: file).payload(ofType: Self.payloadType, by: trusted)
        } catch {
            throw .envelope(error)
        }
        try self.init(payload: payload)
        guard epoch >= storedEpoch else { throw .epochRollback(found: epoch, stored: storedEpoch) }
    }
}

/// The digest of all images of a side, for one architecture.
package struct BundleEntry: Hashable, Sendable {
    package var side: Side
    package var architecture: String
    package var bundle2: Bytes32

    package init(side: Side, architecture: String, bundle2: Bytes32) {
        self.side = side
        self.architecture = architecture
        self.bundle2 = bundle2
    }
}

/// The two programs of a pair.
package enum Side: String, Hashable, Sendable, CaseIterable {
    case app
    case validator
}

/// A library that is not the vendor's.
package struct ExternalLibrary: Hashable, Sendable {
    package enum Policy: Hashable, Sendable {
        /// The library lies below a folder of the system, and only root may change it.
        case rootOwned
        /// The library has this `text2`.
        case pinned(Bytes32)
    }

    /// The side whose program loads it.
    package var side: Side
    package var soname: String
    package var policy: Policy

    package init(side: Side, soname: String, policy: Policy = .rootOwned) {
        self.side = side
        self.soname = soname
        self.policy = policy
    }
}
