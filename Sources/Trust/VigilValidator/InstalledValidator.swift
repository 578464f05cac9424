#if os(Linux)
    import CodeMeasurement
    import HardwareKeys
    import Logging
    import SecretMemory
    import Vigil

    /// A validator as it is installed, ready to answer: the configuration and the manifest read and verified, its key
    /// and its store at hand, its rules those of the configuration.
    ///
    ///     let validator = try InstalledValidator(
    ///         configuration: "/etc/example/vigil-validator.json", handles: handles, tpm: .standard, logger: logger)
    ///     try validator.checkFiles()
    ///     try validator.engine.run(UnixListener(at: validator.socketPath))
    ///
    /// Source: `vigil` sections 2.4, 6.3 and 12.
    public struct InstalledValidator: Sendable {
        /// Answers apps.
        public let engine: VigilValidatorEngine
        /// The pins of the apps.
        public let store: AttestationStore
        package let installation: Installation
        private let handles: MeasurementHandles

        /// Reads and verifies everything, and makes the validator's key if it has none yet.
        ///
        /// - Parameters:
        ///   - path: of the configuration.
        ///   - handles: of this process, opened before it was closed to others.
        ///   - releaseKeys: that the manifest has to be signed with; where there are none, the configuration names
        ///     them.
        ///   - tpm: where the TPM is; nil for none.
        ///   - onVerdict: is told of each verdict, for the log; on the thread of the connection.
        ///   - onFinding: is told of what ended a session, once it has ended; on the same thread.
        /// - Throws: ``ConfigurationError``, `HardwareKeyError`, ``StoreError`` or ``Refusal``, with what is wrong in
        ///   which file.
        public init(
            configuration path: String, handles: MeasurementHandles, releaseKeys: ReleaseKeys = .compiledIn,
            tpm: TPMAddress?, logger: Logger, onVerdict: @escaping @Sendable (Verdict) -> Void = { _ in },
            onFinding: @escaping @Sendable (Refusal, ProcessIdentity?) -> Void = { _, _ in }
        ) throws {
            try self.init(
                Installation(.validator, configuration: path, releaseKeys: releaseKeys, tpm: tpm, logger: logger),
                handles: handles, onVerdict: onVerdict, onFinding: onFinding)
        }

        package init(
            _ installation: Installation, handles: MeasurementHandles,
            onVerdict: @escaping @Sendable (Verdict) -> Void,
            onFinding: @escaping @Sendable (Refusal, ProcessIdentity?) -> Void
        ) throws {
            self.installation = installation
            self.handles = handles
            let configuration = installation.configuration
            guard !configuration.allowedUsers.isEmpty else {
                throw ConfigurationError("allowedUids is empty: name the users whose programs may connect")
            }
            try TrustedPath().checkFolders(above: configuration.socketPath)
            let state = try installation.state()
            store = state.store
            try installation.raiseEpoch(store)
            let window = StoredWindow(installation.directory)
            try window.removeIfOver()
            // Once, and not whenever no app is pinned: that is so as well after a pin was revoked.
            if configuration.provisioning.firstStart, state.isNew {
                try window.open(for: configuration.provisioning.window)
            }
            engine = VigilValidatorEngine(
                try Self.identity(installation, key: state.key, handles: handles), ValidatorPolicy(configuration),
                pins: store.pins(),
                inspector: installation.inspector(holdsKeys: true, behaviour: try installation.behaviour()),
                window: SharedWindow(window), evidence: EvidenceWriter(installation, state.key).write,
                onVerdict: onVerdict, onFinding: onFinding,
                onIdle: { SelfMeasurement.releaseUnchangedCode(handles.pagemap) })
        }

        /// The socket that the configuration names.
        public var socketPath: String { installation.configuration.socketPath }

        /// Refuses to vouch for any app with files that are not its own, or where it could not look as the
        /// configuration promises.
        ///
        /// - Throws: ``ConfigurationError`` or ``Refusal`` with what is not as it has to be.
        public func checkFiles() throws {
            try installation.checkInstalledProgram()
            // All code is in memory by then, and an idle validator needs little of it.
            defer { SelfMeasurement.releaseUnchangedCode(handles.pagemap) }
            let hash = try SelfMeasurement(bundleRoot: installation.own.bundleRoot).bundleDigest(of: installation.own)
            guard hash == installation.own.hash else {
                throw ConfigurationError(
                    "this validator is not the one of \(installation.configuration.manifest); install it again")
            }
        }

        private static func identity(
            _ installation: Installation, key: any SigningKey, handles: MeasurementHandles
        ) throws -> ValidatorIdentity {
            let configuration = installation.configuration
            let reported = try installation.reportedHashes()
            var identity = ValidatorIdentity(
                key: key, hash: reported.own, appHash: reported.other, appFiles: installation.other.hash,
                epoch: installation.manifest.epoch, handles: handles.descriptors, handleMask: handles.mask)
            identity.grant = try grant(configuration.grantFile)
            identity.token = { [directory = installation.directory] () throws(Refusal) in
                do throws(HardwareKeyError) {
                    if let token = try StoredWindow(directory).token() { return token }
                } catch {
                    throw Refusal(.internal, "the token of the window cannot be read: \(error)")
                }
                return try Self.token(configuration.provisioning.tokenFile)
            }
            if configuration.allowProtocolV1 {
                identity.versionOneHashes = VersionOne.Hashes(
                    installation.manifest, architecture: RunningArchitecture.name)
            }
            return identity
        }

        private static func grant(_ path: String?) throws(ConfigurationError) -> SecretBytes? {
            guard let path else { return nil }
            return try TrustedFile.readSecret(path, limit: Grant.limit)
        }

        /// The installer's token. One that is configured and cannot be used is an error: without it any app would be
        /// pinned.
        private static func token(_ path: String?) throws(Refusal) -> SecretBytes? {
            guard let path else { return nil }
            let token: SecretBytes
            do throws(ConfigurationError) {
                token = try TrustedFile.readSecret(path, limit: ProvisioningToken.count)
            } catch {
                throw Refusal(.internal, "\(error)")
            }
            guard token.count == ProvisioningToken.count else {
                throw Refusal(.internal, "\(path) has \(token.count) bytes, and a token has \(ProvisioningToken.count)")
            }
            return token
        }
    }

    extension ValidatorPolicy {
        /// What a configuration asks for.
        init(_ configuration: VigilConfiguration) {
            requiredLevels = configuration.requiredLevels
            profile = configuration.profile
            timeToLive = configuration.timeToLive
            sessionTime = configuration.sessionTime
            scanInterval = configuration.scanInterval
            fileInterval = configuration.fileCacheTime
            jitterPercent = configuration.jitterPercent
            stateTime = configuration.timeout
            frameTime = configuration.frameTimeout
            requiresToken = configuration.provisioning.requireToken
            allowsVersionOne = configuration.allowProtocolV1
        }
    }
#endif
