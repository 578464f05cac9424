#if os(Linux)
    import CodeMeasurement
    import ExecutableImage
    import Files
    import Glibc
    import Synchronization

    /// A file of a bundle as it was measured: level L1.
    struct FileMeasurement: Sendable {
        /// The image of the file that was measured, for the memory map.
        let image: MeasuredImage
        /// The digest as computed, or as the manifest says where a digest over all of it agrees with the manifest's.
        let text2: Bytes32
        /// What is not as the manifest says; nil if all is.
        let finding: Finding?
    }

    /// Measures files against a manifest, and remembers the results for a while where only root can change the files.
    ///
    /// Source: `vigil` sections 3.8 and 4.7.
    package final class FileMeasurements: Sendable {
        private struct Key: Hashable {
            let stamp: FileStamp
            let path: String
        }

        private let lifetime: Duration
        private let kept = Mutex<[Key: (measurement: FileMeasurement, end: Deadline?)]>([:])
        /// How many measurements are kept: as many as two bundles of usual size have.
        private static let limit = 256

        /// - Parameter lifetime: for which a result is taken for the file's that has not been touched since.
        package init(lifetime: Duration = .seconds(600)) {
            self.lifetime = lifetime
        }

        /// Forgets everything, so that all files are read again.
        package func forget() { kept.withLock { $0 = [:] } }

        /// Measures an open file.
        ///
        /// - Parameter place: the path that it was found at; nil where it is known by no path of this namespace.
        /// - Throws: ``Refusal``: `unmeasurable` where it cannot be read, `hashMismatch` where it is no such image.
        func measure(
            _ file: OpenFile, at place: String?, as expected: ManifestImage
        ) throws(Refusal) -> FileMeasurement {
            let status = try Self.status(of: file, expected)
            let isRoots = place.map { TrustedPath.isRoots(status, at: $0) } ?? false
            if let objection = FileSystemKind.objection(toMeasuring: file, isRoots: isRoots) {
                throw Refusal(.unmeasurable, "\(expected.path): \(objection)")
            }
            let key = Key(stamp: FileStamp(status), path: expected.path)
            let now = SuspendingClock().now
            if let (measurement, end) = kept.withLock({ $0[key] }), end.map({ isRoots && now < $0 }) ?? true {
                return measurement
            }
            let (measurement, isVerified) = try read(file, as: expected)
            guard FileStamp(try Self.status(of: file, expected)) == key.stamp else {
                throw Refusal(.unmeasurable, "\(expected.path) changed while it was measured")
            }
            // A process that has mapped a file for writing changes it without a trace in its times, and so does whoever
            // has the image that it is in: it is measured each time.
            guard isVerified || isRoots else { return measurement }
            // What the kernel verifies page by page stays measured.
            let end = isVerified ? nil : now.advanced(by: lifetime)
            kept.withLock { kept in
                if kept.count >= Self.limit { kept = kept.filter { $0.value.end.map { now < $0 } ?? true } }
                if kept.count < Self.limit { kept[key] = (measurement, end) }
            }
            return measurement
        }

        /// Measures the installed file of an image.
        ///
        /// - Returns: what is not as the manifest says; nil if all is.
        package func check(_ image: ManifestImage, of expected: ExpectedProgram) throws(Refusal) -> Finding? {
            let path = expected.path(of: image)
            let file = try OpenFile.regularFile(at: path, else: .unmeasurable)
            return try measure(file, at: path, as: image).finding
        }

        private static func status(of file: OpenFile, _ expected: ManifestImage) throws(Refusal) -> stat {
            do throws(Errno) { return try file.status() } catch {
                throw Refusal(.unmeasurable, "\(expected.path) cannot be examined: \(error)")
            }
        }

        private func read(
            _ file: OpenFile, as expected: ManifestImage
        ) throws(Refusal) -> (FileMeasurement, isVerified: Bool) {
            do throws(ImageFailure) {
                let number = fcntl(file.number, F_DUPFD_CLOEXEC, 0)
                guard number >= 0 else {
                    throw .unreadable(offset: 0, reason: String(cString: strerror(errno)))
                }
                let opened = try OpenedFile(taking: number)
                return try opened.measure { opened throws(ImageFailure) in
                    try self.read(opened, file, as: expected)
                }
            } catch {
                let reason: Reason = error.error == nil ? .unmeasurable : .hashMismatch
                throw Refusal(reason, "\(expected.path): \(error)")
            }
        }

        private func read(
            _ opened: OpenedFile, _ file: OpenFile, as expected: ManifestImage
        ) throws(ImageFailure) -> (FileMeasurement, isVerified: Bool) {
            let parsed = try ExecutableFile(parsing: opened)
            let image = parsed.images.first { $0.architecture == expected.architecture }
            guard let image else { throw .refused(.badMagic, offset: 0) }
            let measured: MeasuredImage
            do throws(Errno) {
                measured = try MeasuredImage(path: expected.path, descriptor: file.number, image)
            } catch {
                throw .unreadable(offset: nil, reason: "it cannot be mapped: \(error)")
            }
            if let verity = expected.fsverity, let found = try opened.verityDigest(), found.bytes == verity.bytes {
                return (FileMeasurement(image: measured, text2: expected.text2, finding: nil), true)
            }
            // One digest over everything is enough where it agrees: what is in it cannot differ then.
            if let whole = expected.file {
                if try parsed.digests([.file], of: []).file?.bytes == whole.bytes {
                    return (FileMeasurement(image: measured, text2: expected.text2, finding: nil), false)
                }
            } else if try parsed.digests([.load2], of: [image]).images.first?.load2?.bytes == expected.load2.bytes {
                return (FileMeasurement(image: measured, text2: expected.text2, finding: nil), false)
            }
            return (try differing(parsed, image, from: expected, measured: measured), false)
        }

        /// Says what exactly differs, for the log.
        private func differing(
            _ parsed: ExecutableFile, _ image: LoadableImage, from expected: ManifestImage, measured: MeasuredImage
        ) throws(ImageFailure) -> FileMeasurement {
            let digests = try parsed.digests([.text2, .load2], of: [image]).images.first
            let text2 = digests?.text2.flatMap { Bytes32($0.bytes) } ?? .zero
            var finding = Finding("the file is not that of the manifest", path: expected.path)
            if text2 != expected.text2 {
                finding.text = "the code of the file is not that of the manifest"
                if let pages = expected.pages {
                    let found = try parsed.pageDigests(of: image, pageSize: expected.pageSize)
                    for (index, (segment, run)) in zip(found, pages).enumerated() {
                        let differing = zip(segment.digests, run.digests).enumerated()
                            .filter { $0.element.0.bytes != $0.element.1.bytes }.map(\.offset)
                        guard !differing.isEmpty else { continue }
                        finding.segment = index
                        finding.pages = differing
                        break
                    }
                }
            } else if digests?.load2?.bytes != expected.load2.bytes {
                finding.text = "the data of the file is not that of the manifest"
            }
            return FileMeasurement(image: measured, text2: text2, finding: finding)
        }
    }
#endif
