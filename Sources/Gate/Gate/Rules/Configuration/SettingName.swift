/// Every name that the gate listens to: in the environment, in its file, and as a flag in kebab case.
///
/// Source: `appattest-gate` section 3.6, and the sections that a comment names.
public enum SettingName: String, Sendable, CaseIterable {
    case requireAppAuth = "REQUIRE_APP_AUTH"
    case bundleID = "APPATTEST_BUNDLE_ID"
    case teamID = "APPATTEST_TEAM_ID"
    case appIDs = "APPATTEST_APP_IDS"
    case attestEnvironment = "APPATTEST_ENVIRONMENT"
    case allowedCategories = "APPATTEST_ALLOWED_CATEGORIES"
    case requireCategory = "APPATTEST_REQUIRE_CATEGORY"
    case allowedBundleVersions = "APPATTEST_ALLOWED_BUNDLE_VERSIONS"
    case allowedCodeHashes = "APPATTEST_ALLOWED_CODE_HASHES"
    case accessControl = "APPATTEST_ACCESS_CONTROL"
    case verifyReceipt = "APPATTEST_VERIFY_RECEIPT"
    case rootCAPath = "APPATTEST_ROOT_CA_PATH"
    case allowMTLSFallback = "ALLOW_MTLS_FALLBACK"
    case mtlsClientCAPath = "MTLS_CLIENT_CA_PATH"
    case mtlsAllowedSubjects = "MTLS_ALLOWED_SUBJECTS"
    case appEnv = "APP_ENV"
    case nodeEnv = "NODE_ENV"
    /// Source: `appattest-gate` section 3.5.
    case strictConfig = "STRICT_CONFIG"
    case attestedKeysPath = "ATTESTED_KEYS_PATH"
    case storeURL = "STORE_URL"
    /// Source: `appattest-gate` section 5.4.
    case storePool = "STORE_POOL"
    case storeTime = "STORE_TIMEOUT_MS"
    case nonceStoreURL = "NONCE_STORE_URL"
    case nonceMode = "NONCE_MODE"
    case nonceLifetime = "NONCE_TTL_MS"
    case maxNonces = "MAX_NONCES"
    case nonceSecretPath = "NONCE_SECRET_PATH"
    case nonceBindIP = "NONCE_BIND_IP"
    case keyLifetimeDays = "KEY_TTL_DAYS"
    case maxKeys = "MAX_KEYS"
    case bindHost = "BIND_HOST"
    case port = "WS_PORT"
    case inboundTLSMode = "INBOUND_TLS_MODE"
    case tlsCertPath = "TLS_CERT_PATH"
    case tlsKeyPath = "TLS_KEY_PATH"
    case tlsMinVersion = "TLS_MIN_VERSION"
    case allowInsecureInbound = "ALLOW_INSECURE_INBOUND_NO_TLS"
    case upstreamURL = "UPSTREAM_URL"
    case upstreamTLSCAPath = "UPSTREAM_TLS_CA_PATH"
    case upstreamTLSServerName = "UPSTREAM_TLS_SERVER_NAME"
    case upstreamConnectTimeout = "UPSTREAM_CONNECT_TIMEOUT_MS"
    case upstreamPreserveHost = "UPSTREAM_PRESERVE_HOST"
    case clientFraming = "CLIENT_FRAMING"
    /// Source: `appattest-gate` section 4.5.
    case telnetTTYPEs = "TELNET_TTYPES"
    case telnetSendClientIP = "TELNET_SEND_CLIENT_IP"
    case maxSubnegotiationBytes = "MAX_SUBNEGOTIATION_BYTES"
    case allowedOrigins = "ALLOWED_ORIGINS"
    case allowMissingOrigin = "ALLOW_MISSING_ORIGIN"
    case allowedPaths = "ALLOWED_PATHS"
    case trustedProxies = "TRUSTED_PROXY_CIDRS"
    case clientIPHeader = "CLIENT_IP_HEADER"
    case proxyProtocol = "PROXY_PROTOCOL"
    case challengeRate = "CHALLENGE_RATE"
    case registerRate = "REGISTER_RATE"
    case failedAuthRate = "FAILED_AUTH_RATE"
    /// Section 3.7.
    case keyShareRate = "KEY_SHARE_RATE"
    case keyShareConnections = "KEY_SHARE_CONNECTIONS"
    case maxConnections = "MAX_CONNECTIONS"
    case maxConnectionsPerIP = "MAX_CONNECTIONS_PER_IP"
    case maxConnectionsPerKey = "MAX_CONNECTIONS_PER_KEY"
    /// Section 3.7.
    case maxWaiting = "MAX_WAITING_CONNECTIONS"
    case maxWaitingPerIP = "MAX_WAITING_CONNECTIONS_PER_IP"
    case maxMessagesPerSecond = "MAX_MESSAGES_PER_SECOND"
    case maxMessagesPerSecondPerIP = "MAX_MESSAGES_PER_SECOND_PER_IP"
    case maxFrameBytes = "MAX_FRAME_BYTES"
    case maxMessageBytes = "MAX_MESSAGE_BYTES"
    /// Source: `appattest-gate` section 4.6.
    case relayMode = "RELAY_MODE"
    /// Source: `appattest-gate` section 4.1.
    case stripExtensions = "WS_STRIP_EXTENSIONS"
    case validateUTF8 = "VALIDATE_UTF8"
    /// Source: `appattest-gate` section 4.3.
    case deflate = "WS_DEFLATE"
    case heartbeatInterval = "WS_HEARTBEAT_INTERVAL_MS"
    case heartbeatTimeout = "WS_HEARTBEAT_TIMEOUT_MS"
    case idleTimeout = "WS_IDLE_TIMEOUT_MS"
    case headerTimeout = "HEADER_TIMEOUT_MS"
    case bodyTimeout = "BODY_TIMEOUT_MS"
    case tlsHandshakeTimeout = "TLS_HANDSHAKE_TIMEOUT_MS"
    case shutdownGrace = "SHUTDOWN_GRACE_MS"
    case shutdownDeadline = "SHUTDOWN_DEADLINE_MS"
    case drainCloseCode = "DRAIN_CLOSE_CODE"
    case rejectMode = "REJECT_MODE"
    case errorDetail = "ERROR_DETAIL"
    case forwardAuthPath = "FORWARD_AUTH_PATH"
    case adminBind = "ADMIN_BIND"
    /// Source: `appattest-gate` section 3.12.
    case adminTokenPath = "ADMIN_TOKEN_PATH"
    case logLevel = "LOG_LEVEL"
    case logFormat = "LOG_FORMAT"
    case riskKeyPath = "RISK_KEY_PATH"
    case riskKeyID = "RISK_KEY_ID"
    case riskRefresh = "RISK_REFRESH"
    case riskMax = "RISK_MAX"
    case riskAction = "RISK_ACTION"
    /// Source: `appattest-gate` section 3.15.
    case accountBinding = "ACCOUNT_BINDING"
    case accountSecretPath = "ACCOUNT_SECRET_PATH"
    /// Source: `appattest-gate` section 3.16.
    case deviceCheck = "DEVICECHECK"
    case deviceCheckBit = "DEVICECHECK_BIT"
    case eventLoops = "EVENT_LOOPS"

    /// The flag of the setting, for example `--ws-port`.
    package var flag: String { "--" + ASCIIText.lowercased(rawValue).replacing("_", with: "-") }

    /// Whether its value may hold a credential.
    package var isSecret: Bool { self == .storeURL || self == .nonceStoreURL || self == .upstreamURL }

    /// What may change while the gate runs.
    ///
    /// Source: `appattest-gate` section 3.13.
    package var isReloadable: Bool {
        switch self {
        case .allowedOrigins, .allowMissingOrigin, .allowedPaths, .challengeRate, .registerRate, .failedAuthRate,
            .keyShareRate, .allowedCategories, .requireCategory, .allowedBundleVersions, .allowedCodeHashes,
            .mtlsAllowedSubjects, .tlsCertPath, .tlsKeyPath:
            true
        default: false
        }
    }

    /// Beginnings of names that are the gate's own, so that another name with one of them is a mistake.
    static let ownPrefixes = ["APPATTEST_", "MTLS_", "WS_", "NONCE_"]
}
