import SCALE
import Substrate

/// What a hot wallet asks for by picture: the universal offline signing format of Polkadot's signers.
///
///     switch try Payload(bytes) {
///     case .transaction(let transaction): …
///     case .message(let message): …
///     }
///
/// The whole table of codes is known (``PayloadKind``); what this version does not read is refused by name. Source:
/// `signer-wire` section 1.
public enum Payload: Equatable, Sendable {
    case transaction(TransactionPayload)
    case message(MessagePayload)

    /// Bytes of a payload at the most.
    public static let byteLimit = 4 << 20
    /// The first byte of every payload.
    static let substrateByte: UInt8 = 0x53

    /// Reads text as programs and tests pass it: hex, with or without `0x`.
    public init(hex text: String) throws(PayloadError) {
        let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
        guard digits.utf8.count >= 6 else { throw .tooShort(found: digits.utf8.count / 2, needed: 3) }
        if !digits.hasPrefix("53") {
            guard let first = UInt8(digits.prefix(2), radix: 16) else { throw .hexDecoding }
            throw .notSubstrate(first)
        }
        guard let bytes = Hex.decode(digits) else { throw .hexDecoding }
        try self.init(bytes)
    }

    public init(_ bytes: [UInt8]) throws(PayloadError) {
        guard bytes.count >= 3 else { throw .tooShort(found: bytes.count, needed: 3) }
        guard bytes[0] == Self.substrateByte else { throw .notSubstrate(bytes[0]) }
        guard bytes.count <= Self.byteLimit else { throw .payloadTooLarge(count: bytes.count, limit: Self.byteLimit) }
        guard let kind = PayloadKind(rawValue: bytes[2]) else { throw .unknownKind(bytes[2]) }
        switch kind {
        case .transactionMortal, .transaction:
            let (author, body) = try Self.author(of: bytes)
            self = .transaction(try TransactionPayload(author: author, bytes: bytes, body: body))
        case .message:
            let (author, body) = try Self.author(of: bytes)
            let content = try Self.withoutGenesis(bytes, body)
            self = .message(
                MessagePayload(
                    author: author, message: Array(bytes[content.range]), genesisHash: content.genesisHash))
        case .messageAnyChain:
            let (author, body) = try Self.author(of: bytes)
            self = .message(MessagePayload(author: author, message: Array(bytes[body]), genesisHash: nil))
        case .transactionHash, .bulk, .dynamicTransaction, .transactionWithProof, .dynamicTransactionWithProof,
            .loadMetadata, .loadTypes, .addSpecs, .derivations, .dynamicDerivations:
            throw .kindNotSupported(kind)
        }
    }

    /// The author behind the three leading bytes, and where what follows stands.
    private static func author(of bytes: [UInt8]) throws(PayloadError) -> (PayloadAuthor, Range<Int>) {
        guard let scheme = SignatureScheme(rawValue: bytes[1]) else { throw .encryptionNotSupported(bytes[1]) }
        let length = scheme == .ethereum ? 20 : scheme.publicKeyByteCount
        let end = 3 + length
        guard bytes.count >= end else { throw .tooShort(found: bytes.count, needed: end) }
        let field = Array(bytes[3..<end])
        if let signer = MultiSigner(scheme: scheme, publicKey: field) {
            return (.key(signer), end..<bytes.count)
        }
        return (.ethereumAddress(field), end..<bytes.count)
    }

    /// Splits the genesis hash off the end.
    fileprivate static func withoutGenesis(
        _ bytes: [UInt8], _ body: Range<Int>
    ) throws(PayloadError) -> (range: Range<Int>, genesisHash: Hash256) {
        guard body.count >= Hash256.byteCount, let genesis = Hash256(bytes.suffix(Hash256.byteCount)) else {
            throw .tooShort(found: bytes.count, needed: body.lowerBound + Hash256.byteCount)
        }
        return (body.lowerBound..<body.upperBound - Hash256.byteCount, genesis)
    }
}

/// Whom a payload names as its author.
public enum PayloadAuthor: Hashable, Sendable {
    case key(MultiSigner)
    /// 20 bytes; the key behind it is among the stored ones or unknown.
    case ethereumAddress([UInt8])

    public var scheme: SignatureScheme {
        switch self {
        case .key(let signer): signer.scheme
        case .ethereumAddress: .ethereum
        }
    }
}

/// A transaction to sign: call and extensions, as they stand in the payload.
public struct TransactionPayload: Equatable, Sendable {
    public let author: PayloadAuthor
    /// The whole payload.
    public let bytes: [UInt8]
    public let genesisHash: Hash256
    /// Call with its length, and extensions: everything between author and genesis.
    public let body: Range<Int>

    init(author: PayloadAuthor, bytes: [UInt8], body: Range<Int>) throws(PayloadError) {
        let content = try Payload.withoutGenesis(bytes, body)
        self.author = author
        self.bytes = bytes
        self.body = content.range
        genesisHash = content.genesisHash
    }

    public var networkKey: NetworkKey { NetworkKey(scheme: author.scheme, genesisHash: genesisHash) }

    /// Where the call and the extensions stand in ``bytes``.
    ///
    /// - Returns: nil if the length in front of the call is malformed or beyond the end (`SeparateMethodExtensions`).
    public func parts() -> (call: Range<Int>, extensions: Range<Int>)? {
        var decoder = ScaleDecoder(bytes, in: body)
        guard let call = try? decoder.byteSequenceRange() else { return nil }
        return (call, call.upperBound..<body.upperBound)
    }
}

/// A message to sign, with the tags that make it one or without.
public struct MessagePayload: Equatable, Sendable {
    public let author: PayloadAuthor
    /// All bytes that would be signed.
    public let message: [UInt8]
    /// The network, or nil for any chain.
    public let genesisHash: Hash256?
}
