import CodeMeasurement
import HardwareKeys

/// The file `vigil.json` of either side: where things are, and how strict it is. A member that is not known is an
/// error.
///
/// Source: `vigil` section 12.1.
package struct VigilConfiguration: Sendable, Equatable {
    package var product: String
    /// The folder that the manifest's paths begin at; nil for the one that the program's own path implies.
    package var bundleRoot: String?
    /// Path of the signed manifest.
    package var manifest: String
    package var socketPath: String
    package var stateDirectory: String
    /// The users who may connect; the validator needs at least one.
    package var allowedUsers: Set<UInt32> = []
    /// Where root has installed the app: the group that its program is set-group-ID to. Then only a process of that
    /// very file connects, and looks are first-hand. Nil elsewhere.
    package var installedGroup: UInt32?
    package var profile = HashProfile.text2
    package var requiredLevels = Levels.requiredByDefault
    package var timeout = Duration.seconds(5)
    package var frameTimeout = Duration.seconds(2)
    package var sessionTime = Duration.seconds(600)
    package var timeToLive = Duration.seconds(90)
    package var interval = Duration.seconds(30)
    package var scanInterval = Duration.seconds(1)
    package var jitterPercent = 20
    /// Pages of code that one look compares, where memory may be read.
    package var samplePages = 64
    package var fileCacheTime = Duration.seconds(600)
    package var requireHardware = false
    /// Where the TPM is; nil for what the program is told, else the kernel's.
    package var tpm: TPMAddress?
    package var allowProtocolV1 = false
    package var v1Nonce = VersionOne.NoncePolicy.requireEcho
    package var provisioning = Provisioning()
    package var externalPrefixes = MapPolicy().externalPrefixes
    package var deletedExternal = MapPolicy.DeletedExternal.deny
    package var deletedExecutable = MapPolicy.DeletedExecutable.refuseNewSessions
    /// Path of the signed profile of behaviour.
    package var behaviour: String?
    /// Path of the secret for a valid app.
    package var grantFile: String?
    /// A program and its arguments, run without a shell when something was found.
    package var onTamper: [String] = []
    /// How long an app runs on that has found something; nil if it does not end for that.
    package var grace: Duration?
    package var logLevel = VigilLogLevel.info
    /// Release keys that the manifest has to be signed with, beside those that are compiled in: paths of PEM files.
    package var trustedKeys: [String] = []
    package var trustThreshold = 1
    /// Names of the members that the file has, with those of `provisioning` behind its name and a dot.
    var namedMembers: Set<String> = []

    package struct Provisioning: Sendable, Equatable {
        /// Whether the window is open when the validator starts for the first time, and makes its key.
        package var firstStart = false
        package var window = Duration.seconds(60)
        package var requireToken = true
        /// Path of the installer's token.
        package var tokenFile: String?
    }

    package init(product: String, manifest: String, socketPath: String, stateDirectory: String) {
        self.product = product
        self.manifest = manifest
        self.socketPath = socketPath
        self.stateDirectory = stateDirectory
    }

    /// Where the TPM of this side is. Whoever starts a program says that as well, and brings one that is a program of
    /// theirs: where hardware is required, the configuration alone names such a one.
    ///
    /// - Parameter named: by whoever starts this side, or the kernel's; nil for none.
    /// - Throws: ``ConfigurationError``
    func tpm(named: TPMAddress?) throws(ConfigurationError) -> TPMAddress? {
        if let tpm { return tpm }
        guard requireHardware, let named, named.isSoftware else { return named }
        throw ConfigurationError(
            "\(named) is a TPM that is a program, and keys have to be in hardware; unset VIGIL_TPM, or name it as "
                + "\"tpm\" in the configuration")
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
