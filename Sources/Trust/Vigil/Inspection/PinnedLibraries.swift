#if os(Linux)
    import CodeMeasurement
    import ExecutableImage
    import Files
    import Glibc
    import Synchronization

    /// Libraries of the system whose very content the manifest gives.
    ///
    /// Source: `vigil` section 6.1.
    final class PinnedLibraries: Sendable {
        /// The digests of the manifest, by soname.
        private let digests: [String: Bytes32]
        /// Digests of files that only root may change.
        private let known = Mutex<[FileStamp: Bytes32]>([:])
        private static let limit = 256

        init(_ digests: [String: Bytes32]) {
            self.digests = digests
        }

        /// Compares the file of a mapping, if it has the name of such a library.
        ///
        /// - Parameters:
        ///   - path: where only root may change anything.
        ///   - key: of the mapping.
        func examine(_ path: String, _ key: FileKey) -> ExternalFile {
            guard let soname = Soname.named(by: path, among: digests.keys), let expected = digests[soname] else {
                return .trusted
            }
            do throws(Refusal) {
                let file = try OpenFile.regularFile(at: path, else: .foreignCode)
                guard (try? FileKey(mapping: file.number)) == key else {
                    return .refused("another file than the one that is mapped")
                }
                return try text2(of: file, path) == expected ? .trusted : .refused("not the pinned library")
            } catch {
                return .refused("pinned library that cannot be measured: \(error.finding.text)")
            }
        }

        /// The digest of the very file that was compared with the mapped one, whatever has its name by now.
        private func text2(of file: OpenFile, _ path: String) throws(Refusal) -> Bytes32 {
            do throws(ImageFailure) {
                let number = fcntl(file.number, F_DUPFD_CLOEXEC, 0)
                guard number >= 0 else { throw .unreadable(offset: 0, reason: String(cString: strerror(errno))) }
                let opened = try OpenedFile(taking: number)
                let stamp = (try? file.status()).map(FileStamp.init)
                if let stamp, let digest = known.withLock({ $0[stamp] }) { return digest }
                let parsed = try ExecutableFile(parsing: opened)
                guard let image = parsed.images.first(where: { $0.architecture == RunningArchitecture.name }),
                    let text2 = try parsed.digests([.text2], of: [image]).images.first?.text2,
                    let digest = Bytes32(text2.bytes)
                else { throw .refused(.badMagic, offset: 0) }
                if let stamp {
                    known.withLock { known in
                        if known.count < Self.limit { known[stamp] = digest }
                    }
                }
                return digest
            } catch {
                throw Refusal(.foreignCode, "\(path): \(error)")
            }
        }
    }

    extension OpenFile {
        /// Opens a regular file, not through a link and without waiting for the other end of a pipe.
        ///
        /// - Throws: ``Refusal`` with this reason.
        static func regularFile(at path: String, else reason: Reason) throws(Refusal) -> OpenFile {
            do throws(Errno) {
                let file = try OpenFile(opening: path, followsLinks: false)
                if try file.status().st_mode & S_IFMT == S_IFREG { return file }
            } catch {
                throw Refusal(reason, "\(path) cannot be opened: \(error)")
            }
            throw Refusal(reason, "\(path) is not a regular file")
        }
    }
#endif
