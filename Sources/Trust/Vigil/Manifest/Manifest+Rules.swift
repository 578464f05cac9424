import ExecutableImage

extension Manifest {
    /// The rules of the specification for what a manifest says.
    ///
    /// - Throws: ``ManifestError/malformedManifest(_:)``
    func checkRules() throws(ManifestError) {
        guard images.count + externals.count <= Self.entryLimit else {
            throw .malformedManifest("\(images.count + externals.count) entries, where \(Self.entryLimit) are allowed")
        }
        guard Timestamp(rfc3339: created) != nil else { throw .malformedManifest("created: no time of RFC 3339") }
        for side in Side.allCases where !images.contains(where: { $0.side == side && $0.role == .program }) {
            throw .malformedManifest("entries: there is none of the \(side)")
        }
        try checkUniqueness()
        for image in images {
            if let pages = image.pages, pages.root(pageSize: image.pageSize) != image.pageRoot {
                throw .malformedManifest("\(image.path): its pages do not have its pageRoot")
            }
        }
        for bundle in bundles { try check(bundle) }
    }

    private func checkUniqueness() throws(ManifestError) {
        struct Name: Hashable {
            let side: Side
            let role: ManifestImage.Role
            let path: String
            let architecture: String
        }
        var names: Set<Name> = []
        for image in images {
            let name = Name(side: image.side, role: image.role, path: image.path, architecture: image.architecture)
            guard names.insert(name).inserted else {
                throw .malformedManifest("entries: \(image.path) for \(image.architecture) twice")
            }
            _ = try Self.bundleEntry(image)
        }
        var sonames: [Side: Set<String>] = [:]
        for external in externals where !sonames[external.side, default: []].insert(external.soname).inserted {
            throw .malformedManifest("entries: the external library \(external.soname) twice")
        }
    }

    private func check(_ bundle: BundleEntry) throws(ManifestError) {
        let images = images(of: bundle.side, architecture: bundle.architecture)
        guard !images.isEmpty else {
            throw .malformedManifest("bundles: the \(bundle.side) has no entry for \(bundle.architecture)")
        }
        let digest = try Self.bundle2(of: images)
        guard digest == bundle.bundle2 else {
            throw .malformedManifest(
                "bundles: the \(bundle.side) for \(bundle.architecture) has \(digest) by its entries, "
                    + "not \(bundle.bundle2)")
        }
    }

    /// The digest of a side's images.
    ///
    /// - Throws: ``ManifestError/malformedManifest(_:)`` for a path that leaves the bundle.
    package static func bundle2(of images: [ManifestImage]) throws(ManifestError) -> Bytes32 {
        var entries: [BundleDigest.Entry] = []
        for image in images { entries.append(try bundleEntry(image)) }
        do throws(ImageFailure) {
            return Bytes32(try BundleDigest.bundle2(entries))
        } catch {
            throw .malformedManifest("bundles: \(error)")
        }
    }

    private static func bundleEntry(_ image: ManifestImage) throws(ManifestError) -> BundleDigest.Entry {
        guard let text2 = ImageDigest(image.text2.bytes) else { throw .malformedManifest("entries: no digest") }
        do throws(BundlePathError) {
            return try BundleDigest.Entry(path: image.path, text2: text2)
        } catch {
            throw .malformedManifest("entries: \(error)")
        }
    }
}

extension Bytes32 {
    package init(_ digest: ImageDigest) { self.init(trusted: digest.bytes) }
}
