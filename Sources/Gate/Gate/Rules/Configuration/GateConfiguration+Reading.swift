internal import AppAttest

extension GateConfiguration {
    /// Reads and checks every setting. Files that settings name are not opened here.
    ///
    /// - Parameters:
    ///   - environment: variables by their names, as `docs/gate.md` lists them.
    ///   - file: lines of `NAME=value`, which win over the environment.
    /// - Throws: everything that is wrong, at once.
    public init(environment: [String: String], file: [UInt8]? = nil) throws(ConfigurationFailure) {
        let file = try file.map { (bytes) throws(ConfigurationFailure) in try SettingFile(bytes).values }
        try self.init(SettingSources(file: file ?? [:], environment: environment))
    }

    /// Reads and checks every setting. Files that settings name are not opened here.
    ///
    /// - Throws: everything that is wrong, at once. The program ends with ``ConfigurationFailure/exitStatus``.
    package init(_ sources: SettingSources) throws(ConfigurationFailure) {
        var reader = SettingReader(sources)
        let place = reader.environment()
        let isStrict = reader.flag(.strictConfig)
        environment = place
        let requiresAuthentication = reader.flag(.requireAppAuth, default: true)
        attestation = reader.attestation(isRequired: requiresAuthentication, place)
        listener = reader.listener(place)
        upstream = reader.upstream(place)
        stores = reader.stores()
        nonces = reader.nonces(stores)
        let devices = reader.choice(.deviceCheck, default: DevicePolicy.off)
        risk = reader.risk(attestation, devices)
        let accounts = reader.accounts(upstream.address)
        accountSecretPath = accounts.secretPath
        decisionRules = DecisionRules(
            requiresAuthentication: requiresAuthentication, hasAttestation: attestation != nil,
            environments: attestation?.environments ?? [],
            forwardAuthPath: reader.forwardAuthPath(), showsReasons: reader.showsReasons(),
            rejectsByClosing: reader.rejectsByClosing(),
            risk: RiskPolicy(
                maximum: reader.optionalNumber(.riskMax, 0...1_000_000),
                action: reader.choice(.riskAction, default: .flag)),
            accounts: accounts.policy, devices: devices, banBit: reader.choice(.deviceCheckBit, default: .zero))
        reloadable = reader.reloadable(
            certificates: ClientCertificateRule(
                isActive: listener.tls?.clientCAPath != nil, allowedSubjects: reader.allowedSubjects()))
        addresses = reader.addresses()
        proxyProtocol = reader.proxyProtocol(addresses)
        frames = reader.frames()
        connectionLimits = reader.connectionLimits(frames)
        waiting = reader.waitingLimits()
        heartbeat = reader.heartbeat()
        timeouts = Timeouts(
            header: reader.duration(.headerTimeout, default: .seconds(10)),
            body: reader.duration(.bodyTimeout, default: .seconds(10)),
            tlsHandshake: reader.duration(.tlsHandshakeTimeout, default: .seconds(10)))
        drain = reader.drain()
        telnet = reader.telnet()
        relayMode = reader.relayMode(to: upstream.address, frames: frames, limits: connectionLimits)
        admin = reader.admin()
        log = reader.log()
        let loops = reader.optionalNumber(.eventLoops, 1...1_024)
        eventLoops = loops
        warnings = reader.warnings
        notices = relayMode.notices
        effective = reader.effective
        written = reader.written
        let problems = reader.problems + (isStrict ? reader.warnings : [])
        guard problems.isEmpty else { throw ConfigurationFailure(problems: problems) }
    }
}

// MARK: Who gets in

extension SettingReader {
    fileprivate mutating func environment() -> DeploymentEnvironment {
        let nodeEnvironment = text(.nodeEnv)
        let setting: SettingName = isSet(.appEnv) ? .appEnv : .nodeEnv
        let name = text(.appEnv) ?? nodeEnvironment
        let place = DeploymentEnvironment(named: name)
        if let name, place.rawValue != ASCIIText.lowercased(name) {
            let names = DeploymentEnvironment.allCases.map(\.rawValue).joined(separator: ", ")
            warn(setting, "It is none of \(names), and so taken for production.")
        }
        return place
    }

