import CodeMeasurement

/// Why there is no evidence.
public enum EvidenceFailure: Error, Hashable, Sendable {
    /// The validator gives none, or what it said is not to be trusted.
    case refused(Refusal)
    /// What it said is not about this app, this session or this question.
    case wrong(EvidenceRefusal)
}

extension EvidenceFailure: CustomStringConvertible {
    /// What is wrong, for the log.
    public var description: String {
        switch self {
        case .refused(let refusal): refusal.description
        case .wrong(let refusal): refusal.description
        }
    }
}

extension Refusal {
    fileprivate static let givesNoEvidence = Refusal(.profileUnsupported, "this validator gives no evidence")
    fileprivate static let noEvidenceNow = Refusal(.busy, "the validator gives no evidence now")
    /// The time of the question is over, and nothing was taken back.
    fileprivate var isTimeout: Bool { reason == .expired && finding.text != Self.takesBack }
    fileprivate static let takesBack = "the validator takes its word back instead"
}

extension EvidenceFailure {
    /// What it says of the validator and of this app; nil where there is only no evidence, or none now.
    var report: VigilReport? {
        switch self {
        case .refused(.givesNoEvidence), .refused(.noEvidenceNow): nil
        case .refused(Refusal(.noThread)), .refused(Refusal(.tooMuchHangs)): nil
        case .refused(let refusal) where refusal.isTimeout: VigilReport(.timeout, .expired, findings: [refusal.finding])
        case .refused(let refusal): VigilReport(refusal)
        case .wrong(.signatureInvalid): VigilReport(.tampered, .signatureInvalid, findings: [finding])
        case .wrong: VigilReport(.tampered, .malformed, findings: [finding])
        }
    }

    private var finding: Finding { Finding(description) }
}

extension ValidationClient {
    /// Asks within a session for evidence, checks it and signs it as well. What fails ends the session.
    ///
    /// - Parameters:
    ///   - nonce: from the verifier that the evidence is for.
    ///   - audience: digest of the name of that verifier (``Evidence/audience(_:)``).
    /// - Throws: ``EvidenceFailure``
    ///
    /// Source: `vigil` section 9.4.
    package func evidence(
        nonce: Bytes32, audience: Bytes32, in conversation: OpenConversation, until deadline: Deadline
    ) throws(EvidenceFailure) -> EvidenceEnvelope {
        let result = conversation.inTurn(until: deadline) { () -> Result<EvidenceEnvelope, EvidenceFailure>? in
            do throws(TimeLimit.NotBegun) {
                return try TimeLimit.ofClients.run(until: deadline) {
                    Result { () throws(EvidenceFailure) in
                        try ask(nonce: nonce, audience: audience, in: conversation, until: deadline)
                    }
                }
            } catch {
                return .failure(.refused(Refusal(error)))
            }
        }
        do throws(EvidenceFailure) {
            guard let result = result ?? nil else { throw .refused(.expired) }
            return try result.get()
        } catch {
            conversation.close()
            throw error
        }
    }

    private func ask(
        nonce: Bytes32, audience: Bytes32, in conversation: OpenConversation, until deadline: Deadline
    ) throws(EvidenceFailure) -> EvidenceEnvelope {
        let (response, check): (EvidenceResponse, EvidenceCheck)
        do throws(Refusal) {
            guard conversation.capabilities.contains(.givesEvidence) else {
                throw Refusal.givesNoEvidence
            }
            let question = EvidenceRequest(verifierNonce: nonce, audience: audience)
            let request: Sent<EvidenceRequest>
            (request, check) = try conversation.withSession { session in
                (
                    question.authenticated(by: session.secrets),
                    EvidenceCheck(
                        request: question, validator: session.validatorKey,
                        ownText2: identity.text2 ?? session.hash, transcript: session.secrets.transcript)
                )
            }
            let received = try reaching {
                try conversation.channel.send(request.bytes, until: deadline)
                return try conversation.channel.receive(until: deadline)
            }
            guard received.attachments.isEmpty else { throw Refusal(.malformed, "descriptors within a session") }
            let type = try received.header().type
            if type == .alert {
                let report = takeUnsolicited(received, in: conversation)
                throw Refusal(report.reason, Refusal.takesBack)
            }
            if type == .failure {
                throw Refusal(try Sent<Failure>(received).message.reason, Refusal.noEvidenceNow.finding.text)
            }
            response = try Sent<EvidenceResponse>(received).message
        } catch {
            throw .refused(error)
        }
        do throws(EvidenceRefusal) {
            return EvidenceEnvelope(try check.envelope(for: response, signingWith: identity.key))
        } catch {
            throw .wrong(error)
        }
    }
}
