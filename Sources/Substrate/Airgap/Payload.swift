import SCALE
import Substrate
import TextForms

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
    /// A transaction to sign.
    case transaction(TransactionPayload)
    /// A message to sign.
    case message(MessagePayload)
    /// Many transactions to sign.
    case bulk(BulkPayload)
    /// Keys to import.
    case derivations(DerivationsExport)
    /// Paths of keys to be made below a seed.
    case paths(PathImport)
    /// A wallet's question for keys.
    case dynamicDerivations(DynamicDerivationsRequest)
    /// Something new that the vault is to know.
    case update(UpdatePayload)

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

    /// Reads a payload. All of the bytes have to belong to it; those behind the signature of an update are reserved,
    /// and left alone.
    public init(_ bytes: [UInt8]) throws(PayloadError) {
        guard bytes.count >= 3 else { throw .tooShort(found: bytes.count, needed: 3) }
        guard bytes[0] == Self.substrateByte else { throw .notSubstrate(bytes[0]) }
        guard bytes.count <= Self.byteLimit else { throw .payloadTooLarge(count: bytes.count, limit: Self.byteLimit) }
        guard let kind = PayloadKind(rawValue: bytes[2]) else { throw .unknownKind(bytes[2]) }
        switch kind {
        case .transactionMortal, .transaction:
            let (author, body) = try Self.author(of: bytes)
            self = .transaction(try TransactionPayload(author: author, bytes: bytes, body: body))
        case .transactionWithProof:
            let (author, body) = try Self.author(of: bytes)
            self = .transaction(try TransactionPayload(provenBy: author, bytes: bytes, body: body))
        case .dynamicTransaction:
            let (author, body) = try Self.dynamicAuthor(of: bytes)
            self = .transaction(try TransactionPayload(author: author, bytes: bytes, body: body))
        case .dynamicTransactionWithProof:
            let (author, body) = try Self.dynamicAuthor(of: bytes)
            self = .transaction(try TransactionPayload(provenBy: author, bytes: bytes, body: body))
        case .message:
            let (author, body) = try Self.author(of: bytes)
            let content = try Self.withoutGenesis(bytes, body)
            self = .message(
                MessagePayload(
                    author: author, message: Array(bytes[content.range]), genesisHash: content.genesisHash))
        case .messageAnyChain:
            let (author, body) = try Self.author(of: bytes)
            self = .message(MessagePayload(author: author, message: Array(bytes[body]), genesisHash: nil))
        case .bulk: self = .bulk(try BulkPayload(bytes))
        case .derivations: self = try Self.derivations(bytes)
        case .dynamicDerivations: self = .dynamicDerivations(try Self.record(bytes))
        case .loadMetadata, .loadTypes, .loadPackedMetadata, .addSpecs:
            self = .update(try UpdatePayload(bytes, kind: kind))
        case .transactionHash: throw .kindNotSupported(kind)
        }
    }

    /// Bytes in front of an author, or of a record that has none.
    static let headByteCount = 3

    /// Key sets or, in the form before there were any, paths. Which of the two is told by which one fills the payload.
    private static func derivations(_ bytes: [UInt8]) throws(PayloadError) -> Payload {
        do throws(PayloadError) { return .derivations(try record(bytes)) } catch let refused {
            guard let paths: PathImport = try? record(bytes) else { throw refused }
            return .paths(paths)
        }
    }

    /// A record that fills the payload to its end.
    private static func record<T: ScaleDecodable>(_ bytes: [UInt8]) throws(PayloadError) -> T {
        do throws(ScaleError) {
            var decoder = ScaleDecoder(bytes, in: headByteCount..<bytes.count)
            let record = try T(from: &decoder)
            try decoder.finish()
            return record
        } catch {
            throw .malformedRecord(error)
        }
    }

    /// The seed's root and the path behind the leading bytes, and where what follows stands.
    private static func dynamicAuthor(of bytes: [UInt8]) throws(PayloadError) -> (PayloadAuthor, Range<Int>) {
        guard let scheme = SignatureScheme(rawValue: bytes[1]) else { throw .unknownScheme(bytes[1]) }
        do throws(ScaleError) {
            var decoder = ScaleDecoder(bytes, in: headByteCount..<bytes.count)
            let root = try decoder.array(32)
            let path = try decoder.derivationPath()
            return (.derived(root: .sr25519(root), path: path, scheme: scheme), decoder.position..<bytes.count)
        } catch {
            throw .malformedRecord(error)
        }
    }

    /// The author behind the three leading bytes, and where what follows stands.
    private static func author(of bytes: [UInt8]) throws(PayloadError) -> (PayloadAuthor, Range<Int>) {
        guard let scheme = SignatureScheme(rawValue: bytes[1]) else { throw .encryptionNotSupported(bytes[1]) }
        let length = scheme == .ethereum ? 20 : scheme.publicKeyByteCount
        let end = headByteCount + length
        guard bytes.count >= end else { throw .tooShort(found: bytes.count, needed: end) }
        let field = Array(bytes[headByteCount..<end])
        if let signer = MultiSigner(scheme: scheme, publicKey: field) {
            return (.key(signer), end..<bytes.count)
        }
        return (.ethereumAddress(field), end..<bytes.count)
    }

    /// Splits the genesis hash off the end.
    static func withoutGenesis(
        _ bytes: [UInt8], _ body: Range<Int>
    ) throws(PayloadError) -> (range: Range<Int>, genesisHash: Hash256) {
        guard body.count >= Hash256.byteCount, let genesis = Hash256(bytes.suffix(Hash256.byteCount)) else {
            throw .tooShort(found: bytes.count, needed: body.lowerBound + Hash256.byteCount)
        }
        return (body.lowerBound..<body.upperBound - Hash256.byteCount, genesis)
    }
}

/// The author that a payload names.
public enum PayloadAuthor: Hashable, Sendable {
    /// A key of its own.
    case key(MultiSigner)
    /// 20 bytes; the key behind it is among the stored ones or unknown.
    case ethereumAddress([UInt8])
    /// The key at a path of the seed that has this root.
    case derived(root: MultiSigner, path: DerivationPath, scheme: SignatureScheme)

    /// The signature scheme of the author's key.
    public var scheme: SignatureScheme {
        switch self {
        case .key(let signer): signer.scheme
        case .ethereumAddress: .ethereum
        case .derived(_, _, let scheme): scheme
        }
    }
}

/// A message to sign, with the tags that make it one or without.
public struct MessagePayload: Equatable, Sendable {
    /// Who is to sign.
    public let author: PayloadAuthor
    /// All bytes that would be signed.
    public let message: [UInt8]
    /// The network, or nil for any chain.
    public let genesisHash: Hash256?
}
