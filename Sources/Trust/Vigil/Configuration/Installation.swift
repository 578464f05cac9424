#if os(Linux)
    import CodeMeasurement
    import ExecutableImage
    import HardwareKeys
    import Logging
    import Glibc

    /// One side of a pair as it is installed: its configuration, the verified manifest, its keys and its store.
    ///
    /// Source: `vigil` sections 6 and 12.1.
    package struct Installation: Sendable {
        package let role: Role
        package let configuration: VigilConfiguration
        package let manifest: Manifest
        /// What this side and the other one have to be.
        package let own, other: ExpectedProgram
        package let directory: StateDirectory
        package let keys: HardwareSigningKeys
        /// The keys that the manifest is signed with, and the rules of behaviour.
        private let trusted: TrustedKeys
        private let tpm: TPMAddress?
        let logger: Logger

        private static let configurationLimit = 64 * 1024

        /// Reads and verifies everything; makes the state directory if it is missing, and no key.
        ///
        /// - Parameters:
        ///   - path: of the configuration.
        ///   - releaseKeys: that the manifest has to be signed with; where there are none, the configuration names
        ///     them.
        ///   - tpm: where the TPM is, unless the configuration names one; nil for none.
        /// - Throws: ``ConfigurationError``
        package init(
            _ role: Role, configuration path: String, releaseKeys: ReleaseKeys, tpm: TPMAddress?, logger: Logger
        ) throws(ConfigurationError) {
            let configuration = try Self.configuration(at: path)
            try self.init(role, configuration, releaseKeys: releaseKeys, tpm: tpm, logger: logger)
        }

        package init(
            _ role: Role, _ configuration: VigilConfiguration, releaseKeys: ReleaseKeys, tpm: TPMAddress?,
            logger: Logger
        ) throws(ConfigurationError) {
            try configuration.check(for: role)
            self.role = role
            self.configuration = configuration
            let tpm = try configuration.tpm(named: tpm)
            self.tpm = tpm
            trusted = try Self.trusted(releaseKeys, configuration)
            manifest = try Self.manifest(configuration, trusted)
            do {
                let root = try configuration.bundleRoot ?? SelfMeasurement().bundleRoot
                let architecture = RunningArchitecture.name
                own = try ExpectedProgram(role.side, of: manifest, architecture: architecture, bundleRoot: root)
                other = try ExpectedProgram(
                    role.opposite.side, of: manifest, architecture: architecture, bundleRoot: root)
                directory = try StateDirectory(path: configuration.stateDirectory)
            } catch {
                throw ConfigurationError("\(error)")
            }
            var logger = logger
            logger.logLevel = configuration.logLevel.ofLogger
            self.logger = logger
            keys = HardwareSigningKeys(
                in: directory, hardware: HardwareSigningKeys.standardHardware(tpm: tpm),
                policy: KeyPolicy(requireHardware: configuration.requireHardware), logger: logger)
        }

        fileprivate static func configuration(at path: String) throws(ConfigurationError) -> VigilConfiguration {
            let file = try TrustedFile.read(path, limit: configurationLimit)
            do throws(ConfigurationError) { return try VigilConfiguration(parsing: file) } catch {
                throw ConfigurationError("\(path): \(error)")
            }
        }

        fileprivate static func manifest(
            _ configuration: VigilConfiguration, _ trusted: TrustedKeys
        ) throws(ConfigurationError) -> Manifest {
            let file = try TrustedFile.read(configuration.manifest, limit: Envelope.sizeLimit)
            let manifest: Manifest
            do throws(ManifestError) { manifest = try Manifest(verifying: file, by: trusted) } catch {
                throw ConfigurationError("\(configuration.manifest): \(error)")
            }
            guard manifest.product == configuration.product else {
                throw ConfigurationError(
                    "\(configuration.manifest) is of \(manifest.product), and the configuration of \(configuration.product)"
                )
            }
            return manifest
        }

        fileprivate static func trusted(
            _ releaseKeys: ReleaseKeys, _ configuration: VigilConfiguration
        ) throws(ConfigurationError) -> TrustedKeys {
            if let keys = try releaseKeys.trusted() { return keys }
            return try trustedKeys(configuration)
        }

        private static func trustedKeys(_ configuration: VigilConfiguration) throws(ConfigurationError) -> TrustedKeys {
            guard !configuration.trustedKeys.isEmpty else {
                throw ConfigurationError(
                    "no release keys are compiled into this program, and the configuration names none in trustedKeys")
            }
            var keys: [PublicKey] = []
            for path in configuration.trustedKeys {
                let text = String(decoding: try TrustedFile.read(path, limit: 4096), as: UTF8.self)
                guard let key = PublicKey(pem: text) else {
                    throw ConfigurationError("\(path) holds no package P-256 key in PEM")
                }
                keys.append(key)
            }
            guard let trusted = TrustedKeys(keys, threshold: configuration.trustThreshold) else {
                throw ConfigurationError(
                    "trustThreshold is \(configuration.trustThreshold), and \(keys.count) keys are named")
            }
            return trusted
        }
    }

    extension Manifest {
        /// The manifest that is installed for a side, verified; nothing else of the installation is looked at or made.
        ///
        /// - Parameters:
        ///   - path: of the configuration.
        ///   - releaseKeys: as for ``Installation``.
        /// - Throws: ``ConfigurationError``
        package init(
            installedFor role: Role, configuration path: String, releaseKeys: ReleaseKeys
        ) throws(ConfigurationError) {
            let configuration = try Installation.configuration(at: path)
            try configuration.check(for: role)
            self = try Installation.manifest(configuration, Installation.trusted(releaseKeys, configuration))
        }
    }

    extension Installation {
        /// The tag of this side's key.
        package var tag: String { role == .app ? KeyStore.appTag : KeyStore.validatorTag }

        /// This side's key and store; nil where there is no key yet.
        package func storedState() throws(StoreError) -> OwnState? { try openState(making: false) }

        /// What the files of this side's key and store say, whether they can be used or not; nil where that is nothing.
        package func toldState() -> ToldState? {
            ToldState(tag: tag, of: role, product: configuration.product, in: directory, keys: keys)
        }

        /// This side's key and store, made where there is neither.
        package func state() throws(StoreError) -> OwnState {
            guard let state = try openState(making: true) else { throw .accessFailed("No key was made.") }
            return state
        }

        private func openState(making makes: Bool) throws(StoreError) -> OwnState? {
            try OwnState.open(
                tag, of: role, product: configuration.product, in: directory, keys: keys, tpm: tpm, making: makes)
        }

        /// Takes the manifest's epoch for seen, so that an older one is refused from now on.
        ///
        /// - Throws: ``StoreError/epochRollback(found:stored:)``
        package func raiseEpoch(_ store: AttestationStore) throws(StoreError) { try store.raise(epoch: manifest.epoch) }

        /// What both sides report of themselves: the digests of their bundles, or those of version 1.
        ///
        /// - Throws: ``ConfigurationError`` where the manifest has none of that kind.
        ///
        /// Source: `vigil` section 7.3.
        package func reportedHashes() throws(ConfigurationError) -> (own: Bytes32, other: Bytes32) {
            guard configuration.profile == .text1 else { return (own.hash, other.hash) }
            guard let hashes = VersionOne.Hashes(manifest, architecture: RunningArchitecture.name) else {
                throw ConfigurationError("\(configuration.manifest) has no digests for profile 1 and this machine")
            }
            return role == .app ? (hashes.app, hashes.validator) : (hashes.validator, hashes.app)
        }

        /// How the other side is looked at.
        ///
        /// - Parameters:
        ///   - holdsKeys: whether the other side holds keys, and so has to keep the rules of those.
        ///   - behaviour: rules of the product.
        package func inspector(
            holdsKeys: Bool, behaviour: BehaviourProfile = .empty, users: Set<UInt32>? = nil
        ) -> KernelInspector {
            var policy = MeasurementPolicy(profile: behaviour, holdsKeys: holdsKeys)
            policy.map.externalPrefixes = configuration.externalPrefixes
            policy.map.deletedExternal = configuration.deletedExternal
            policy.map.deletedExecutable = configuration.deletedExecutable
            return KernelInspector(
                other, policy, peers: PeerPolicy(allowedUsers: users ?? configuration.allowedUsers),
                installed: installedProgram, files: FileMeasurements(lifetime: configuration.fileCacheTime),
                samplePages: configuration.samplePages)
        }

        /// The program of the other side, where root has installed it so that the kernel keeps it; nil elsewhere.
        package var installedProgram: InstalledProgram? {
            configuration.installedGroup.map { InstalledProgram(path: other.path(of: other.program), group: $0) }
        }

        /// Whether the other side can be looked at as the configuration promises.
        ///
        /// - Throws: ``ConfigurationError`` where this process has not the right, or the program is not installed so.
        package func checkInstalledProgram() throws(ConfigurationError) {
            guard installedProgram != nil else { return }
            guard LookingRight.isHeld else {
                throw ConfigurationError(
                    "installedGroup needs a validator with CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH: start it as casemate-vigil@.service does"
                )
            }
            try checkInstalledFile()
        }

        /// Whether the program of the other side is installed as the configuration says.
        ///
        /// - Throws: ``ConfigurationError`` with what is wrong about it.
        package func checkInstalledFile() throws(ConfigurationError) {
            guard let program = installedProgram else { return }
            try TrustedPath(owners: [0]).check(program.path)
            do throws(MeasurementRefusal) { _ = try program.file() } catch {
                throw ConfigurationError("\(error.finding)")
            }
        }

        /// The signed rules of behaviour, where the configuration names them.
        package func behaviour() throws(ConfigurationError) -> BehaviourProfile {
            guard let path = configuration.behaviour else { return .empty }
            let file = try TrustedFile.read(path, limit: Envelope.sizeLimit)
            do {
                return try BehaviourBinding.profile(verifying: file, by: trusted, beside: manifest)
            } catch {
                throw ConfigurationError("\(path): \(error)")
            }
        }
    }

    extension VigilLogLevel {
        /// The logger's level; no message here is critical.
        fileprivate var ofLogger: Logger.Level {
            switch self {
            case .none: .critical
            case .error: .error
            case .warning: .warning
            case .info: .info
            case .debug: .debug
            }
        }
    }

    extension Role {
        /// The side of the manifest.
        package var side: Side { self == .app ? .app : .validator }
    }
#endif
