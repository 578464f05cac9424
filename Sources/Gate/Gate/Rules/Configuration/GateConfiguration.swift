public import AppAttest

/// How a gate is configured, checked as a whole.
///
/// Source: `appattest-gate` section 3.6.
public struct GateConfiguration: Sendable {
    public let environment: DeploymentEnvironment
    public let decisionRules: DecisionRules
    public let reloadable: Reloadable
    public let attestation: Attestation?
    public let stores: Stores
    public let nonces: Nonces
    public let listener: Listener
    public let upstream: UpstreamSettings
    public let addresses: ClientAddressRule
    /// The versions of the PROXY preamble that trusted proxies send; nil where none is expected.
    public let proxyProtocol: ProxyPreamble.Versions?
    public let connectionLimits: ConnectionCaps.Limits
    public let waiting: WaitingLimits
    public let frames: Frames
    public let heartbeat: Heartbeat
    public let timeouts: Timeouts
    public let drain: DrainPlan.Settings
    public let telnet: Telnet
    public let admin: Admin
    public let log: Log
    public let risk: Risk
    /// The path of the file with the secret by which accounts are kept; nil where keys are not bound to accounts.
    public let accountSecretPath: String?
    /// The number of event loops; nil for one for each core.
    public let eventLoops: Int?
    /// What an operator should look at.
    public let warnings: [ConfigurationProblem]
    /// What every setting came out as, with credentials masked.
    public let effective: [(name: String, value: String)]

    /// What the decisions go by, unchanged while the gate runs.
    public struct DecisionRules: Equatable, Sendable {
        public let requiresAuthentication: Bool
        /// Whether challenges are given and keys registered.
        public let hasAttestation: Bool
        /// The environments whose keys are let in, whenever they were registered.
        public let environments: Set<AppAttestEnvironment>
        public let forwardAuthPath: String?
        public let showsReasons: Bool
        public let rejectsByClosing: Bool
        public let risk: RiskPolicy
        public let accounts: AccountPolicy
        public let devices: DevicePolicy
        /// Which of the two bits that Apple keeps is the ban.
        public let banBit: DeviceBit
    }

    /// What a reload takes over.
    public struct Reloadable: Equatable, Sendable {
        public internal(set) var origins: OriginRule
        public internal(set) var paths: PathRule
        public internal(set) var clientCertificates: ClientCertificateRule
        public internal(set) var challengeRate: RateLimit
        public internal(set) var registerRate: RateLimit
        public internal(set) var failedAuthRate: RateLimit
        /// The rate that each registered key has to itself where its address has spent its own.
        public internal(set) var keyShareRate: RateLimit
        public internal(set) var lists: PolicyLists
    }

    /// Which builds of an app are let in, as far as their devices tell.
    public struct PolicyLists: Equatable, Sendable {
        /// The validation categories that are let in; nil for all that are appropriate.
        public let categories: Set<UInt32>?
        public let requiresCategory: Bool
        public let bundleVersions: Set<String>?
        /// The hashes of code that is let in, 32 bytes each.
        public let codeHashes: Set<[UInt8]>?
    }

    /// Whose attestations count.
    public struct Attestation: Equatable, Sendable {
        public let appIDs: [AppID]
        public let environments: Set<AppAttestEnvironment>
        public let requiresFullMacSecurity: Bool
        public let verifiesReceipt: Bool
        /// The file of a root that stands in place of Apple's.
        public let rootPath: String?
    }

    public struct Stores: Equatable, Sendable {
        public let keys: StoreAddress
        public let nonces: StoreAddress
        public let pool: Int
        public let keyLifetimeDays: Int
        /// The most keys that are kept; nil for no bound.
        public let maximumKeys: Int?
    }

    public struct Nonces: Equatable, Sendable {
        public enum Mode: String, Sendable, CaseIterable {
            case stored, sealed
        }

        public let mode: Mode
        public let lifetimeMilliseconds: Int64
        public let maximumCount: Int
        public let secretPath: String?
        public let bindsAddress: Bool
    }

    public struct Listener: Equatable, Sendable {
        public struct TLS: Equatable, Sendable {
            public let certificatePath: String
            public let keyPath: String
            public let allowsTLS12: Bool
            /// The file of the authorities for client certificates; nil where none is asked for.
            public let clientCAPath: String?
        }

        public let host: String
        public let port: Int
        /// The settings of TLS; nil for plain text.
        public let tls: TLS?
    }

    public struct UpstreamSettings: Equatable, Sendable {
        public enum Framing: String, Sendable, CaseIterable {
            case binary, text, json, legacy
        }

        public let address: Upstream
        /// The file of authorities that stand in place of the system's.
        public let caPath: String?
        public let serverName: String?
        public let connectTimeoutMilliseconds: Int64
        public let preservesHost: Bool
        public let framing: Framing
        public let stripsExtensions: Bool
    }

    /// How many connections may be open on which nobody has been let in yet.
    public struct WaitingLimits: Equatable, Sendable {
        public let total: Int
        public let perClient: Int

        public init(total: Int, perClient: Int) {
            self.total = total
            self.perClient = perClient
        }
    }

    public struct Frames: Equatable, Sendable {
        public let maximumFrameBytes: Int
        public let maximumMessageBytes: Int
        public let validatesUTF8: Bool
        public let deflates: Bool
        /// The most messages a second; 0 for no limit.
        public let messagesPerSecond: Int
    }

    public struct Heartbeat: Equatable, Sendable {
        public let intervalMilliseconds: Int64
        public let timeoutMilliseconds: Int64
        /// How long a connection may be idle; 0 for no limit.
        public let idleMilliseconds: Int64
    }

    public struct Timeouts: Equatable, Sendable {
        public let headerMilliseconds: Int64
        public let bodyMilliseconds: Int64
        public let tlsHandshakeMilliseconds: Int64
    }

    public struct Telnet: Equatable, Sendable {
        public let terminalTypes: [String]
        public let sendsClientAddress: Bool
        public let maximumSubnegotiationBytes: Int
    }

    public struct Admin: Equatable, Sendable {
        public let place: AdminPlace
        public let tokenPath: String?
    }

    public struct Log: Equatable, Sendable {
        public let level: GateEvent.Level
        public let format: EventLog.Format
    }

    public struct Risk: Equatable, Sendable {
        public let refreshes: Bool
        /// Whether the team's key is needed: for receipts, or for bits of devices.
        public let asksApple: Bool
        public let keyPath: String?
        public let keyID: String?
        public let teamID: String?
    }
}

extension GateConfiguration {
    /// What a configuration read anew changes in this one.
    ///
    /// - Returns: what is to be taken over, and the names whose changes wait for a restart.
    public func reloading(_ new: GateConfiguration) -> (settings: Reloadable, needRestart: [String]) {
        var settings = new.reloadable
        // Whether certificates are asked for at all is the listener's, and stays as it is.
        settings.clientCertificates = ClientCertificateRule(
            isActive: reloadable.clientCertificates.isActive,
            allowedSubjects: new.reloadable.clientCertificates.allowedSubjects)
        let changed = zip(effective, new.effective).filter { $0.value != $1.value }.map(\.0.name)
        return (settings, changed.filter { SettingName(rawValue: $0)?.isReloadable != true })
    }
}
