internal import AppAttest
internal import Telnet

/// How a gate is configured, checked as a whole.
///
/// Source: `appattest-gate` section 3.6.
struct GateConfiguration: Sendable {
    let environment: DeploymentEnvironment
    let decisionRules: DecisionRules
    let reloadable: Reloadable
    let attestation: Attestation?
    let stores: Stores
    let nonces: Nonces
    let listener: Listener
    let upstream: UpstreamSettings
    let addresses: ClientAddressRule
    /// The versions of the PROXY preamble that trusted proxies send; nil where none is expected.
    let proxyProtocol: ProxyPreamble.Versions?
    let connectionLimits: ConnectionCaps.Limits
    let waiting: WaitingLimits
    let frames: Frames
    let heartbeat: Heartbeat
    let timeouts: Timeouts
    let drain: DrainPlan.Settings
    let telnet: Telnet
    let admin: Admin
    let log: Log
    let risk: Risk
    /// The path of the file with the secret by which accounts are kept; nil where keys are not bound to accounts.
    let accountSecretPath: String?
    /// The number of event loops; nil for one for each core.
    let eventLoops: Int?
    /// What an operator should look at.
    let warnings: [ConfigurationProblem]
    /// What every setting came out as, with credentials masked.
    let effective: [(name: String, value: String)]

    /// What the decisions go by, unchanged while the gate runs.
    struct DecisionRules: Equatable, Sendable {
        let requiresAuthentication: Bool
        /// Whether challenges are given and keys registered.
        let hasAttestation: Bool
        /// The environments whose keys are let in, whenever they were registered.
        let environments: Set<AppAttestEnvironment>
        let forwardAuthPath: String?
        let showsReasons: Bool
        let rejectsByClosing: Bool
        let risk: RiskPolicy
        let accounts: AccountPolicy
        let devices: DevicePolicy
        /// Which of the two bits that Apple keeps is the ban.
        let banBit: DeviceBit
    }

    /// What a reload takes over.
    struct Reloadable: Equatable, Sendable {
        var origins: OriginRule
        var paths: PathRule
        var clientCertificates: ClientCertificateRule
        var challengeRate: RateLimit
        var registerRate: RateLimit
        var failedAuthRate: RateLimit
        /// The rate that each registered key has to itself where its address has spent its own.
        var keyShareRate: RateLimit
        var lists: PolicyLists
    }

    /// Which builds of an app are let in, as far as their devices tell.
    struct PolicyLists: Equatable, Sendable {
        /// The validation categories that are let in; nil for all that are appropriate.
        let categories: Set<UInt32>?
        let requiresCategory: Bool
        let bundleVersions: Set<String>?
        /// The hashes of code that is let in, 32 bytes each.
        let codeHashes: Set<[UInt8]>?
    }

    /// Whose attestations count.
    struct Attestation: Equatable, Sendable {
        let appIDs: [AppID]
        let environments: Set<AppAttestEnvironment>
        let requiresFullMacSecurity: Bool
        let verifiesReceipt: Bool
        /// The file of a root that stands in place of Apple's.
        let rootPath: String?
    }

    struct Stores: Equatable, Sendable {
        let keys: StoreAddress
        let nonces: StoreAddress
        let pool: Int
        let keyLifetimeDays: Int
        /// The most keys that are kept; nil for no bound.
        let maximumKeys: Int?
    }

    struct Nonces: Equatable, Sendable {
        enum Mode: String, Sendable, CaseIterable {
            case stored, sealed
        }

        let mode: Mode
        let lifetimeMilliseconds: Int64
        let maximumCount: Int
        let secretPath: String?
        let bindsAddress: Bool
    }

    struct Listener: Equatable, Sendable {
        struct TLS: Equatable, Sendable {
            let certificatePath: String
            let keyPath: String
            let allowsTLS12: Bool
            /// The file of the authorities for client certificates; nil where none is asked for.
            let clientCAPath: String?
        }

        let host: String
        let port: Int
        /// The settings of TLS; nil for plain text.
        let tls: TLS?
    }

    struct UpstreamSettings: Equatable, Sendable {
        let address: Upstream
        /// The file of authorities that stand in place of the system's.
        let caPath: String?
        let serverName: String?
        let connectTimeoutMilliseconds: Int64
        let preservesHost: Bool
        let framing: ClientFraming
        let stripsExtensions: Bool
    }

    /// How many connections may be open on which nobody has been let in yet.
    struct WaitingLimits: Equatable, Sendable {
        let total: Int
        let perClient: Int

        init(total: Int, perClient: Int) {
            self.total = total
            self.perClient = perClient
        }
    }

    struct Frames: Equatable, Sendable {
        let maximumFrameBytes: Int
        let maximumMessageBytes: Int
        let validatesUTF8: Bool
        let deflates: Bool
        /// The most messages a second; 0 for no limit.
        let messagesPerSecond: Int
    }

    struct Heartbeat: Equatable, Sendable {
        let intervalMilliseconds: Int64
        let timeoutMilliseconds: Int64
        /// How long a connection may be idle; 0 for no limit.
        let idleMilliseconds: Int64
    }

    struct Timeouts: Equatable, Sendable {
        let headerMilliseconds: Int64
        let bodyMilliseconds: Int64
        let tlsHandshakeMilliseconds: Int64
    }

    struct Telnet: Equatable, Sendable {
        let terminalTypes: [String]
        let sendsClientAddress: Bool
        let maximumSubnegotiationBytes: Int
    }

    struct Admin: Equatable, Sendable {
        let place: AdminPlace
        let tokenPath: String?
    }

    struct Log: Equatable, Sendable {
        let level: GateEvent.Level
        let format: EventLog.Format
    }

    struct Risk: Equatable, Sendable {
        let refreshes: Bool
        /// Whether the team's key is needed: for receipts, or for bits of devices.
        let asksApple: Bool
        let keyPath: String?
        let keyID: String?
        let teamID: String?
    }
}

extension GateConfiguration {
    /// What a configuration read anew changes in this one.
    ///
    /// - Returns: what is to be taken over, and the names whose changes wait for a restart.
    func reloading(_ new: GateConfiguration) -> (settings: Reloadable, needRestart: [String]) {
        var settings = new.reloadable
        // Whether certificates are asked for at all is the listener's, and stays as it is.
        settings.clientCertificates = ClientCertificateRule(
            isActive: reloadable.clientCertificates.isActive,
            allowedSubjects: new.reloadable.clientCertificates.allowedSubjects)
        let changed = zip(effective, new.effective).filter { $0.value != $1.value }.map(\.0.name)
        return (settings, changed.filter { SettingName(rawValue: $0)?.isReloadable != true })
    }
}