    fileprivate mutating func attestation(
        isRequired: Bool, _ place: DeploymentEnvironment
    ) -> GateConfiguration.Attestation? {
        let own = ownAppID(isRequired: isRequired)
        let others = list(.appIDs, of: "an App ID (TEAMID1234.bundle.identifier)") { AppID($0) }
        let environments: Set<AppAttestEnvironment> = value(
            .attestEnvironment, default: [.production], shown: "production", expected: "production, development or both"
        ) { text in
            text == "both" ? Set(AppAttestEnvironment.allCases) : AppAttestEnvironment(rawValue: text).map { [$0] }
        }
        let access = choice(.accessControl, default: AttestedAccess.ignore)
        let verifiesReceipt = flag(.verifyReceipt, default: true)
        let rootPath = text(.rootCAPath)
        if rootPath != nil, !place.allowsOtherRoots {
            fail(.rootCAPath, "Another root than Apple's is for APP_ENV=development or APP_ENV=test.")
        }
        guard let own else { return nil }
        return GateConfiguration.Attestation(
            appIDs: [own] + others.filter { $0 != own }, environments: environments,
            requiresFullMacSecurity: access == .macFullSecurity, verifiesReceipt: verifiesReceipt, rootPath: rootPath)
    }

    private enum AttestedAccess: String, CaseIterable {
        case ignore
        case macFullSecurity = "mac-full-security"
    }

    private mutating func ownAppID(isRequired: Bool) -> AppID? {
        let bundle = text(.bundleID)
        let team = text(.teamID)
        switch (bundle, team) {
        case (nil, nil):
            if isRequired { fail(.bundleID, "It is needed, as is APPATTEST_TEAM_ID, unless REQUIRE_APP_AUTH=false.") }
            return nil
        case (_?, nil): fail(.teamID, "It is needed beside APPATTEST_BUNDLE_ID.")
        case (nil, _?): fail(.bundleID, "It is needed beside APPATTEST_TEAM_ID.")
        case (let bundle?, let team?):
            if AppID(teamID: team, bundleID: "a") == nil {
                fail(.teamID, "It has to be ten characters of A-Z and 0-9.")
            } else if let id = AppID(teamID: team, bundleID: bundle) {
                return id
            } else {
                fail(.bundleID, "It has to be 1 to 155 characters of A-Z, a-z, 0-9, full stop and hyphen.")
            }
        }
        return nil
    }

    fileprivate mutating func reloadable(certificates: ClientCertificateRule) -> GateConfiguration.Reloadable {
        let origins = list(.allowedOrigins, of: "an origin (https://host)") { Origin($0) }
        let paths = list(.allowedPaths, of: "a path, or a path with /* behind it") { PathRule.Pattern($0) }
        let rate = "a rate (30/60s) or off"
        let limits = [
            (SettingName.challengeRate, 30), (.registerRate, 5), (.failedAuthRate, 20), (.keyShareRate, 6),
        ].map { name, count in
            value(name, default: RateLimit(count: count, window: .seconds(60)), expected: rate) { RateLimit($0) }
        }
        return GateConfiguration.Reloadable(
            origins: OriginRule(allowed: Set(origins), allowsMissing: flag(.allowMissingOrigin)),
            paths: PathRule(allowed: paths), clientCertificates: certificates, challengeRate: limits[0],
            registerRate: limits[1], failedAuthRate: limits[2], keyShareRate: limits[3],
            lists: policyLists())
    }

    private mutating func policyLists() -> GateConfiguration.PolicyLists {
        let categories = list(.allowedCategories, of: "a category from 1 to 6, or 10") { text in
            ASCIIText.number(text).flatMap { 1...6 ~= $0 || $0 == 10 ? UInt32($0) : nil }
        }
        let versions = list(.allowedBundleVersions, of: "a version of 1 to 128 bytes") { text in
            text.utf8.count <= 128 ? text : nil
        }
        let hashes = list(.allowedCodeHashes, of: "64 hexadecimal digits") { Nonce.bytes($0) }
        return GateConfiguration.PolicyLists(
            categories: categories.isEmpty ? nil : Set(categories), requiresCategory: flag(.requireCategory),
            bundleVersions: versions.isEmpty ? nil : Set(versions), codeHashes: hashes.isEmpty ? nil : Set(hashes))
    }

    fileprivate mutating func allowedSubjects() -> Set<String>? {
        let subjects = list(.mtlsAllowedSubjects, of: "a common name") { $0 }
        return subjects.isEmpty ? nil : Set(subjects)
    }

    fileprivate mutating func forwardAuthPath() -> String? {
        guard let path = text(.forwardAuthPath) else { return nil }
        guard path.utf8.count > 1, !path.hasSuffix("/"), case .exact = PathRule.Pattern(path),
            !["/attest/challenge", "/attest/register", "/healthz", "/health", "/readyz"].contains(path)
        else {
            fail(.forwardAuthPath, "It has to be a path of its own, for example /attest/verify.")
            return nil
        }
        return path
    }

    fileprivate mutating func showsReasons() -> Bool {
        value(.errorDetail, default: "code", expected: "code or generic") {
            ["code", "generic"].contains($0) ? $0 : nil
        }
            == "code"
    }

    fileprivate mutating func rejectsByClosing() -> Bool {
        value(.rejectMode, default: "http", expected: "http or close") { ["http", "close"].contains($0) ? $0 : nil }
            == "close"
    }

