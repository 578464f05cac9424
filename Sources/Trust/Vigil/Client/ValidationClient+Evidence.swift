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
        let result = try? TimeLimit.ofClients.run(until: deadline) {
            Result { () throws(EvidenceFailure) in
                try ask(nonce: nonce, audience: audience, in: conversation, until: deadline)
            }
        }
        do throws(EvidenceFailure) {
            guard let result else { throw .refused(.expired) }
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
                throw Refusal(.profileUnsupported, "this validator gives no evidence")
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
                throw Refusal(report.reason, "the validator takes its word back instead")
            }
            if type == .failure {
                throw Refusal(try Sent<Failure>(received).message.reason, "the validator gives no evidence now")
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
