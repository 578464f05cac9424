import ExecutableImage

extension Manifest {
    /// The architectures that both programs are there for, sorted.
    package var architectures: [String] {
        Set(images.filter { $0.role == .program }.map(\.architecture)).filter { architecture in
            Side.allCases.allSatisfy { program(of: $0, architecture: architecture) != nil }
        }.sorted()
    }

    /// The images of a side for one architecture, in the order of their paths' bytes.
    package func images(of side: Side, architecture: String) -> [ManifestImage] {
        images.filter { $0.side == side && $0.architecture == architecture }
            .sorted { BundleDigest.isPath($0.path, before: $1.path) }
    }

    /// What a side is started as.
    package func program(of side: Side, architecture: String) -> ManifestImage? {
        images.first { $0.side == side && $0.role == .program && $0.architecture == architecture }
    }

    /// The digest that a side has to report and to be measured with; nil if the manifest does not give one.
    package func bundleDigest(of side: Side, architecture: String) -> Bytes32? {
        bundles.first { $0.side == side && $0.architecture == architecture }?.bundle2
    }

    /// The digest of the design's first version: of one image its `text1`, of several that of theirs in the order of
    /// the paths.
    package func combinedTextDigest(of side: Side, architecture: String) -> Bytes32? {
        let texts = images(of: side, architecture: architecture).map(\.text1)
        return texts.count > 1 ? .hash(of: texts.flatMap(\.bytes)) : texts.first
    }

    /// The libraries of the system that a side may load, by soname; nil if the manifest names none, and then the
    /// system's folders decide alone.
    package func externalNames(of side: Side) -> Set<String>? {
        let names = externals.filter { $0.side == side }.map(\.soname)
        return names.isEmpty ? nil : Set(names)
    }
}
