import BasicFoundation
import BigEndian
import CodeMeasurement
import HardwareKeys

/// The app's request to be validated.
///
/// What was received is held as it came: the order in which it is checked decides which reason is given
/// (``RequestCheck``).
///
/// Source: `vigil` section 7.3, type 0x02.
package struct Request: WireMessage {
    package static let type = MessageType.request
    package static let senders: Set<Role> = [.app]
    package static let length: Int? = 314
    package static let proofLength = Signed.signatureLength

    package var challengeNonce: Bytes32
    package var nonce: Bytes32
    /// What the app has measured of itself: the digest of its bundle, or of its text in the first profile.
    package var hash: Bytes32
    /// The sender's time, for the log alone.
    package var timestampMilliseconds: UInt64
    package var epoch: UInt32
    /// Number of a ``HashProfile``.
    package var profile: UInt8
    /// Number of a `KeyKind`.
    package var keyKind: UInt8
    /// Descriptors of the app that come with this frame.
    package var handles: HandleMask
    /// X9.63, 65 bytes.
    package var publicKey: [UInt8]
    /// A point for this session alone, X9.63; 65 zero bytes for none.
    package var ephemeral: [UInt8]
    /// r ‖ s, 64 bytes.
    package private(set) var signature: [UInt8]

    /// A request yet to be signed.
    ///
    /// - Parameter ephemeral: nil for no session.
    package init(
        to challenge: Challenge, nonce: Bytes32, hash: Bytes32, at time: Date, epoch: UInt32,
        keyKind: KeyKind, handles: HandleMask, publicKey: PublicKey, ephemeral: PublicKey?
    ) {
        challengeNonce = challenge.nonce
        self.nonce = nonce
        self.hash = hash
        timestampMilliseconds = time.millisecondsOfMessages
        self.epoch = epoch
        profile = challenge.profile.rawValue
        self.keyKind = keyKind.wireCode
        self.handles = handles
        self.publicKey = publicKey.x963
        self.ephemeral = ephemeral.bytesOrZeros
        signature = []
    }

    package init(reading fields: inout FieldReader) throws(Refusal) {
        challengeNonce = try fields.bytes32()
        nonce = try fields.bytes32()
        hash = try fields.bytes32()
        timestampMilliseconds = try fields.integer()
        epoch = try fields.integer()
        profile = try fields.integer()
        keyKind = try fields.integer()
        handles = try fields.handles()
        try fields.zeros(1)
        publicKey = try fields.bytes(PublicKey.count)
        ephemeral = try fields.bytes(PublicKey.count)
        signature = try fields.bytes(Signed.signatureLength)
    }

    /// All bytes but the signature.
    package var unsigned: [UInt8] {
        var message = MessageHeader(.request, from: .app).bytes + challengeNonce.bytes + nonce.bytes + hash.bytes
        message.append(bigEndian: timestampMilliseconds)
        message.append(bigEndian: epoch)
        return message + [profile, keyKind, handles.rawValue, 0] + publicKey + ephemeral
    }

    package var bytes: [UInt8] { unsigned + signature }

    /// - Parameter challenge: the message that this one answers.
    package func signed(
        by key: any SigningKey, answering challenge: Sent<Challenge>
    ) throws(HardwareKeyError) -> Sent<Request> {
        var signed = self
        signed.signature = try key.sign(Signed.request(unsigned, challenge: challenge))
        return Sent(made: signed)
    }
}

extension Sent<Request> {
    package func isSigned(by key: PublicKey, answering challenge: Sent<Challenge>) -> Bool {
        key.verifies(message.signature, of: Signed.request(unsigned, challenge: challenge))
    }
}

extension Date {
    /// Milliseconds since 1970, as messages tell their time; 0 for what was before.
    var millisecondsOfMessages: UInt64 { UInt64(max(0, timeIntervalSince1970 * 1000)) }
}

extension PublicKey? {
    /// The bytes of an optional point as they are sent.
    var bytesOrZeros: [UInt8] { self?.x963 ?? [UInt8](repeating: 0, count: PublicKey.count) }
}

extension [UInt8] {
    var isAllZero: Bool { allSatisfy { $0 == 0 } }
}
