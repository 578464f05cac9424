import CodeMeasurement
import HardwareKeys
import SecretMemory
import Vigil
import VigilValidator

/// A validator of an installation, ready to answer.
struct RunningValidator {
    let installation: Installation
    let engine: VigilValidatorEngine
    let store: AttestationStore

    /// - Throws: `ConfigurationError`, `HardwareKeyError`, `StoreError`, `Refusal`
    init(_ installation: Installation) throws {
        self.installation = installation
        let configuration = installation.configuration
        guard !configuration.allowedUsers.isEmpty else {
            throw ConfigurationError("allowedUids is empty: name the users whose programs may connect")
        }
        try TrustedPath().checkFolders(above: configuration.socketPath)
        let handles = try ThisProcess.handles()
        let state = try installation.state()
        let key = state.key
        store = state.store
        try installation.raiseEpoch(store)
        let window = StoredWindow(installation.directory)
        try window.removeIfOver()
        // Once, and not whenever no app is pinned: that is so as well after a pin was revoked.
        if configuration.provisioning.firstStart, state.isNew {
            try window.open(for: configuration.provisioning.window)
        }
        let reported = try installation.reportedHashes()
        var identity = ValidatorIdentity(
            key: key, hash: reported.own, appHash: reported.other, appFiles: installation.other.hash,
            epoch: installation.manifest.epoch, handles: handles.descriptors, handleMask: handles.mask)
        identity.grant = try Self.grant(configuration.grantFile)
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
        let log = VerdictLog(configuration.logLevel)
        let tamper = try TamperCommand(configuration.onTamper)
        engine = VigilValidatorEngine(
            identity, Self.policy(configuration), pins: store.pins(),
            inspector: installation.inspector(
                holdsKeys: true, behaviour: try installation.behaviour()),
            window: SharedWindow(window), evidence: EvidenceWriter(installation, key).give, onVerdict: log.write,
            onFinding: { refusal, _ in tamper.run(refusal) },
            onIdle: { SelfMeasurement.releaseUnchangedCode(handles.pagemap) })
    }

    /// Refuses to vouch for any app with files that are not its own, or where it could not look as the configuration
    /// promises.
    func checkFiles() throws {
        try installation.checkInstalledProgram()
        // All code is in memory by then, and an idle validator needs little of it.
        defer { SelfMeasurement.releaseUnchangedCode(try? ThisProcess.handles().pagemap) }
        let hash = try SelfMeasurement(bundleRoot: installation.own.bundleRoot).bundleDigest(of: installation.own)
        guard hash == installation.own.hash else {
            throw ConfigurationError(
                "this validator is not the one of \(installation.configuration.manifest); install it again")
        }
    }

    private static func policy(_ configuration: VigilConfiguration) -> ValidatorPolicy {
        var policy = ValidatorPolicy()
        policy.requiredLevels = configuration.requiredLevels
        policy.profile = configuration.profile
        policy.timeToLive = configuration.timeToLive
        policy.sessionTime = configuration.sessionTime
        policy.scanInterval = configuration.scanInterval
        policy.fileInterval = configuration.fileCacheTime
        policy.jitterPercent = configuration.jitterPercent
        policy.stateTime = configuration.timeout
        policy.frameTime = configuration.frameTimeout
        policy.requiresToken = configuration.provisioning.requireToken
        policy.allowsVersionOne = configuration.allowProtocolV1
        return policy
    }

    private static func grant(_ path: String?) throws(ConfigurationError) -> SecretBytes? {
        guard let path else { return nil }
        return try TrustedFile.readSecret(path, limit: 4080)
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
