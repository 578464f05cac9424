#if os(Linux)
    import CLinux
    import CodeMeasurement
    import HardwareKeys
    import Logging
    import SecretMemory

    /// An app as it is installed, ready to ask its validator: the configuration and the manifest read and verified, its
    /// key at hand, descriptors of itself opened, itself closed to debuggers.
    ///
    ///     let app = try InstalledApp(configuration: "/etc/example/vigil-app.json", tpm: .standard, logger: logger)
    ///     if try !app.isProvisioned { try app.provision(token: token) }
    ///     let vigil = app.makeVigil()
    ///
    /// ``makeVigil(distrust:)`` is for programs of tasks, and acts on distrust. A program of threads asks by
    /// ``validate(within:)``, and acts itself.
    ///
    /// Source: `vigil` sections 2.3, 4.3 and 5.4.
    public struct InstalledApp: Sendable {
        package let installation: Installation
        private let key: any SigningKey
        private let store: AttestationStore
        private let handles: MeasurementHandles
        private let inspector: ValidatorInspector
        /// One for all conversations, as it remembers nonces.
        private let versionOne: VersionOneMode?
        private let validatorHash: Bytes32

        /// Makes the app's key if it has none yet, and takes the manifest's epoch for seen.
        ///
        /// Changes the whole process: from here on it leaves no core dump, and other processes of the user may not look
        /// into it.
        ///
        /// - Parameters:
        ///   - path: of the configuration.
        ///   - handles: opened before the process was closed to others; nil to open them here.
        ///   - releaseKeys: that the manifest has to be signed with; where there are none, the configuration names
        ///     them.
        ///   - tpm: where the TPM is; nil for none.
        /// - Throws: ``VigilError`` with what is wrong in which file, and what to do.
        public init(
            configuration path: String, handles: MeasurementHandles? = nil,
            releaseKeys: ReleaseKeys = .compiledIn, tpm: TPMAddress?, logger: Logger
        ) throws(VigilError) {
            do {
                self.handles = try handles ?? MeasurementHandles.ofThisProcess()
                guard clinux_harden_process() == 0 else {
                    throw VigilError(.internalFailure, "the process cannot be protected from debuggers")
                }
                installation = try Installation(
                    .app, configuration: path, releaseKeys: releaseKeys, tpm: tpm, logger: logger)
                let state = try installation.state()
                key = state.key
                store = state.store
                try installation.raiseEpoch(store)
                inspector = ValidatorInspector(
                    kernel: installation.inspector(holdsKeys: true, behaviour: try installation.behaviour()),
                    configuration: installation.configuration)
                versionOne = try Self.versionOne(installation)
                validatorHash = try installation.reportedHashes().other
            } catch {
                throw VigilError(explaining: error)
            }
        }

        /// Whether a validator is pinned.
        ///
        /// - Throws: ``VigilError`` where the store cannot be read; it is never taken for an empty one.
        public var isProvisioned: Bool { get throws(VigilError) { try validatorKey != nil } }

        /// The key of the validator that is pinned; nil where none is.
        ///
        /// - Throws: ``VigilError`` where the store cannot be read.
        public var validatorKey: PublicKey? {
            get throws(VigilError) {
                do throws(StoreError) { return try store.validatorPublicKey() } catch {
                    throw VigilError(explaining: error)
                }
            }
        }

        /// Has this app pinned by the validator whose window is open, and pins the validator.
        ///
        /// - Parameter token: what the installer handed to both; nil only where the configuration sets requireToken to
        ///   false.
        /// - Returns: whether it was pinned now or had been before.
        /// - Throws: ``Refusal``; nothing is pinned then.
        @discardableResult
        public func provision(
            token: SecretBytes?, within time: Duration = Vigil.defaultTimeout
        ) throws(Refusal) -> ProvisionStatus {
            try client().provision(token: token, within: time)
        }

        /// The app's link to its validator, to be initialised by its owner.
        ///
        /// - Parameter distrust: what follows where this app or its validator is not to be trusted.
        public func makeVigil(distrust: DistrustPolicy = DistrustPolicy()) -> Vigil {
            Vigil(distrust: distrust, loading: { () throws(VigilError) in loaded })
        }

        fileprivate var loaded: Vigil.Loaded {
            Vigil.Loaded(client: client(), exitDelay: installation.configuration.grace)
        }

        /// Asks the validator, by a full handshake. Blocks. Nothing follows from the report unless the caller acts on
        /// it.
        ///
        /// - Parameter time: for all of it; nil for what the configuration says.
        public func validate(within time: Duration? = nil) -> VigilValidation {
            let client = client()
            let outcome = client.validate(within: time ?? timeout)
            return VigilValidation(
                report: outcome.report, session: outcome.conversation.map { VigilSession(client, $0) })
        }

        /// The time that each question may take, as the configuration says.
        public var timeout: Duration { installation.configuration.timeout }

        /// How often it goes on asking, as the configuration says.
        public var monitorPolicy: MonitorPolicy { MonitorPolicy(installation.configuration) }

        /// Nil unless the configuration has this app speak version 1, which it then does alone.
        private static func versionOne(_ installation: Installation) throws(VigilError) -> VersionOneMode? {
            let configuration = installation.configuration
            guard configuration.allowProtocolV1 else { return nil }
            guard let hashes = VersionOne.Hashes(installation.manifest, architecture: RunningArchitecture.name) else {
                throw VigilError(.validatorNotConfigured, "the manifest has no digests of version 1 for this machine")
            }
            if let warning = configuration.v1Nonce.warning { installation.logger.warning("\(warning)") }
            let own = installation.own
            return VersionOneMode(validatorHash: hashes.validator, noncePolicy: configuration.v1Nonce) {
                () throws(Refusal) in
                try SelfMeasurement(bundleRoot: own.bundleRoot).combinedTextDigest(of: own)
            }
        }

        /// The app's side of one conversation.
        package func client() -> ValidationClient {
            let (own, profile) = (installation.own, installation.configuration.profile)
            let pagemap = handles.pagemap
            return ValidationClient(
                AppIdentity(
                    key: key,
                    measure: { () throws(Refusal) in
                        // It brings all code into memory, where the validator would have to look at each page of it.
                        defer { SelfMeasurement.releaseUnchangedCode(pagemap) }
                        let measurement = try SelfMeasurement(bundleRoot: own.bundleRoot)
                        return try profile == .text1
                            ? measurement.combinedTextDigest(of: own) : measurement.bundleDigest(of: own)
                    }, validatorHash: validatorHash, validatorFiles: installation.other.hash, text2: own.hash,
                    epoch: installation.manifest.epoch, profile: installation.configuration.profile,
                    handles: handles.descriptors, handleMask: handles.mask),
                UnixEndpoint(
                    installation.configuration.socketPath, frameTime: installation.configuration.frameTimeout),
                pins: store.pins(), inspector: inspector,
                requiredLevels: installation.configuration.requiredLevels,
                requiresToken: installation.configuration.provisioning.requireToken, versionOne: versionOne)
        }
    }

    extension Vigil {
        /// The link of the app of an installation; everything is read by ``initialize()``.
        ///
        /// - Parameters: those of ``InstalledApp/init(configuration:handles:releaseKeys:tpm:logger:)``, and `distrust`:
        ///   what follows where this app or its validator is not to be trusted.
        public init(
            configuration path: String, handles: MeasurementHandles? = nil,
            releaseKeys: ReleaseKeys = .compiledIn, tpm: TPMAddress?, distrust: DistrustPolicy = DistrustPolicy(),
            logger: Logger
        ) {
            self.init(
                distrust: distrust,
                loading: { () throws(VigilError) in
                    try InstalledApp(
                        configuration: path, handles: handles, releaseKeys: releaseKeys, tpm: tpm, logger: logger
                    ).loaded
                })
        }
    }

    extension VigilError {
        fileprivate init(explaining error: any Error) {
            switch error {
            case let error as VigilError: self = error
            case let error as ConfigurationError: self.init(.validatorNotConfigured, error.description)
            case let error as HardwareKeyError: self.init(.keychainAccessFailed, "\(error)")
            case let error as StoreError: self.init(error.code, "\(error)")
            default: self.init(.internalFailure, "\(error)")
            }
        }
    }
#endif
