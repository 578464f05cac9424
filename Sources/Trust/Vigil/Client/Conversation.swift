import CodeMeasurement
import Crypto
import HardwareKeys

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One conversation of an app with a validator: a handshake or an exchange of keys.
struct Conversation {
    let client: ValidationClient
    let channel: any MessageChannel
    let deadline: Deadline
    private var measured: Levels = []
    private var flags: MeasurementFlags = []
    private var validator: PeerCredentials?

    init(_ client: ValidationClient, _ channel: any MessageChannel, until deadline: Deadline) {
        self.client = client
        self.channel = channel
        self.deadline = deadline
    }

    mutating func validate() -> ValidationClient.Outcome {
        var outcome: ValidationClient.Outcome
        do throws(Interruption) { outcome = try handshake() } catch { outcome = .init(report: error.report) }
        outcome.report.measuredValidator = measured
        outcome.report.flags.formUnion(flags)
        outcome.report.validator = validator
        #if os(Linux)
            outcome.report.isUserShared = validator?.user == geteuid()
        #endif
        outcome.report.appKeyKind = client.identity.key.kind
        outcome.report.isAppFirsthand =
            client.identity.handleMask.isEmpty
            && outcome.report.measuredApp.isSuperset(of: [.mapShape, .codePages, .behaviour])
        return outcome
    }

    private mutating func handshake() throws(Interruption) -> ValidationClient.Outcome {
        // The digest of oneself needs nothing of the other side, and takes as long as all the rest.
        let measure = client.identity.measure
        let ownHash = Concurrently { () throws(Refusal) in try measure() }
        let first = try receive()
        validator = first.sender ?? channel.peer
        let challenge = try refusing { () throws(Refusal) in try Self.challenge(in: first.message) }
        guard challenge.profile == client.identity.profile else {
            throw .refusal(Refusal(.profileUnsupported, "the validator wants profile \(challenge.profile)"))
        }
        let peer = try refusing { () throws(Refusal) in try client.inspector.inspect(channel) }
        try look(at: peer, first, challenge)
        let hash = try refusing { () throws(Refusal) in try ownHash.value() }
        let ephemeral = EphemeralKey()
        let request = try sign(challenge, hash, ephemeral, answering: first.message)
        let handles = challenge.capabilities.contains(.wantsHandles) ? client.identity.handles : []
        try send(request, handles)
        let answer = try receive()
        guard answer.attachments.isEmpty else {
            throw .refusal(Refusal(.malformed, "descriptors came with the verdict"))
        }
        let wantsConfirmation = challenge.capabilities.contains(.wantsConfirmation)
        do throws(Refusal) {
            let outcome = try judge(
                answer.message, request, first.message, hash, ephemeral, peer, challenge.capabilities)
            if wantsConfirmation { try confirm(answer.message, request, first.message, outcome.report.reason) }
            return outcome
        } catch {
            // The validator is told why, if what it said could be read at all.
            if wantsConfirmation { try? confirm(answer.message, request, first.message, error.reason) }
            throw .refusal(error)
        }
    }

    /// Looks at the validator before anything is said about this process.
    private mutating func look(
        at peer: any InspectedPeer, _ first: Received, _ challenge: Challenge
    ) throws(Interruption) {
        let inspection = try refusing { () throws(Refusal) in
            try peer.take(first.attachments, challenge.handles)
            return try peer.look(client.requiredLevels.subtracting(.selfReported), isNewSession: true)
        }
        measured = inspection.measured
        flags = inspection.flags
        let missing = client.requiredLevels.subtracting([.selfReported]).subtracting(measured)
        guard missing.isEmpty else {
            throw .refusal(Refusal(.unmeasurable, "levels \(missing.rawValue) of the validator could not be taken"))
        }
        guard inspection.hash == nil || inspection.hash == client.identity.validatorFiles else {
            throw .refusal(
                Refusal(
                    .hashMismatch, "the validator's files are not those of the manifest: \(inspection.hash ?? .zero)"))
        }
    }

    /// The validator's first word, which may also be that it has no time.
    private static func challenge(in message: [UInt8]) throws(Refusal) -> Challenge {
        if try MessageHeader(of: message).type == .failure {
            throw Refusal(try Failure(parsing: message).reason, "the validator does not take the conversation up")
        }
        return try Challenge(parsing: message)
    }

