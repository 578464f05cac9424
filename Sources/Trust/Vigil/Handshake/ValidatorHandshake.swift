import BasicFoundation
import CodeMeasurement
import HardwareKeys
import SecretMemory

/// One challenge of a validator and what it says to the answer. A challenge is answered once.
package struct ValidatorHandshake: Sendable {
    /// What the validator says of itself in every verdict.
    package struct Identity: Sendable {
        package var key: any SigningKey
        package var publicKey: PublicKey
        /// The digest of its own code, by the manifest.
        package var hash: Bytes32
        package var epoch: UInt32

        /// - Throws: ``Refusal``: `internal` for a key whose public half is not one.
        package init(key: any SigningKey, hash: Bytes32, epoch: UInt32) throws(Refusal) {
            guard let publicKey = PublicKey(x963: key.publicKey) else {
                throw Refusal(.internal, "the validator's own public key is malformed")
            }
            self.key = key
            self.publicKey = publicKey
            self.hash = hash
            self.epoch = epoch
        }
    }

    package let identity: Identity
    package let challenge: Sent<Challenge>

    package init(
        _ identity: Identity, profile: HashProfile, capabilities: Capabilities, deadline: Duration, handles: HandleMask
    ) {
        self.identity = identity
        challenge = Sent(
            made: Challenge(
                nonce: .random(), validatorKeyID: identity.publicKey.id, profile: profile, capabilities: capabilities,
                epoch: identity.epoch, deadline: deadline, handles: handles))
    }

    /// What was measured of the app.
    package struct Observation: Sendable {
        package var hash: Bytes32
        package var measured: Levels

        package init(hash: Bytes32, measured: Levels) {
            self.hash = hash
            self.measured = measured
        }
    }

    package struct Answer: Sendable {
        package let response: Sent<Response>
        /// Nil for a negative verdict, and where the app offered no session key.
        package let session: ValidatorSession?
    }

    /// The signed verdict on a request that could be read.
    ///
    /// - Parameters:
    ///   - accepted: what ``RequestCheck`` made of it; nil for a negative verdict.
    ///   - grant: for a positive verdict with a session.
    /// - Throws: ``HardwareKeyError`` where the validator cannot sign, ``Refusal`` where the session keys do not fit.
    package func answer(
        _ request: Sent<Request>, accepted: RequestCheck.Accepted?, reason: Reason, observation: Observation,
        timeToLive: Duration, at time: Date, grant: SecretBytes?
    ) throws -> Answer {
        let ephemeral = reason == .ok && accepted?.ephemeral != nil ? try EphemeralKey() : nil
        let agreed =
            if let ephemeral, let other = accepted?.ephemeral { try ephemeral.agree(with: other) } else {
                nil as SecretBytes?
            }
        let sealed: [UInt8] =
            if let agreed, let grant {
                try Grant.seal(
                    grant, key: SessionSecrets.grantKey(of: agreed, challenge: challenge, request: request))
            } else { [] }
        let response = try Response(
            to: request.message, validatorHash: identity.hash, observedHash: observation.hash, reason: reason,
            measured: observation.measured, keyKind: identity.key.kind, epoch: identity.epoch,
            timeToLive: timeToLive, at: time, publicKey: identity.publicKey, ephemeral: ephemeral?.publicKey,
            grant: sealed
        ).signed(by: identity.key, answering: request, challenge: challenge)
        let session = try agreed.map {
            ValidatorSession(
                secrets: try SessionSecrets($0, challenge: challenge, request: request, response: response),
                response: response, hash: request.message.hash)
        }
        return Answer(response: response, session: session)
    }
}
