import SCALE
import Substrate

/// Something new that a vault is to know: a network, metadata, or types; signed by whom it may trust, or by nobody.
///
///     case .update(let update): print(update.content, update.signer)
///
/// Reading one verifies its signature before its content is looked at. Whose word counts is for the vault to judge.
/// Source: `signer-wire` section 7.5.
public struct UpdatePayload: Equatable, Sendable {
    /// What is new.
    public enum Content: Equatable, Sendable {
        /// A network.
        case specs(NetworkSpecs)
        /// Metadata of a runtime, beginning with `meta`, with the genesis of the network that they are said to be of.
        case metadata([UInt8], genesisHash: Hash256)
        /// The same compressed. What they are is known when they were expanded, by ``UpdatePayload/expanded(to:)``.
        case packedMetadata(PackedMetadata, genesisHash: Hash256)
        /// The types that metadata 12 and 13 name.
        case types(TypesTable)
    }

    /// What is new.
    public let content: Content
    /// The key that signed the content; nil where nobody did.
    public let signer: MultiSigner?
    /// Whether metadata came compressed, and were expanded.
    public let isExpanded: Bool

    /// Takes content that nobody signed.
    public init(unsigned content: Content) {
        self.content = content
        signer = nil
        isExpanded = false
    }

    private init(expanded content: Content, signer: MultiSigner?) {
        self.content = content
        self.signer = signer
        isExpanded = true
    }

    /// The update with the metadata that its frame holds, by the same word.
    ///
    /// - Parameter blob: what a worker has made of the frame.
    /// - Returns: nil where the content was not compressed, or the blob has another length than was signed.
    public func expanded(to blob: [UInt8]) -> UpdatePayload? {
        guard case .packedMetadata(let packed, let genesis) = content, blob.count == packed.byteCount else {
            return nil
        }
        return UpdatePayload(expanded: .metadata(blob, genesisHash: genesis), signer: signer)
    }
}

extension UpdatePayload.Content {
    /// The code that announces such an update.
    public var kind: PayloadKind {
        switch self {
        case .specs: .addSpecs
        case .metadata: .loadMetadata
        case .packedMetadata: .loadPackedMetadata
        case .types: .loadTypes
        }
    }

    /// What a signature of the update signs: the network or the types, or the metadata with their length before them
    /// and the genesis behind; of compressed ones both lengths, the frame and the genesis.
    public var signedBytes: [UInt8] {
        switch self {
        case .specs(let specs): return specs.scaleEncoded
        case .types(let types): return types.scaleEncoded
        case .metadata(let blob, let genesis):
            var encoder = ScaleEncoder()
            encoder.byteSequence(blob)
            encoder.value(genesis)
            return encoder.bytes
        case .packedMetadata(let packed, let genesis):
            var encoder = ScaleEncoder()
            packed.encode(to: &encoder)
            encoder.value(genesis)
            return encoder.bytes
        }
    }

    /// The least bytes that are signed of metadata and of types.
    package static let leastSigned = SigningPayload.plainLimit + 1

    /// Makes sure that a signature of the update is none of a transaction.
    ///
    /// Keys that vouch for updates may hold money, and nothing but the bytes says what was signed. A chain takes a
    /// signature of up to 256 bytes of a transaction, and of longer ones that of their hash. Metadata have room for
    /// bytes of anybody's choice, and for the two hashes that a transaction ends with; and one hash in 2^50 reads as a
    /// table of types, which whoever chooses the transaction can look for. So both are longer. A network is text around
    /// one hash, and never as short as one.
    ///
    /// - Throws: ``PayloadError/contentTooShort(_:count:)``
    package func checkSignable() throws(PayloadError) {
        if case .specs = self { return }
        let count = signedBytes.count
        guard count >= Self.leastSigned else { throw .contentTooShort(kind, count: count) }
    }

    /// The content as it travels.
    fileprivate var transferred: [UInt8] {
        if kind.hasGenesisBehind { return signedBytes }
        var encoder = ScaleEncoder()
        encoder.byteSequence(signedBytes)
        return encoder.bytes
    }
}

extension UpdatePayload {
    /// The codes of the second byte: who signed, or that nobody did.
    private static let unsignedCode: UInt8 = 0xff

    /// The payload that carries the content, which a vault reads from a picture.
    ///
    /// - Parameters:
    ///   - content: what is new.
    ///   - signature: of ``Content/signedBytes``, with the key that made it; nil for nobody's.
    public static func payload(
        _ content: Content, signature: (signer: MultiSigner, bytes: [UInt8])? = nil
    ) -> [UInt8] {
        let head = [
            Payload.substrateByte, signature?.signer.scheme.rawValue ?? unsignedCode, content.kind.rawValue,
        ]
        return head + (signature?.signer.publicKey ?? []) + content.transferred + (signature?.bytes ?? [])
    }

