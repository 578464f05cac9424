import BasicFoundation
import CodeMeasurement
import HardwareKeys

/// One question in version 1 of the protocol and its answer. The app speaks first.
///
/// The validator is looked at afterwards, as only what it sends says who it is; what it has said counts only if it
/// looks as the manifest says.
///
/// Source: `vigil` sections 7.1 and 7.2.
struct VersionOneConversation {
    let client: ValidationClient
    let mode: VersionOneMode
    let channel: any MessageChannel
    let deadline: Deadline

    func validate() -> VigilReport {
        var report: VigilReport
        do { report = try asked() } catch { report = VigilReport(interruptedBy: error) }
        report.protocolVersion = 1
        report.validator = channel.peer
        #if os(Linux)
            report.isUserShared = channel.peer?.user == geteuid()
        #endif
        report.appKeyKind = client.identity.key.kind
        return report
    }

    private func asked() throws -> VigilReport {
        let request = try self.request()
        guard case .verdict(let verdict) = try answer(to: .validate(request)) else {
            throw Refusal(.malformed, "the validator gives no verdict that it has signed")
        }
        let seen = try client.look(at: try client.inspector.inspect(channel))
        let pin = try client.pins.pin(of: .validator)
        let isValid = try mode.seen.withLock { (nonces) throws(Refusal) in
            try verdict.check(
                answering: request.nonce, pin: pin, expectedHash: mode.validatorHash, policy: mode.noncePolicy,
                seen: &nonces)
        }
        // Version 1 has no room for reasons; the validator's log has them.
        var report =
            isValid
            ? VigilReport(.valid, .ok)
            : VigilReport(.tampered, .hashMismatch, findings: [Finding("the validator says so, and not why")])
        if isValid, case .active(let key, _) = pin { report.validatorKeyID = key.id }
        report.measuredValidator = seen.measured
        report.flags = seen.flags
        return report
    }

    private func request() throws(Refusal) -> VersionOne.Validation {
        let hash = try mode.measure()
        do throws(HardwareKeyError) {
            return try VersionOne.Validation(hash: hash, nonce: .random(), by: client.identity.key)
        } catch {
            throw Refusal(.internal, "this app cannot sign: \(error)")
        }
    }

    /// Exchanges keys.
    ///
    /// - Returns: the validator's.
    func exchangeKeys() throws -> PublicKey {
        guard let own = PublicKey(x963: client.identity.key.publicKey) else {
            throw Refusal(.internal, "this app's own public key is malformed")
        }
        switch try answer(to: .exchangeKey(own)) {
        case .key(let key): return key
        case .refused: throw Refusal(.notProvisioned, "the validator refuses to pin this app")
        case .verdict, .alive: throw Refusal(.malformed, "the validator answers another question")
        }
    }

    private func answer(to request: VersionOne.Request) throws -> VersionOne.Response {
        try channel.send(request.json, until: deadline)
        var received = try channel.receive(until: deadline)
        // A validator of both versions may have challenged before it knew which one is spoken.
        if (try? received.header().type) == .challenge { received = try channel.receive(until: deadline) }
        return try VersionOne.Response(parsing: received.message)
    }
}

extension ValidationClient {
    /// Has this app pinned by a validator of version 1, and pins the validator. Only what was measured on either side
    /// stands behind it: do it while no other process can reach the socket.
    ///
    /// - Throws: ``Refusal``; nothing is pinned then. `internal` without a mode of version 1.
    ///
    /// Source: `vigil` sections 6.3 and 7.2.
    package func exchangeKeys(within time: Duration) throws(Refusal) -> ProvisionStatus {
        guard let mode = versionOne else {
            throw Refusal(.internal, "version 1 is not spoken here; set allowProtocolV1")
        }
        guard !requiresToken else {
            throw Refusal(
                .notProvisioned,
                "version 1 has no place for the installer's token; set requireToken to false to do without")
        }
        return try limited(within: time) { (link, deadline) throws(Refusal) in
            try exchangeKeys(mode, over: link, until: deadline)
        }
    }

    private func exchangeKeys(
        _ mode: VersionOneMode, over link: OpenLink, until deadline: Deadline
    ) throws(Refusal) -> ProvisionStatus {
        let channel = try reaching { try link.connect(to: endpoint, until: deadline) }
        defer { channel.close() }
        let conversation = VersionOneConversation(client: self, mode: mode, channel: channel, deadline: deadline)
        let key = try reaching { try conversation.exchangeKeys() }
        let seen = try look(at: try inspector.inspect(channel))
        guard seen.hash != nil else {
            throw Refusal(.unmeasurable, "no validator is pinned by version 1 whose files were not measured")
        }
        try link.check()
        return try pins.pin(key, kind: .software, role: .validator)
    }
}
