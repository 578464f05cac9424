import CodeMeasurement

/// The file `vigil.json` of either side: where things are, and how strict it is. A member that is not known is an
/// error.
///
/// Source: `vigil` section 12.1.
public struct VigilConfiguration: Sendable, Equatable {
    public var product: String
    /// The folder that the manifest's paths begin at; nil for the one that the program's own path implies.
    public var bundleRoot: String?
    /// Path of the signed manifest.
    public var manifest: String
    public var socketPath: String
    public var stateDirectory: String
    /// The users who may connect; the validator needs at least one.
    public var allowedUsers: Set<UInt32> = []
    /// Where root has installed the app: the group that its program is set-group-ID to. Then only a process of that
    /// very file connects, and looks are first-hand. Nil elsewhere.
    public var installedGroup: UInt32?
    public var profile = HashProfile.text2
    public var requiredLevels = Levels.requiredByDefault
    public var timeout = Duration.seconds(5)
    public var frameTimeout = Duration.seconds(2)
    public var sessionTime = Duration.seconds(600)
    public var timeToLive = Duration.seconds(90)
    public var interval = Duration.seconds(30)
    public var scanInterval = Duration.seconds(1)
    public var jitterPercent = 20
    /// Pages of code that one look compares, where memory may be read.
    public var samplePages = 64
    public var fileCacheTime = Duration.seconds(600)
    public var requireHardware = false
    public var allowProtocolV1 = false
    public var v1Nonce = VersionOne.NoncePolicy.requireEcho
    public var provisioning = Provisioning()
    public var externalPrefixes = MapPolicy().externalPrefixes
    public var deletedExternal = MapPolicy.DeletedExternal.deny
    public var deletedExecutable = MapPolicy.DeletedExecutable.refuseNewSessions
    /// Path of the signed profile of behaviour.
    public var behaviour: String?
    /// Path of the secret for a valid app.
    public var grantFile: String?
    /// A program and its arguments, run without a shell when something was found.
    public var onTamper: [String] = []
    /// How long an app runs on that has found something; nil if it does not end for that.
    public var grace: Duration?
    public var logLevel = VigilLogLevel.info
    /// Release keys that the manifest has to be signed with, beside those that are compiled in: paths of PEM files.
    public var trustedKeys: [String] = []
    public var trustThreshold = 1
    /// Names of the members that the file has, with those of `provisioning` behind its name and a dot.
    var namedMembers: Set<String> = []

    public struct Provisioning: Sendable, Equatable {
        /// Whether the window is open when the validator starts for the first time, and makes its key.
        public var firstStart = false
        public var window = Duration.seconds(60)
        public var requireToken = true
        /// Path of the installer's token.
        public var tokenFile: String?
    }

    public init(product: String, manifest: String, socketPath: String, stateDirectory: String) {
        self.product = product
        self.manifest = manifest
        self.socketPath = socketPath
        self.stateDirectory = stateDirectory
    }
}

/// A configuration that cannot be used.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong, in which member of which file, and what is allowed.
    public let description: String

    package init(_ description: String) {
        self.description = description
    }
}
