#if os(Linux)
    import CLinux
    import CodeMeasurement
    import ExecutableImage
    import Glibc
    import TextForms
    import FoundationEssentials

    /// What this process is made of: its images from memory where they are mapped, else from their files. Level L0,
    /// which proves nothing about a process that is patched; it is what the seed's first version reported.
    ///
    /// Source: `vigil` sections 3.9, 4.8 and 7.3.
    package struct SelfMeasurement: Sendable {
        /// Where an image of this process lies.
        struct Mapped {
            let path: String
            let header: UInt64
        }

        private let images: [Mapped]
        package let bundleRoot: String

        /// - Parameter bundleRoot: nil for the usual one (``usualBundleRoot(of:)``).
        /// - Throws: ``Refusal``: `internal`.
        package init(bundleRoot: String? = nil) throws(Refusal) {
            let executable = try Self.executablePath()
            self.bundleRoot = bundleRoot ?? Self.usualBundleRoot(of: executable)
            images = Self.mapped(executable)
        }

        /// The folder above `bin`, if the program lies in one of that name, else the program's own.
        package static func usualBundleRoot(of executable: String) -> String {
            let folder = Self.folder(of: executable)
            return folder.hasSuffix("/bin") ? Self.folder(of: folder) : folder
        }

        /// - Parameter path: an absolute one, as the kernel gives it.
        private static func folder(of path: String) -> String {
            let folder = path[..<(path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)]
            return folder.isEmpty ? "/" : String(folder)
        }

        /// The digest of all images of the manifest's side.
        ///
        /// - Throws: ``Refusal``: `internal` where an image cannot be read.
        package func bundleDigest(of expected: ExpectedProgram) throws(Refusal) -> Bytes32 {
            var entries: [BundleDigest.Entry] = []
            for image in expected.images {
                guard let text2 = try text2(of: image, expected), let digest = ImageDigest(text2.bytes),
                    let entry = try? BundleDigest.Entry(path: image.path, text2: digest)
                else { throw Refusal(.internal, "\(image.path) of this program cannot be measured") }
                entries.append(entry)
            }
            guard let digest = try? BundleDigest.bundle2(entries), let hash = Bytes32(digest.bytes) else {
                throw Refusal(.internal, "the digest of this program's bundle cannot be computed")
            }
            return hash
        }

        /// The digest of the design's first version, over the same images: of one image its `text1`, of several that of
        /// theirs.
        ///
        /// - Throws: ``Refusal``: `internal` where an image is not mapped or cannot be read.
        package func combinedTextDigest(of expected: ExpectedProgram) throws(Refusal) -> Bytes32 {
            var texts: [Bytes32] = []
            for image in expected.images {
                let path = expected.path(of: image)
                guard let mapped = images.first(where: { $0.path == path }) else {
                    throw Refusal(.internal, "\(image.path) of this program is not mapped, as version 1 needs it")
                }
                do throws(ImageFailure) {
                    guard let text1 = try Self.digests([.text1], of: mapped).text1.flatMap({ Bytes32($0.bytes) }) else {
                        throw ImageFailure.refused(.noTextSegment, offset: 0)
                    }
                    texts.append(text1)
                } catch {
                    throw Refusal(.internal, "\(path): \(error)")
                }
            }
            return texts.count == 1 ? texts[0] : .hash(of: texts.flatMap(\.bytes))
        }

        private func text2(of image: ManifestImage, _ expected: ExpectedProgram) throws(Refusal) -> Bytes32? {
            let path = expected.path(of: image)
            do throws(ImageFailure) {
                if let mapped = images.first(where: { $0.path == path }) {
                    return try Self.digests([.text2], of: mapped).text2.flatMap { Bytes32($0.bytes) }
                }
                let parsed = try ExecutableFile(parsing: OpenedFile(path: path))
                let slice = parsed.images.first { $0.architecture == image.architecture }
                guard let slice else { return nil }
                return try parsed.digests([.text2], of: [slice]).images.first?.text2.flatMap { Bytes32($0.bytes) }
            } catch {
                throw Refusal(.internal, "\(path): \(error)")
            }
        }

        /// The digests of each image below the bundle's root that is mapped, in the order of the paths.
        ///
        /// - Returns: paths from the root.
        package func digests(_ kinds: Set<DigestKind>) throws(Refusal) -> [(path: String, digests: ImageDigests)] {
            let prefix = bundleRoot + "/"
            var found: [(path: String, digests: ImageDigests)] = []
            for image in images where image.path.utf8.starts(with: prefix.utf8) {
                do throws(ImageFailure) {
                    let path = String(Substring(image.path.utf8.dropFirst(prefix.utf8.count)))
                    found.append((path, try Self.digests(kinds, of: image)))
                } catch {
                    throw Refusal(.internal, "\(image.path): \(error)")
                }
            }
            return found.sorted { BundleDigest.isPath($0.path, before: $1.path) }
        }

        private static func digests(_ kinds: Set<DigestKind>, of mapped: Mapped) throws(ImageFailure) -> ImageDigests {
            let memory = OwnMemory()
            let image = try LoadableImage(mappedIn: memory, header: mapped.header)
            return try image.digests(kinds, in: memory, slide: image.slide(header: mapped.header))
        }

        /// What this process runs.
        package static func executablePath() throws(Refusal) -> String {
            guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
                throw Refusal(.internal, "/proc/self/exe cannot be read")
            }
            return path
        }

        private static func mapped(_ executable: String) -> [Mapped] {
            final class Found { var images: [Mapped] = [] }
            let found = Found()
            _ = clinux_iterate_images(
                { context, name, bias, segments, count in
                    guard let context, let segments else { return 0 }
                    let found = Unmanaged<Found>.fromOpaque(context).takeUnretainedValue()
                    // The header is at the start of the file, which one of the segments brings to memory.
                    let first = UnsafeBufferPointer(start: segments, count: count).first { $0.file_offset == 0 }
                    guard let first else { return 0 }
                    let path = name.map { String(cString: $0) } ?? ""
                    found.images.append(Mapped(path: path, header: bias &+ first.address))
                    return 0
                }, Unmanaged.passUnretained(found).toOpaque())
            // The program itself has no name there.
            return found.images.map { $0.path.isEmpty ? Mapped(path: executable, header: $0.header) : $0 }
        }
    }

    /// The memory of this process, where offsets are addresses.
    private struct OwnMemory: ImageBytes {
        var count: UInt64 { .max }

        func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(ImageFailure) {
            // Through the kernel, so that an address that is not mapped is an error and no crash.
            var done = 0
            while done < buffer.count {
                let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
                let count = clinux_read_memory(getpid(), offset &+ UInt64(done), part.baseAddress, part.count)
                guard count > 0 else {
                    throw .unreadable(offset: offset, reason: String(cString: strerror(errno)))
                }
                done += Int(count)
            }
        }
    }
#endif