    fileprivate mutating func risk(
        _ attestation: GateConfiguration.Attestation?, _ devices: DevicePolicy
    ) -> GateConfiguration.Risk {
        let refreshes = flag(.riskRefresh)
        let keyPath = text(.riskKeyPath)
        let keyID = text(.riskKeyID)
        let teamID = attestation?.appIDs.first.map { String($0.description.prefix(10)) }
        let asksApple = refreshes || devices != .off
        if asksApple {
            let (name, why) =
                refreshes
                ? (SettingName.riskRefresh, "RISK_REFRESH=true") : (.deviceCheck, "DEVICECHECK=\(devices.rawValue)")
            if keyPath == nil { fail(.riskKeyPath, "\(why) needs it.") }
            if keyID == nil { fail(.riskKeyID, "\(why) needs it.") }
            if teamID == nil { fail(name, "It needs APPATTEST_TEAM_ID.") }
            if let attestation, Set(attestation.appIDs.map { $0.description.prefix(10) }).count > 1 {
                fail(.appIDs, "\(why) asks in the name of one team: all apps have to be that team's.")
            }
        }
        return GateConfiguration.Risk(
            refreshes: refreshes, asksApple: asksApple, keyPath: keyPath, keyID: keyID, teamID: teamID)
    }

    fileprivate mutating func accounts(_ upstream: Upstream) -> (policy: AccountPolicy, secretPath: String?) {
        let policy = choice(.accountBinding, default: AccountPolicy.off)
        let path = text(.accountSecretPath)
        guard policy != .off else {
            if path != nil { warn(.accountSecretPath, "It has no effect without ACCOUNT_BINDING.") }
            return (policy, nil)
        }
        if path == nil { fail(.accountSecretPath, "ACCOUNT_BINDING=\(policy.rawValue) needs it: a file of 32 bytes.") }
        if upstream.kind != .webSocket, isSet(.upstreamURL) {
            fail(
                .accountBinding, "Only a WebSocket service can name an account, in its answer: ws://, wss:// or unix:.")
        }
        if isSet(.forwardAuthPath) {
            warn(
                .forwardAuthPath, "Who comes by it is bound to no account: the gate does not see the service's answer.")
        }
        return (policy, path)
    }
}

// MARK: Stores

extension SettingReader {
    fileprivate mutating func stores() -> GateConfiguration.Stores {
        let path = text(.attestedKeysPath, default: "./config/attested-keys.json") ?? ""
        let keys = value(
            .storeURL, default: StoreAddress.json(path: path), shown: "json:\(path)",
            expected: "json:PATH or postgres://…"
        ) { text in
            (try? StoreAddress(text)).flatMap { $0 == .memory ? nil : $0 }
        }
        let standard = keys.isShared ? keys : .memory
        let nonces = value(
            .nonceStoreURL, default: standard, shown: keys.isShared ? "= STORE_URL" : "memory:",
            expected: "memory: or postgres://…"
        ) { text in
            (try? StoreAddress(text)).flatMap { $0 == .memory || $0.isShared ? $0 : nil }
        }
        let maximum = optionalNumber(.maxKeys, 1...1_000_000_000)
        return GateConfiguration.Stores(
            keys: keys, nonces: nonces, pool: number(.storePool, default: 8, 1...256),
            databaseTime: .milliseconds(number(.storeTime, default: 2_000, 100...600_000)),
            keyLifetime: .seconds(86_400) * number(.keyLifetimeDays, default: 90, 1...36_500),
            maximumKeys: maximum ?? (keys.isShared ? nil : 10_000))
    }

    fileprivate mutating func nonces(_ stores: GateConfiguration.Stores) -> GateConfiguration.Nonces {
        let mode = choice(.nonceMode, default: GateConfiguration.Nonces.Mode.stored)
        let secretPath = text(.nonceSecretPath)
        switch (mode, secretPath != nil, stores.nonces.isShared) {
        case (.sealed, true, false):
            fail(
                .nonceStoreURL,
                "With NONCE_SECRET_PATH several gates know a nonce: what is used has to be in a shared store.")
        case (.sealed, false, true):
            fail(.nonceSecretPath, "Gates that share a store of used nonces need one secret.")
        case (.stored, true, _): warn(.nonceSecretPath, "It has no effect without NONCE_MODE=sealed.")
        default: break
        }
        return GateConfiguration.Nonces(
            mode: mode, lifetime: .milliseconds(number(.nonceLifetime, default: 60_000, 1_000...600_000)),
            maximumCount: number(.maxNonces, default: 10_000, 16...10_000_000), secretPath: secretPath,
            bindsAddress: flag(.nonceBindIP))
    }
}