    private func sign(
        _ challenge: Challenge, _ hash: Bytes32, _ ephemeral: EphemeralKey, answering message: [UInt8]
    ) throws(Interruption) -> [UInt8] {
        let identity = client.identity
        guard let publicKey = PublicKey(x963: identity.key.publicKey) else {
            throw .refusal(Refusal(.internal, "this app's own public key is malformed"))
        }
        let wantsHandles = challenge.capabilities.contains(.wantsHandles)
        let request = Request(
            to: challenge, nonce: .random(), hash: hash, timestampMilliseconds: client.timestamp,
            epoch: identity.epoch, keyKind: identity.key.kind, handles: wantsHandles ? identity.handleMask : [],
            publicKey: publicKey, ephemeral: ephemeral.publicKey)
        do throws(HardwareKeyError) { return try request.signed(by: identity.key, answering: message).bytes } catch {
            throw .refusal(Refusal(.internal, "this app cannot sign: \(error)"))
        }
    }

    private func judge(
        _ message: [UInt8], _ request: [UInt8], _ challenge: [UInt8], _ hash: Bytes32, _ ephemeral: EphemeralKey,
        _ peer: any InspectedPeer, _ capabilities: Capabilities
    ) throws(Refusal) -> ValidationClient.Outcome {
        if try MessageHeader(of: message).type == .failure {
            let failure = try Failure(parsing: message)
            throw Refusal(failure.reason, "the validator gives no verdict")
        }
        let check = ResponseCheck(
            challenge: challenge, request: request, pin: try client.pins.pin(of: .validator),
            expectedHash: client.identity.validatorHash, epoch: client.identity.epoch)
        switch try check.accept(message) {
        case .invalid(let response, let reason):
            var report = VigilReport(.tampered, reason, findings: [Finding("the validator says so")])
            report.describe(response)
            return .init(report: report)
        case .valid(let response, let key, let other):
            var report = VigilReport(.valid, .ok)
            report.validatorKeyID = key.id
            report.describe(response)
            let begun = try ClientSession.begin(
                ephemeral, with: other, validatorKey: key, challenge: challenge, request: request, response: message,
                parsed: response, hash: hash)
            report.grant = begun?.grant.map(GrantedSecret.init)
            return .init(
                report: report, conversation: begun.map { .init(channel, $0.session, peer, capabilities) })
        }
    }

    /// Says what this app thinks of the verdict. It is no reason to distrust the verdict if that cannot be sent.
    private func confirm(
        _ response: [UInt8], _ request: [UInt8], _ challenge: [UInt8], _ reason: Reason
    ) throws(Refusal) {
        let confirmation = Confirmation(of: try Response(parsing: response), reason: reason)
        do throws(HardwareKeyError) {
            let message = try confirmation.signed(
                by: client.identity.key, answering: response, request: request, challenge: challenge)
            try? channel.send(message.bytes, until: deadline)
        } catch {
            throw Refusal(.internal, "this app cannot sign: \(error)")
        }
    }
}

extension Conversation {
    private func refusing<R>(_ body: () throws(Refusal) -> R) throws(Interruption) -> R {
        do throws(Refusal) { return try body() } catch { throw .refusal(error) }
    }

    private func receive() throws(Interruption) -> Received {
        do throws(ChannelError) { return try channel.receive(until: deadline) } catch { throw .channel(error) }
    }

    private func send(_ message: [UInt8], _ attachments: [Attachment]) throws(Interruption) {
        do throws(ChannelError) {
            try channel.send(message, attachments: attachments, until: deadline)
        } catch {
            throw .channel(error)
        }
    }
}

/// Why a conversation did not come to its end.
enum Interruption: Error {
    case refusal(Refusal)
    case channel(ChannelError)

    /// What is reported of it.
    var report: VigilReport {
        switch self {
        case .refusal(let refusal): VigilReport(refusal)
        case .channel(let failure): VigilReport(failure, hasBegun: true)
        }
    }
}

extension VigilReport {
    /// Takes over what a verdict says beside yes and no.
    mutating func describe(_ response: Response) {
        measuredApp = response.measured
        validatorKeyKind = KeyKind(wireCode: response.keyKind)
        timeToLive = .milliseconds(Int64(response.timeToLiveMilliseconds))
    }
}
