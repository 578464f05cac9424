import CodeMeasurement
import ExecutableImage
import Vigil

/// A file of a build, as a manifest describes it.
struct MeasuredFile {
    /// The path from the root of the bundle.
    let path: String
    let images: [Image]

    struct Image {
        let loadable: LoadableImage
        let linkage: Linkage
        let digests: ImageDigests
        let pages: [PageRun]?
        let writableParts: [WritablePart]
    }

    private let file, fsverity: ImageDigest?
    private let size: UInt64

    /// - Parameters:
    ///   - location: where it is.
    ///   - withPages: also the digest of each page.
    ///   - withFile: also those of the whole file, which are another once an envelope is embedded into it.
    init(
        at location: String, path: String, withPages: Bool = false, withFile: Bool = false
    ) throws(ImageFailure) {
        self.path = path
        let found = try OpenedFile(path: location).measure { (opened) throws(ImageFailure) in
            let parsed = try ExecutableFile(parsing: opened)
            let digests = try parsed.digests([.text1, .text2, .load2, .pageRoot, .file, .fsverity])
            var images: [Image] = []
            for (image, digests) in zip(parsed.images, digests.images) {
                images.append(
                    Image(
                        loadable: image, linkage: try parsed.linkage(of: image), digests: digests,
                        pages: withPages ? try parsed.pageDigests(of: image).map(PageRun.init) : nil,
                        writableParts: try parsed.writableParts(of: image)))
            }
            return (images, digests, parsed.size)
        }
        images = found.0
        file = withFile ? found.1.file : nil
        fsverity = withFile ? found.1.fsverity : nil
        size = found.2
    }

    /// What the manifest says of one of its images.
    func entry(_ image: Image, of side: Side, _ role: ManifestImage.Role) -> ManifestImage? {
        guard let text1 = image.digests.text1, let text2 = image.digests.text2, let load2 = image.digests.load2,
            let pageRoot = image.digests.pageRoot
        else { return nil }
        return ManifestImage(
            side: side, role: role, path: path, format: image.loadable.format == .elf ? .elf : .machO,
            architecture: image.loadable.architecture, text1: Bytes32(text1), text2: Bytes32(text2),
            load2: Bytes32(load2), file: file.map(Bytes32.init), size: size, fsverity: fsverity.map(Bytes32.init),
            pageSize: .kib4, pageRoot: Bytes32(pageRoot), pages: image.pages)
    }

    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}

extension PageRun {
    fileprivate init(_ pages: SegmentPages) {
        self.init(address: pages.segment.address, digests: pages.digests.map(Bytes32.init))
    }
}
