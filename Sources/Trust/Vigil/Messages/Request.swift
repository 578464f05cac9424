import CodeMeasurement
import HardwareKeys

/// The app's request to be validated.
///
/// What was received is held as it came: the order in which it is checked decides which reason is given
/// (``RequestCheck``).
///
/// Source: `vigil` section 7.3, type 0x02.
public struct Request: Hashable, Sendable {
    static let length = 314

    public var challengeNonce: Bytes32
    public var nonce: Bytes32
    /// What the app has measured of itself: the digest of its bundle, or of its text in the first profile.
    public var hash: Bytes32
    /// The sender's time, for the log alone.
    public var timestampMilliseconds: UInt64
    public var epoch: UInt32
    /// Number of a ``HashProfile``.
    public var profile: UInt8
    /// Number of a `KeyKind`.
    public var keyKind: UInt8
    /// Descriptors of the app that come with this frame.
    public var handles: HandleMask
    /// X9.63, 65 bytes.
    public var publicKey: [UInt8]
    /// A point for this session alone, X9.63; 65 zero bytes for none.
    public var ephemeral: [UInt8]
    /// r ‖ s, 64 bytes.
    public private(set) var signature: [UInt8]

    /// A request yet to be signed.
    ///
    /// - Parameter ephemeral: nil for no session.
    public init(
        to challenge: Challenge, nonce: Bytes32, hash: Bytes32, timestampMilliseconds: UInt64, epoch: UInt32,
        keyKind: KeyKind, handles: HandleMask, publicKey: PublicKey, ephemeral: PublicKey?
    ) {
        challengeNonce = challenge.nonce
        self.nonce = nonce
        self.hash = hash
        self.timestampMilliseconds = timestampMilliseconds
        self.epoch = epoch
        profile = challenge.profile.rawValue
        self.keyKind = keyKind.wireCode
        self.handles = handles
        self.publicKey = publicKey.x963
        self.ephemeral = ephemeral.bytesOrZeros
        signature = []
    }

    public init(parsing message: [UInt8]) throws(Refusal) {
        var fields = try FieldReader(message, type: .request, from: [.app], length: Self.length)
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
        signature = try fields.bytes(Signed.signatureCount)
        try fields.end()
    }

    /// All bytes but the signature.
    package var unsigned: [UInt8] {
        var message = MessageHeader(.request, from: .app).bytes + challengeNonce.bytes + nonce.bytes + hash.bytes
        message.append(bigEndian: timestampMilliseconds)
        message.append(bigEndian: epoch)
        return message + [profile, keyKind, handles.rawValue, 0] + publicKey + ephemeral
    }

    public var bytes: [UInt8] { unsigned + signature }

    /// - Parameter challenge: the message that this one answers.
    public func signed(by key: any SigningKey, answering challenge: [UInt8]) throws(HardwareKeyError) -> Request {
        var signed = self
        signed.signature = try key.sign(Signed.request(unsigned, challenge: challenge))
        return signed
    }
}

extension PublicKey? {
    /// The bytes of an optional point as they are sent.
    var bytesOrZeros: [UInt8] { self?.x963 ?? [UInt8](repeating: 0, count: PublicKey.count) }
}

extension [UInt8] {
    var isAllZero: Bool { allSatisfy { $0 == 0 } }
}
