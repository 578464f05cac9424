package import AppAttest
internal import Telnet

/// How a gate is configured, checked as a whole.
///
/// Source: `appattest-gate` section 3.6.
public struct GateConfiguration: Sendable {
    let environment: DeploymentEnvironment
    package let decisionRules: DecisionRules
    package let reloadable: Reloadable
    package let attestation: Attestation?
    package let stores: Stores
    package let nonces: Nonces
    package let listener: Listener
    package let upstream: UpstreamSettings
    let addresses: ClientAddressRule
    /// The versions of the PROXY preamble that trusted proxies send; nil where none is expected.
    let proxyProtocol: ProxyPreamble.Versions?
    let connectionLimits: ConnectionCaps.Limits
    package let waiting: WaitingLimits
    package let frames: Frames
    /// How what passes between a client and a WebSocket upstream is looked at.
    package let relayMode: RelayMode
    package let heartbeat: Heartbeat
    package let timeouts: Timeouts
    let drain: DrainPlan.Settings
    package let telnet: Telnet
    package let admin: Admin
    package let log: Log
    package let risk: Risk
    /// The path of the file with the secret by which accounts are kept; nil where keys are not bound to accounts.
    package let accountSecretPath: String?
    /// The number of event loops; nil for one for each core.
    package let eventLoops: Int?
    /// What an operator should look at.
    package let warnings: [ConfigurationProblem]
    /// What an operator chose to be weaker than usual: it is shown and logged, and never an error.
    package let notices: [ConfigurationProblem]
    /// What every setting came out as, with credentials masked.
    package let effective: [(name: String, value: String)]
    /// The same as it was written, credentials included, to find what a reload changes.
    let written: [SettingName: String]

    /// What the decisions go by, unchanged while the gate runs.
    package struct DecisionRules: Equatable, Sendable {
        package let requiresAuthentication: Bool
        /// Whether challenges are given and keys registered.
        package let hasAttestation: Bool
        /// The environments whose keys are let in, whenever they were registered.
        package let environments: Set<AppAttestEnvironment>
        package let forwardAuthPath: String?
        package let showsReasons: Bool
        package let rejectsByClosing: Bool
        let risk: RiskPolicy
        let accounts: AccountPolicy
        package let devices: DevicePolicy
        /// Which of the two bits that Apple keeps is the ban.
        package let banBit: DeviceBit
    }

    /// What a reload takes over.
    package struct Reloadable: Equatable, Sendable {
        var origins: OriginRule
        var paths: PathRule
        var clientCertificates: ClientCertificateRule
        var challengeRate: RateLimit
        var registerRate: RateLimit
        var failedAuthRate: RateLimit
        /// The rate that each registered key has to itself where its address has spent its own.
        var keyShareRate: RateLimit
        package var lists: PolicyLists
    }

    /// Which builds of an app are let in, as far as their devices tell.
    package struct PolicyLists: Equatable, Sendable {
        /// The validation categories that are let in; nil for all that are appropriate.
        package let categories: Set<UInt32>?
        package let requiresCategory: Bool
        package let bundleVersions: Set<String>?
        /// The hashes of code that is let in, 32 bytes each.
        package let codeHashes: Set<[UInt8]>?
    }

    /// Whose attestations count.
    package struct Attestation: Equatable, Sendable {
        package let appIDs: [AppID]
        package let environments: Set<AppAttestEnvironment>
        package let requiresFullMacSecurity: Bool
        package let verifiesReceipt: Bool
        /// The file of a root that stands in place of Apple's.
        package let rootPath: String?
    }

    package struct Stores: Equatable, Sendable {
        package let keys: StoreAddress
        package let nonces: StoreAddress
        package let pool: Int
        /// How long PostgreSQL may take to connect, and for a statement.
        package let databaseTime: Duration
        let keyLifetime: Duration
        /// The most keys that are kept; nil for no bound.
        package let maximumKeys: Int?
    }

