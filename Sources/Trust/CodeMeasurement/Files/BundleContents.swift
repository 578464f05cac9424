import ExecutableImage

/// The images of a bundle and their digests.
///
/// Source: Vigil specification, 3.7.
package struct BundleContents: Sendable {
    /// One image, or one slice of a universal binary.
    package struct Image: Sendable {
        /// The path from the root of the bundle.
        package let path: String
        package let image: LoadableImage
        package let digests: ImageDigests
    }

    /// The images in bytewise order of the paths, slices in the order of their file.
    package let images: [Image]

    /// Measures every ELF and Mach-O file below a folder. A file that begins as one and breaks its rules is an error,
    /// so that nothing stays out unseen.
    ///
    /// - Parameters:
    ///   - root: the path of the folder.
    ///   - kinds: digests of images; `text2`, which `bundle2` needs, is always among them.
    /// - Throws: ``BundleFailure`` with the path of what cannot be measured.
    package init(of root: String, _ kinds: Set<DigestKind> = []) throws(BundleFailure) {
        let walk = try BundleWalk(root: root)
        var images: [Image] = []
        for path in walk.paths {
            let file = try walk.open(path)
            do throws(ImageFailure) {
                images += try file.measure { opened throws(ImageFailure) in
                    guard try ExecutableFile.isRecognised(opened) else { return [] }
                    let parsed = try ExecutableFile(parsing: opened)
                    let digests = try parsed.digests(kinds.union([.text2]))
                    return zip(parsed.images, digests.images).map { Image(path: path, image: $0, digests: $1) }
                }
            } catch {
                throw BundleFailure(path: path, failure: error)
            }
        }
        self.images = images
    }

    /// The architectures that there are images of, in the order of their names.
    package var architectures: [String] { Set(images.map(\.image.architecture)).sorted() }

    /// The `bundle2` of the images of one architecture.
    ///
    /// - Throws: ``ImageFailure/noHash(_:)``; a path that is too long as ``ImageFailure/unreadable(offset:reason:)``.
    package func bundle2(_ architecture: String) throws(ImageFailure) -> ImageDigest {
        var entries: [BundleDigest.Entry] = []
        for image in images where image.image.architecture == architecture {
            guard let text2 = image.digests.text2 else { continue }
            do {
                entries.append(try BundleDigest.Entry(path: image.path, text2: text2))
            } catch {
                throw .unreadable(offset: nil, reason: "\(error)")
            }
        }
        return try BundleDigest.bundle2(entries)
    }
}
