import CodeMeasurement
import HardwareKeys
import SecretMemory
import Vigil

/// What a validator is and what it has.
public struct ValidatorIdentity: Sendable {
    /// What verdicts are signed with; apps pin its public half.
    public var key: any SigningKey
    /// Digest of its own code, by the manifest, of the kind of the profile.
    public var hash: Bytes32
    /// Digest of the app's code, by the manifest, of the same kind: what the app has to report.
    public var appHash: Bytes32
    /// The digest that the app's files have to have; ``appHash`` itself, except in profile 1.
    public var appFiles: Bytes32
    /// The epoch of the manifest.
    public var epoch: UInt32
    /// The secret for an app that is valid.
    public var grant: SecretBytes?
    /// The installer's token that an app shows to be pinned; asked for when an app comes. A token that cannot be read
    /// is not taken for a missing one: this throws.
    public var token: @Sendable () throws(Refusal) -> SecretBytes?
    /// Descriptors of the validator itself, for the app to look at it.
    public var handles: [Attachment]
    /// Which descriptors ``handles`` are.
    public var handleMask: HandleMask
    /// The hashes for apps that speak version 1; nil where none is answered.
    package var versionOneHashes: VersionOne.Hashes?

    /// - Parameters: the properties of the same names.
    public init(
        key: any SigningKey, hash: Bytes32, appHash: Bytes32, appFiles: Bytes32? = nil, epoch: UInt32,
        grant: SecretBytes? = nil,
        token: @escaping @Sendable () throws(Refusal) -> SecretBytes? = { () throws(Refusal) in nil },
        handles: [Attachment] = [], handleMask: HandleMask = []
    ) {
        self.key = key
        self.hash = hash
        self.appHash = appHash
        self.appFiles = appFiles ?? appHash
        self.epoch = epoch
        self.grant = grant
        self.token = token
        self.handles = handles
        self.handleMask = handleMask
    }
}