    /// - Parameter kind: that of an update.
    init(_ bytes: [UInt8], kind: PayloadKind) throws(PayloadError) {
        var start = Payload.headByteCount
        var author: (signer: MultiSigner, scheme: SignatureScheme)?
        if bytes[1] != Self.unsignedCode {
            guard let stated = SignatureScheme(rawValue: bytes[1]) else { throw .encryptionNotSupported(bytes[1]) }
            // In updates, the code of Ethereum's accounts means the same as the one of their keys.
            let scheme = stated == .ethereum ? .ecdsa : stated
            let end = start + scheme.publicKeyByteCount
            guard bytes.count >= end, let signer = MultiSigner(scheme: scheme, publicKey: Array(bytes[start..<end]))
            else { throw .tooShort(found: bytes.count, needed: end) }
            author = (signer, scheme)
            start = end
        }
        let (record, end) = try Self.record(in: bytes, from: start, kind: kind)
        if let author {
            let signatureEnd = end + author.scheme.signatureByteCount
            guard bytes.count >= signatureEnd else { throw .tooShort(found: bytes.count, needed: signatureEnd) }
            // Of metadata all of it is signed, of the others what stands behind the length.
            let signed = kind.hasGenesisBehind ? start..<end : record
            guard
                SignatureVerifier.isValid(
                    signature: Array(bytes[end..<signatureEnd]), message: Array(bytes[signed]),
                    publicKey: author.signer.publicKey, scheme: author.scheme)
            else { throw .badSignature(author.signer) }
        }
        signer = author?.signer
        content = try Self.content(kind, bytes, record: record, whole: start..<end)
        if author != nil { try content.checkSignable() }
        isExpanded = false
    }

    /// Where the record behind its length stands, and where the content ends.
    private static func record(
        in bytes: [UInt8], from start: Int, kind: PayloadKind
    ) throws(PayloadError) -> (record: Range<Int>, end: Int) {
        guard start < bytes.count else { throw .noContent }
        var decoder = ScaleDecoder(bytes, in: start..<bytes.count)
        let length: UInt32
        do throws(ScaleError) {
            // First how many bytes come out, then how many there are.
            if kind == .loadPackedMetadata { _ = try decoder.compact32() }
            length = try decoder.compact32()
        } catch { throw .malformedLength(error) }
        let record = decoder.position..<decoder.position + Int(length)
        let end = record.upperBound + (kind.hasGenesisBehind ? Hash256.byteCount : 0)
        guard end <= bytes.count else { throw .tooShort(found: bytes.count, needed: end) }
        return (record, end)
    }

    private static func content(
        _ kind: PayloadKind, _ bytes: [UInt8], record: Range<Int>, whole: Range<Int>
    ) throws(PayloadError) -> Content {
        if kind == .loadPackedMetadata { return try packedMetadata(bytes, frame: record, whole) }
        do throws(ScaleError) {
            var decoder = ScaleDecoder(bytes, in: record)
            switch kind {
            case .addSpecs:
                let specs = try NetworkSpecs(from: &decoder)
                try decoder.finish()
                return .specs(specs)
            case .loadTypes:
                let types = try TypesTable(from: &decoder)
                try decoder.finish()
                return .types(types)
            default:
                var behind = ScaleDecoder(bytes, in: record.upperBound..<whole.upperBound)
                return .metadata(Array(bytes[record]), genesisHash: try Hash256(from: &behind))
            }
        } catch {
            throw .malformedRecord(error)
        }
    }

    private static func packedMetadata(
        _ bytes: [UInt8], frame: Range<Int>, _ whole: Range<Int>
    ) throws(PayloadError) -> Content {
        let (count, genesis): (UInt32, Hash256)
        do throws(ScaleError) {
            var decoder = ScaleDecoder(bytes, in: whole)
            count = try decoder.compact32()
            var behind = ScaleDecoder(bytes, in: frame.upperBound..<whole.upperBound)
            genesis = try Hash256(from: &behind)
        } catch {
            throw .malformedRecord(error)
        }
        guard let packed = PackedMetadata(byteCount: Int(count), frame: Array(bytes[frame])) else {
            throw .payloadTooLarge(count: Int(count), limit: PackedMetadata.byteLimit)
        }
        return .packedMetadata(packed, genesisHash: genesis)
    }
}

extension PayloadKind {
    /// Whether a genesis follows the record, and all of the content is signed.
    fileprivate var hasGenesisBehind: Bool { self == .loadMetadata || self == .loadPackedMetadata }
}
