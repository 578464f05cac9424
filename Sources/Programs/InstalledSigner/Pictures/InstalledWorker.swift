#if os(Linux)
    import CodeMeasurement
    import ExecutableImage
    import Files
    import Vigil

    /// The picture reader that is installed with this program. Where a signed manifest is installed, it has to be the
    /// one that was signed.
    enum InstalledWorker {
        private static let name = "casemate-worker"

        /// Takes the digest of the worker's executable, and refuses another one than the manifest's. Nil without a
        /// configuration of Vigil, where this program is not vouched for either.
        static let measurement = InstalledValidator.configuration.map(measurement)

        private static func measurement(configuration: String) -> @Sendable (Int32) throws -> [UInt8] {
            { descriptor in
                let digest = try digest(of: descriptor)
                guard try digest == expectedDigest(configuration: configuration) else { throw Difference.changed }
                return digest
            }
        }

        private static func expectedDigest(configuration: String) throws -> [UInt8] {
            let manifest = try Manifest(installedFor: .app, configuration: configuration, releaseKeys: .compiledIn)
            let image = manifest.images(of: .app, architecture: RunningArchitecture.name)
                .first { $0.path.split(separator: "/").last.map(String.init) == name }
            guard let digest = image?.file else { throw Difference.unknown }
            return digest.bytes
        }

        private static func digest(of descriptor: Int32) throws -> [UInt8] {
            let file = OpenFile(borrowing: FileDescriptor(rawValue: descriptor), path: FilePath(name))
            return try ImageDigest(ofAll: OpenedFile(file)).bytes
        }

        /// Why the executable is not used.
        private enum Difference: Error, CustomStringConvertible {
            case changed, unknown

            var description: String {
                switch self {
                case .changed:
                    "it is not the program that the signed manifest names. Somebody changed it, or installed it by hand: install all of it "
                        + "again (make install-signed)."
                case .unknown:
                    "the signed manifest does not name it. Install a release that was made with it (make install-signed)."
                }
            }
        }
    }
#else
    enum InstalledWorker {
        static let measurement: (@Sendable (Int32) throws -> [UInt8])? = nil
    }
#endif
