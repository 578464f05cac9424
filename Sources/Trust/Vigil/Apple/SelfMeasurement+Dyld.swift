#if canImport(MachO)
    import CodeMeasurement
    import Darwin
    import ExecutableImage
    import Foundation
    import MachO

    /// What this process is made of on Apple's systems: its images from memory, as dyld lists them. Level L0, as on
    /// Linux.
    ///
    /// Not run where this project is tested, and so kept to the calls of dyld; parser and digests are those of all
    /// systems.
    ///
    /// Source: `vigil` sections 3.9 and 11.1.
    package struct SelfMeasurement: Sendable {
        private struct Mapped {
            let path: String
            let header: UInt64
        }

        private let images: [Mapped]
        package let bundleRoot: String

        /// - Parameter bundleRoot: nil for the main bundle's folder.
        package init(bundleRoot: String? = nil) throws(Refusal) {
            let root = bundleRoot ?? Bundle.main.bundlePath
            self.bundleRoot = root
            var images: [Mapped] = []
            for index in 0..<_dyld_image_count() {
                // An image may be unloaded meanwhile.
                guard let name = _dyld_get_image_name(index), let header = _dyld_get_image_header(index) else {
                    continue
                }
                let path = String(cString: name)
                guard path.utf8.starts(with: "\(root)/".utf8) else { continue }
                images.append(Mapped(path: path, header: UInt64(UInt(bitPattern: header))))
            }
            self.images = images
        }

        /// The digest of all images of the manifest's side; those that are not mapped from their files.
        ///
        /// - Throws: ``Refusal``: `internal` where an image cannot be read.
        package func bundleDigest(of expected: ExpectedProgram) throws(Refusal) -> Bytes32 {
            var entries: [BundleDigest.Entry] = []
            for image in expected.images {
                guard let text2 = try digests([.text2], of: image, expected).text2,
                    let entry = try? BundleDigest.Entry(path: image.path, text2: text2)
                else { throw Refusal(.internal, "\(image.path) of this program cannot be measured") }
                entries.append(entry)
            }
            guard let digest = try? BundleDigest.bundle2(entries), let hash = Bytes32(digest.bytes) else {
                throw Refusal(.internal, "the digest of this program's bundle cannot be computed")
            }
            return hash
        }

        private func digests(
            _ kinds: Set<DigestKind>, of image: ManifestImage, _ expected: ExpectedProgram
        ) throws(Refusal) -> ImageDigests {
            let path = expected.path(of: image)
            do throws(ImageFailure) {
                guard let mapped = images.first(where: { $0.path == path }) else {
                    let parsed = try ExecutableFile(parsing: OpenedFile(path: path))
                    let slice = parsed.images.first { $0.architecture == image.architecture }
                    guard let slice, let found = try parsed.digests(kinds, of: [slice]).images.first else {
                        throw ImageFailure.refused(.badMagic, offset: 0)
                    }
                    return found
                }
                let memory = OwnMemory()
                let loaded = try LoadableImage(mappedIn: memory, header: mapped.header)
                return try loaded.digests(kinds, in: memory, slide: loaded.slide(header: mapped.header))
            } catch {
                throw Refusal(.internal, "\(path): \(error)")
            }
        }
    }

    extension ExpectedProgram {
        /// Measures this process as what is expected: its images from memory where they are mapped, else from their
        /// files. For ``AppIdentity`` and a validator's own identity.
        ///
        /// - Returns: the digest, which is ``hash`` where nothing was changed.
        /// - Throws: ``Refusal``: `internal` where an image cannot be read.
        public func digestOfThisProcess() throws(Refusal) -> Bytes32 {
            try SelfMeasurement(bundleRoot: bundleRoot).bundleDigest(of: self)
        }
    }

    /// The memory of this process, where offsets are addresses.
    private struct OwnMemory: ImageBytes {
        var count: UInt64 { .max }

        func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(ImageFailure) {
            guard let start = buffer.baseAddress else { return }
            // Through the kernel, so that an address that is not mapped is an error and no crash.
            var done = vm_size_t(0)
            let result = vm_read_overwrite(
                mach_task_self_, vm_address_t(offset), vm_size_t(buffer.count), vm_address_t(UInt(bitPattern: start)),
                &done)
            guard result == KERN_SUCCESS, done == vm_size_t(buffer.count) else {
                throw .unreadable(offset: offset, reason: String(cString: mach_error_string(result)))
            }
        }
    }
#endif
