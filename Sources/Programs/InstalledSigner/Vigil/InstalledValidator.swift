#if os(Linux)
    import CLinux
    import CodeMeasurement
    import Console
    import BasicFoundation
    import HardwareKeys
    import Logging
    import SecretMemory
    import Signer
    import Synchronization
    import Vigil

    /// The validator of this installation. What is installed is read when it is first asked for, and verified.
    package final class InstalledValidator: VerdictSource {
        /// Nil for a program without a configuration of Vigil.
        package static let current: InstalledValidator? = configuration.map { InstalledValidator($0) }

        /// `$CASEMATE_VIGIL`, also where nothing is there; else beside bin/ that of this user, or of all, if it is
        /// there.
        package static let configuration: String? = {
            if let path = ProcessInfo.processInfo.variable("CASEMATE_VIGIL") {
                return FileManager.default.absolutePath(path)
            }
            guard let root = try? SelfMeasurement().bundleRoot else { return nil }
            return ["etc/users/\(geteuid())", "etc"].map { "\(root)/\($0)/vigil-app.json" }
                .first(where: FileManager.default.fileExists)
        }()

        private let path: String
        private let handles: Result<MeasurementHandles, MeasurementRefusal>
        private let loaded = Mutex<Result<InstalledApp, VigilRefusal>?>(nil)

        private init(_ path: String) {
            self.path = path
            handles = Result { () throws(MeasurementRefusal) in try MeasurementHandles.ofThisProcess() }
        }

        /// Opens the descriptors of this process that the validator looks at; afterwards it may be closed to all other
        /// processes.
        package static func prepare() { _ = current }

        package func verdict() throws(VigilRefusal) -> Verdict? {
            let app = try app()
            guard let key = try Self.explaining(app.validatorKey) else { return nil }
            let validation = app.validate()
            let report = validation.report
            guard report.result.isTrusted else { throw .noVerdict(reason: report.text) }
            let vouching = try validation.session.map { (session) throws(VigilRefusal) in
                try ValidatorVouching(session, policy: app.monitorPolicy, timeToLive: report.timeToLive)
            }
            return Verdict(
                Verdict.Account(
                    product: app.installation.manifest.product, validatorKeyID: "\(key.id)",
                    levels: report.measuredApp.names, validatorLevels: report.measuredValidator.names,
                    isUserShared: report.isUserShared, isFirsthand: report.isAppFirsthand, latency: report.latency),
                grant: try Self.copy(report.grant), vouching: vouching)
        }

        /// The grant for this one opening; nil where the validator gives none.
        private static func copy(_ granted: GrantedSecret?) throws(VigilRefusal) -> SecretBytes? {
            do {
                return try granted?.withUnsafeBytes { try SecretBytes(copying: $0) }
            } catch {
                throw .noVerdict(reason: "\(error)")
            }
        }

        /// Has this program pinned by the validator whose window is open, and pins it.
        ///
        /// - Parameter token: of the installer; nil takes the file that the configuration names.
        /// - Returns: the validator's key.
        /// - Throws: ``InstallationError/notProvisioned(reason:)``.
        package func provision(tokenFile: String?) throws -> String {
            let app = try app()
            let path = tokenFile ?? app.installation.configuration.provisioning.tokenFile
            let token = try path.map(FileManager.default.absolutePath).map {
                try TrustedFile.readSecret($0, limit: ProvisioningToken.count)
            }
            do throws(Refusal) {
                try app.provision(token: token, within: app.timeout)
            } catch {
                throw InstallationError.notProvisioned(reason: "\(error.finding)")
            }
            guard let key = try app.validatorKey else {
                throw InstallationError.notProvisioned(reason: "the pin was not stored")
            }
            return "\(key.id)"
        }

        /// What there is to tell, after the validator was asked.
        package func state() -> ValidatorState {
            var state = ValidatorState(configuration: path)
            do throws(VigilRefusal) {
                let app = try app()
                state.product = app.installation.manifest.product
                state.epoch = app.installation.manifest.epoch
                state.socket = app.installation.configuration.socketPath
                state.validatorKeyID = try Self.explaining(app.validatorKey)
                    .map { "\($0.id)" }
                guard state.validatorKeyID != nil else { return state }
                let report = Self.report(app)
                state.vouches = report.result.isTrusted
                state.reason = report.result.isTrusted ? nil : report.text
                state.keyKind = report.appKeyKind?.rawValue
                state.validatorKeyKind = report.validatorKeyKind?.rawValue
                state.levels = report.measuredApp.names
                state.validatorLevels = report.measuredValidator.names
                state.latencyMicroseconds = report.latency.inMicroseconds
                state.grants = report.grant != nil
                state.sharedUser = report.isUserShared
                state.look = .init(isFirsthand: report.isAppFirsthand)
                state.validatorLook = .init(
                    isFirsthand: !report.flags.contains(.secondhand),
                    isEnvironmentRead: !report.flags.contains(.environmentUnreadable))
            } catch {
                state.reason = "\(error)"
            }
            return state
        }

        private static func report(_ app: InstalledApp) -> VigilReport {
            let validation = app.validate()
            validation.session?.close()
            return validation.report
        }

        private func app() throws(VigilRefusal) -> InstalledApp {
            try loaded.withLock { loaded in
                let result = loaded ?? Result { () throws(VigilRefusal) in try load() }
                loaded = result
                return result
            }.get()
        }

        private func load() throws(VigilRefusal) -> InstalledApp {
            let handles: MeasurementHandles
            do throws(MeasurementRefusal) { handles = try self.handles.get() } catch {
                throw .noVerdict(reason: "\(error.finding)")
            }
            let tpm = try Self.tpm()
            return try Self.explaining(
                InstalledApp(
                    configuration: path, handles: handles, tpm: tpm,
                    logger: Logger(label: "casemate") { _ in SwiftLogNoOpLogHandler() }))
        }

        /// Where the TPM for Vigil's keys is: as the environment says, else the kernel's, if there is one. Whoever
        /// starts a program as root installed it names no TPM that is a program of theirs.
        private static func tpm() throws(VigilRefusal) -> TPMAddress? {
            guard let text = ProcessInfo.processInfo.variable("VIGIL_TPM") else {
                return FileManager.default.fileExists(atPath: "/dev/tpmrm0") ? .standard : nil
            }
            let address: TPMAddress?
            do throws(HardwareKeyError) { address = try TPMAddress.vigil(text) } catch {
                throw .noVerdict(reason: "VIGIL_TPM: \(error)")
            }
            guard let address, address.isSoftware, clinux_started_elevated() != 0 else { return address }
            throw .noVerdict(
                reason:
                    "VIGIL_TPM: \(address) is a TPM that is a program, which root alone names here, as \"tpm\" in the "
                    + "configuration")
        }

        private static func explaining<R>(
            _ body: @autoclosure () throws(VigilError) -> R
        ) throws(VigilRefusal) -> R {
            do throws(VigilError) { return try body() } catch { throw .noVerdict(reason: "\(error)") }
        }
    }

    extension VigilReport {
        /// Why the validator is not trusted.
        var text: String { (["\(reason)"] + findings.prefix(1).map { "\($0)" }).joined(separator: ": ") }
    }

    extension Levels {
        /// The names of the levels, as `L0`, in their order.
        fileprivate var names: [String] { (0..<6).filter { rawValue >> $0 & 1 == 1 }.map { "L\($0)" } }
    }
#else
    import SecretMemory
    import Signer

    /// The validator on other systems, where none is installed beside this program.
    package final class InstalledValidator: VerdictSource {
        package static let current: InstalledValidator? = nil

        private init() {}

        package static func prepare() {}
        package func verdict() throws(VigilRefusal) -> Verdict? { nil }
        package func provision(tokenFile: String?) throws -> String { throw VigilRefusal.notProvisioned }
        package func state() -> ValidatorState { ValidatorState(configuration: "") }
    }
#endif
