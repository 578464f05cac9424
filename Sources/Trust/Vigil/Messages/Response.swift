import BasicFoundation
import BigEndian
import CodeMeasurement
import HardwareKeys

/// The validator's verdict on an app, signed also where it is negative.
///
/// Source: `vigil` section 7.3, type 0x03.
package struct Response: WireMessage {
    package static let type = MessageType.response
    package static let senders: Set<Role> = [.validator]
    package static let proofLength = Signed.signatureLength
    /// Bytes that a sealed grant may have.
    package static let grantLimit = 4096

    package var requestNonce: Bytes32
    package var challengeNonce: Bytes32
    package var validatorHash: Bytes32
    /// What the validator has measured of the app; all zero where it did not read the files.
    package var observedHash: Bytes32
    package var isValid: Bool
    /// Number of a ``Reason``.
    package var reason: UInt8
    package var measured: Levels
    /// Number of a `KeyKind`.
    package var keyKind: UInt8
    package var epoch: UInt32
    /// How long the verdict counts without another one.
    package var timeToLiveMilliseconds: UInt32
    package var timestampMilliseconds: UInt64
    /// X9.63, 65 bytes.
    package var publicKey: [UInt8]
    /// X9.63; 65 zero bytes for none.
    package var ephemeral: [UInt8]
    /// A secret for the app, sealed for this session (``SessionSecrets``); empty for none.
    package var grant: [UInt8]
    /// r ‖ s, 64 bytes.
    package private(set) var signature: [UInt8]

    /// A verdict yet to be signed.
    package init(
        to request: Request, validatorHash: Bytes32, observedHash: Bytes32, reason: Reason, measured: Levels,
        keyKind: KeyKind, epoch: UInt32, timeToLive: Duration, at time: Date, publicKey: PublicKey,
        ephemeral: PublicKey?, grant: [UInt8]
    ) {
        requestNonce = request.nonce
        challengeNonce = request.challengeNonce
        self.validatorHash = validatorHash
        self.observedHash = observedHash
        isValid = reason == .ok
        self.reason = reason.rawValue
        self.measured = measured.intersection(.ofMessages)
        self.keyKind = keyKind.wireCode
        self.epoch = epoch
        timeToLiveMilliseconds = UInt32(clamping: timeToLive.inMilliseconds)
        timestampMilliseconds = time.millisecondsOfMessages
        self.publicKey = publicKey.x963
        self.ephemeral = ephemeral.bytesOrZeros
        self.grant = grant
        signature = []
    }

    package init(reading fields: inout FieldReader) throws(Refusal) {
        requestNonce = try fields.bytes32()
        challengeNonce = try fields.bytes32()
        validatorHash = try fields.bytes32()
        observedHash = try fields.bytes32()
        isValid = try fields.flag("the verdict")
        reason = try fields.integer()
        measured = Levels(rawValue: try fields.integer())
        keyKind = try fields.integer()
        epoch = try fields.integer()
        timeToLiveMilliseconds = try fields.integer()
        timestampMilliseconds = try fields.integer()
        publicKey = try fields.bytes(PublicKey.count)
        ephemeral = try fields.bytes(PublicKey.count)
        let grantLength = Int(try fields.integer(UInt16.self))
        guard grantLength <= Self.grantLimit else {
            throw Refusal(.malformed, "a grant of \(grantLength) bytes, where \(Self.grantLimit) are allowed")
        }
        grant = try fields.bytes(grantLength)
        signature = try fields.bytes(Signed.signatureLength)
        try checkForm()
    }

    /// What has to hold whatever was asked.
    private func checkForm() throws(Refusal) {
        guard isValid == (reason == Reason.ok.rawValue) else {
            throw Refusal(.malformed, "the verdict (\(isValid)) and its reason (\(reason)) contradict each other")
        }
        guard measured.isSubset(of: .ofMessages) else {
            throw Refusal(.malformed, "a level of measurement that is not defined: \(measured.rawValue)")
        }
        guard KeyKind(wireCode: keyKind) != nil else { throw Refusal(.malformed, "\(keyKind) is no kind of key") }
        guard isValid || ephemeral.isAllZero && grant.isEmpty else {
            throw Refusal(.malformed, "a negative verdict with a session or a grant")
        }
        guard grant.isEmpty || !ephemeral.isAllZero else { throw Refusal(.malformed, "a grant without a session") }
    }

    /// All bytes but the signature.
    package var unsigned: [UInt8] {
        var message = MessageHeader(.response, from: .validator).bytes
        message += requestNonce.bytes + challengeNonce.bytes + validatorHash.bytes + observedHash.bytes
        message += [isValid ? 1 : 0, reason, measured.rawValue, keyKind]
        message.append(bigEndian: epoch)
        message.append(bigEndian: timeToLiveMilliseconds)
        message.append(bigEndian: timestampMilliseconds)
        message += publicKey + ephemeral
        message.append(bigEndian: UInt16(grant.count))
        return message + grant
    }

    package var bytes: [UInt8] { unsigned + signature }

    /// - Parameters: the messages that this one answers.
    package func signed(
        by key: any SigningKey, answering request: Sent<Request>, challenge: Sent<Challenge>
    ) throws(HardwareKeyError) -> Sent<Response> {
        var signed = self
        signed.signature = try key.sign(Signed.response(unsigned, request: request, challenge: challenge))
        return Sent(made: signed)
    }

    /// How long the verdict counts without another one.
    var timeToLive: Duration { .milliseconds(Int64(timeToLiveMilliseconds)) }
}

extension Sent<Response> {
    package func isSigned(
        by key: PublicKey, answering request: Sent<Request>, challenge: Sent<Challenge>
    ) -> Bool {
        key.verifies(message.signature, of: Signed.response(unsigned, request: request, challenge: challenge))
    }
}
