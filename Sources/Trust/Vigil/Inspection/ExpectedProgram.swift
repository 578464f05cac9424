import CodeMeasurement

/// What the manifest says of one side's code, for one architecture, and where its files are.
public struct ExpectedProgram: Sendable {
    /// The digest of all its images.
    public let hash: Bytes32
    /// The epoch of the manifest.
    public let epoch: UInt32
    /// The images in the order of the paths' bytes; at least the program itself.
    package let images: [ManifestImage]
    /// What the side is started as.
    package let program: ManifestImage
    /// Libraries of the system that it may load, by soname; nil if the folders of the system alone decide.
    package let externalNames: Set<String>?
    /// The libraries of the system whose very content the manifest gives.
    package let pinnedExternals: [String: Bytes32]
    /// The folder that the manifest's paths begin at.
    package let bundleRoot: String

    /// Reads it from a signed manifest, for the architecture of this process.
    ///
    /// - Parameters:
    ///   - role: whose program is meant.
    ///   - file: the manifest in its envelope.
    ///   - keys: the release keys that are trusted.
    ///   - threshold: how many of them have to have signed it.
    ///   - oldestEpoch: the newest epoch that was seen; an older manifest is refused.
    ///   - bundleRoot: the folder that the manifest's paths begin at.
    /// - Throws: ``VigilError`` where the manifest is not accepted, or does not know the architecture.
    public init(
        _ role: Role, manifest file: [UInt8], signedBy keys: [PublicKey], threshold: Int = 1,
        oldestEpoch: UInt32 = 0, bundleRoot: String
    ) throws(VigilError) {
        guard let trusted = TrustedKeys(keys, threshold: threshold) else {
            throw VigilError(.validatorNotConfigured, "\(threshold) of \(keys.count) keys cannot sign a manifest")
        }
        let manifest: Manifest
        do throws(ManifestError) {
            manifest = try Manifest(verifying: file, by: trusted, storedEpoch: oldestEpoch)
        } catch {
            throw VigilError(.validatorNotConfigured, "\(error)")
        }
        try self.init(
            role == .app ? .app : .validator, of: manifest, architecture: RunningArchitecture.name,
            bundleRoot: bundleRoot)
    }

    /// - Throws: ``VigilError`` where the manifest does not know the architecture.
    package init(
        _ side: Side, of manifest: Manifest, architecture: String, bundleRoot: String
    ) throws(VigilError) {
        guard let hash = manifest.bundleDigest(of: side, architecture: architecture),
            let program = manifest.program(of: side, architecture: architecture)
        else {
            throw VigilError(
                .validatorNotConfigured,
                "the manifest of \(manifest.product) has no \(side) for \(architecture), only for: "
                    + manifest.architectures.joined(separator: ", "))
        }
        self.hash = hash
        epoch = manifest.epoch
        self.program = program
        self.bundleRoot = bundleRoot
        images = manifest.images(of: side, architecture: architecture)
        externalNames = manifest.externalNames(of: side)
        var pinned: [String: Bytes32] = [:]
        for external in manifest.externals where external.side == side {
            if case .pinned(let digest) = external.policy { pinned[external.soname] = digest }
        }
        pinnedExternals = pinned
    }

    /// Where an image's file is.
    func path(of image: ManifestImage) -> String { bundleRoot + "/" + image.path }
}

/// The architecture of this process, as manifests name it.
package enum RunningArchitecture {
    package static var name: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            #if os(Linux)
                "aarch64"
            #else
                "arm64"
            #endif
        #elseif arch(arm)
            "arm"
        #elseif arch(riscv64)
            "riscv64"
        #else
            "unknown"
        #endif
    }
}
