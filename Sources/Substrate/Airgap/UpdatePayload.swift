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
        /// The types that metadata 12 and 13 name.
        case types(TypesTable)
    }

    /// What is new.
    public let content: Content
    /// The key that signed the content; nil where nobody did.
    public let signer: MultiSigner?

    /// Takes content that nobody signed.
    public init(unsigned content: Content) {
        self.content = content
        signer = nil
    }
}

extension UpdatePayload.Content {
    /// The code that announces such an update.
    public var kind: PayloadKind {
        switch self {
        case .specs: .addSpecs
        case .metadata: .loadMetadata
        case .types: .loadTypes
        }
    }

    /// What a signature of the update signs: the network or the types, or the metadata with their length before them
    /// and the genesis behind.
    public var signedBytes: [UInt8] {
        switch self {
        case .specs(let specs): return specs.scaleEncoded
        case .types(let types): return types.scaleEncoded
        case .metadata(let blob, let genesis):
            var encoder = ScaleEncoder()
            encoder.byteSequence(blob)
            encoder.value(genesis)
            return encoder.bytes
        }
    }

    /// The content as it travels.
    fileprivate var transferred: [UInt8] {
        if case .metadata = self { return signedBytes }
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

    /// - Parameter kind: ``PayloadKind/addSpecs``, ``PayloadKind/loadMetadata`` or ``PayloadKind/loadTypes``.
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
            let signed = kind == .loadMetadata ? start..<end : record
            guard
                SignatureVerifier.isValid(
                    signature: Array(bytes[end..<signatureEnd]), message: Array(bytes[signed]),
                    publicKey: author.signer.publicKey, scheme: author.scheme)
            else { throw .badSignature(author.signer) }
        }
        signer = author?.signer
        content = try Self.content(kind, bytes, record: record, end: end)
    }

    /// Where the record behind its length stands, and where the content ends.
    private static func record(
        in bytes: [UInt8], from start: Int, kind: PayloadKind
    ) throws(PayloadError) -> (record: Range<Int>, end: Int) {
        guard start < bytes.count else { throw .noContent }
        var decoder = ScaleDecoder(bytes, in: start..<bytes.count)
        let length: UInt32
        do throws(ScaleError) { length = try decoder.compact32() } catch { throw .malformedLength(error) }
        let record = decoder.position..<decoder.position + Int(length)
        let end = record.upperBound + (kind == .loadMetadata ? Hash256.byteCount : 0)
        guard end <= bytes.count else { throw .tooShort(found: bytes.count, needed: end) }
        return (record, end)
    }

    private static func content(
        _ kind: PayloadKind, _ bytes: [UInt8], record: Range<Int>, end: Int
    ) throws(PayloadError) -> Content {
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
                var behind = ScaleDecoder(bytes, in: record.upperBound..<end)
                return .metadata(Array(bytes[record]), genesisHash: try Hash256(from: &behind))
            }
        } catch {
            throw .malformedRecord(error)
        }
    }
}
