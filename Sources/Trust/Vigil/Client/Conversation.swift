import BasicFoundation
import CodeMeasurement
import HardwareKeys

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
        do { outcome = try handshake() } catch { outcome = .init(report: VigilReport(interruptedBy: error)) }
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

    private mutating func handshake() throws -> ValidationClient.Outcome {
        // The digest of oneself needs nothing of the other side, and takes as long as all the rest.
        let measure = client.identity.measure
        let ownHash = Concurrently { () throws(Refusal) in try measure() }
        let first = try channel.receive(until: deadline)
        validator = first.sender ?? channel.peer
        let challenge = try Self.challenge(in: first)
        guard challenge.message.profile == client.identity.profile else {
            throw Refusal(.profileUnsupported, "the validator wants profile \(challenge.message.profile)")
        }
        let peer = try client.inspector.inspect(channel)
        try look(at: peer, attachments: first.attachments, handles: challenge.message.handles)
        let question = try question(challenge, hash: try ownHash.value(), peer: peer)
        let handles = question.capabilities.contains(.wantsHandles) ? client.identity.handles : []
        try channel.send(question.request.bytes, attachments: handles, until: deadline)
        return try judge(try channel.receive(until: deadline), answering: question)
    }

    /// Looks at the validator before anything is said about this process.
    private mutating func look(
        at peer: any InspectedPeer, attachments: [Attachment], handles: HandleMask
    ) throws(Refusal) {
        try peer.take(attachments, handles)
        let seen = try peer.look(client.levelsToLookFor, isNewSession: true)
        (measured, flags) = (seen.measured, seen.flags)
        try client.check(seen)
    }

    /// The validator's first message, which may also be that it has no time.
    private static func challenge(in received: Received) throws(Refusal) -> Sent<Challenge> {
        if try received.header().type == .failure {
            throw Refusal(
                try Sent<Failure>(received).message.reason, "the validator does not take the conversation up")
        }
        return try Sent<Challenge>(received)
    }

    /// What this app has asked a validator.
    private struct Question {
        let challenge: Sent<Challenge>
        let request: Sent<Request>
        let ephemeral: EphemeralKey
        /// The validator's process.
        let peer: any InspectedPeer

        var capabilities: Capabilities { challenge.message.capabilities }
    }

    private func question(
        _ challenge: Sent<Challenge>, hash: Bytes32, peer: any InspectedPeer
    ) throws(Refusal) -> Question {
        let identity = client.identity
        guard let publicKey = PublicKey(x963: identity.key.publicKey) else {
            throw Refusal(.internal, "this app's own public key is malformed")
        }
        let ephemeral = try EphemeralKey()
        let wantsHandles = challenge.message.capabilities.contains(.wantsHandles)
        let request = Request(
            to: challenge.message, nonce: .random(), hash: hash, at: client.calendar(), epoch: identity.epoch,
            keyKind: identity.key.kind, handles: wantsHandles ? identity.handleMask : [], publicKey: publicKey,
            ephemeral: ephemeral.publicKey)
        do throws(HardwareKeyError) {
            return Question(
                challenge: challenge, request: try request.signed(by: identity.key, answering: challenge),
                ephemeral: ephemeral, peer: peer)
        } catch {
            throw Refusal(.internal, "this app cannot sign: \(error)")
        }
    }

    private func judge(_ answer: Received, answering question: Question) throws(Refusal) -> ValidationClient.Outcome {
        guard answer.attachments.isEmpty else { throw Refusal(.malformed, "descriptors came with the verdict") }
        if try answer.header().type == .failure {
            throw Refusal(try Sent<Failure>(answer).message.reason, "the validator gives no verdict")
        }
        let response = try Sent<Response>(answer)
        let wantsConfirmation = question.capabilities.contains(.wantsConfirmation)
        do throws(Refusal) {
            let outcome = try outcome(of: response, answering: question)
            if wantsConfirmation { try confirm(response, answering: question, reason: outcome.report.reason) }
            return outcome
        } catch {
            // The validator is told why.
            if wantsConfirmation { try? confirm(response, answering: question, reason: error.reason) }
            throw error
        }
    }

    private func outcome(
        of response: Sent<Response>, answering question: Question
    ) throws(Refusal) -> ValidationClient.Outcome {
        let check = ResponseCheck(
            challenge: question.challenge, request: question.request, pin: try client.pins.pin(of: .validator),
            expectedHash: client.identity.validatorHash, epoch: client.identity.epoch)
        switch try check.accept(response) {
        case .invalid(let response, let reason):
            var report = VigilReport(.tampered, reason, findings: [Finding("the validator says so")])
            report.describe(response)
            return .init(report: report)
        case .valid(let verdict):
            var report = VigilReport(.valid, .ok)
            report.validatorKeyID = verdict.key.id
            report.describe(response.message)
            let begun = try ClientSession.begin(
                question.ephemeral, verdict: verdict, challenge: question.challenge, request: question.request)
            report.grant = begun?.grant.map(GrantedSecret.init)
            return .init(
                report: report,
                conversation: begun.map {
                    .init(channel, $0.session, peer: question.peer, capabilities: question.capabilities)
                })
        }
    }

    /// Says what this app thinks of the verdict. It is no reason to distrust the verdict if that cannot be sent.
    private func confirm(
        _ response: Sent<Response>, answering question: Question, reason: Reason
    ) throws(Refusal) {
        let confirmation = Confirmation(of: response.message, reason: reason)
        do throws(HardwareKeyError) {
            let message = try confirmation.signed(
                by: client.identity.key, answering: response, request: question.request,
                challenge: question.challenge)
            try? channel.send(message.bytes, until: deadline)
        } catch {
            throw Refusal(.internal, "this app cannot sign: \(error)")
        }
    }
}

extension VigilReport {
    /// What is reported of a conversation that did not come to its end.
    init(interruptedBy error: any Error) {
        switch error {
        case let refusal as Refusal: self.init(refusal)
        case let failure as ChannelError: self.init(failure, hasBegun: true)
        default: self.init(.error, .internal, findings: [Finding("\(error)")])
        }
    }

    /// Takes over what a verdict says beside yes and no.
    mutating func describe(_ response: Response) {
        measuredApp = response.measured
        validatorKeyKind = KeyKind(wireCode: response.keyKind)
        timeToLive = response.timeToLive
    }
}