    package struct Nonces: Equatable, Sendable {
        package enum Mode: String, Sendable, CaseIterable {
            case stored, sealed
        }

        package let mode: Mode
        let lifetime: Duration
        package let maximumCount: Int
        package let secretPath: String?
        package let bindsAddress: Bool
    }

    package struct Listener: Equatable, Sendable {
        package struct TLS: Equatable, Sendable {
            let certificatePath: String
            let keyPath: String
            let allowsTLS12: Bool
            /// The file of the authorities for client certificates; nil where none is asked for.
            let clientCAPath: String?

            /// The same with the certificate and the key of others, which may change while the gate runs.
            func with(filesOf other: TLS) -> TLS {
                TLS(
                    certificatePath: other.certificatePath, keyPath: other.keyPath, allowsTLS12: allowsTLS12,
                    clientCAPath: clientCAPath)
            }
        }

        package let host: String
        package let port: Int
        /// The settings of TLS; nil for plain text.
        package let tls: TLS?
    }

    package struct UpstreamSettings: Equatable, Sendable {
        package let address: Upstream
        /// The file of authorities that stand in place of the system's.
        package let caPath: String?
        package let serverName: String?
        let connectTimeout: Duration
        package let preservesHost: Bool
        let framing: ClientFraming
        package let stripsExtensions: Bool

        /// The name that the certificate of the upstream has to have; nil where it has to be for the address in
        /// `UPSTREAM_URL`.
        var shownName: String? {
            guard case .host(let host, _) = address.place else { return serverName }
            let name = serverName ?? host
            guard let address = IPAddress(name), address == IPAddress(host) else { return name }
            return nil
        }
    }

    /// How many connections may be open on which nobody has been let in yet.
    package struct WaitingLimits: Equatable, Sendable {
        package let total: Int
        package let perClient: Int
    }

    package struct Frames: Equatable, Sendable {
        package let maximumFrameBytes: Int
        package let maximumMessageBytes: Int
        package let validatesUTF8: Bool
        package let deflates: Bool
        /// The most messages a second; 0 for no limit.
        package let messagesPerSecond: Int
    }

    package struct Heartbeat: Equatable, Sendable {
        let interval: Duration
        package let timeout: Duration
        /// How long a connection may be idle; zero for no limit.
        let idle: Duration
    }

    package struct Timeouts: Equatable, Sendable {
        let header: Duration
        let body: Duration
        let tlsHandshake: Duration
    }

    package struct Telnet: Equatable, Sendable {
        package let terminalTypes: [String]
        package let sendsClientAddress: Bool
        package let maximumSubnegotiationBytes: Int
    }

    package struct Admin: Equatable, Sendable {
        package let place: AdminPlace
        package let tokenPath: String?
    }

    package struct Log: Equatable, Sendable {
        package let level: GateEvent.Level
        package let format: EventLog.Format
    }

    package struct Risk: Equatable, Sendable {
        package let refreshes: Bool
        /// Whether the team's key is needed: for receipts, or for bits of devices.
        package let asksApple: Bool
        package let keyPath: String?
        package let keyID: String?
        package let teamID: String?
    }

    /// What a configuration read anew changes in this one.
    ///
    /// - Returns: what is to be taken over, and the names whose changes wait for a restart.
    package func reloading(_ new: GateConfiguration) -> (settings: Reloadable, needRestart: [String]) {
        var settings = new.reloadable
        // Whether certificates are asked for at all is the listener's, and stays as it is.
        settings.clientCertificates = ClientCertificateRule(
            isActive: reloadable.clientCertificates.isActive,
            allowedSubjects: new.reloadable.clientCertificates.allowedSubjects)
        let changed = SettingName.allCases.filter { written[$0] != new.written[$0] }
        return (settings, changed.filter { !$0.isReloadable }.map(\.rawValue))
    }
}
