import SCALE
import Substrate
import TextForms

/// Why bytes are not a payload that this version reads. Codes are those of `signer-wire` section 11.
public enum PayloadError: Error, Equatable, Sendable {
    /// It ends before its head does.
    case tooShort(found: Int, needed: Int)
    /// The first byte is not 53 hex.
    case notSubstrate(UInt8)
    /// The text is not hexadecimal.
    case hexDecoding
    /// The third byte announces nothing known.
    case unknownKind(UInt8)
    /// The third byte announces something that this version does not read.
    case kindNotSupported(PayloadKind)
    /// The second byte names no way to sign.
    case encryptionNotSupported(UInt8)
    /// It has more bytes than are read.
    case payloadTooLarge(count: Int, limit: Int)
    /// A record inside the payload does not decode.
    case malformedRecord(ScaleError)
    /// The second byte of a transaction of a derived key names no way to sign.
    case unknownScheme(UInt8)
    /// What should be a metadata proof is none.
    case malformedProof(MetadataProofError)
    /// It holds no transaction.
    case emptyBulk
    /// An update ends before its content.
    case noContent
    /// The length before an update's content cannot be read.
    case malformedLength(ScaleError)
    /// The update was not signed by the key that it names.
    case badSignature(MultiSigner)
    /// What was signed of metadata is as short as what chains take for a transaction.
    case contentTooShort(PayloadKind, count: Int)
    /// The member at `position`, from 0, is refused.
    indirect case bulkMember(position: Int, PayloadError)

    /// The name by which programs tell the cases apart.
    public var code: String {
        switch self {
        case .tooShort, .contentTooShort: "TooShort"
        case .notSubstrate: "NotSubstrate"
        case .hexDecoding: "HexDecoding"
        case .unknownKind, .kindNotSupported: "PayloadNotSupported"
        case .encryptionNotSupported: "EncryptionNotSupported"
        case .payloadTooLarge: "PayloadTooLarge"
        case .malformedRecord, .unknownScheme, .emptyBulk: "Codec"
        // As the ancestor reports it.
        case .malformedProof: "UnknownNetwork"
        case .noContent: "DataTooShort"
        case .malformedLength: "NoCompact"
        case .badSignature: "BadSignature"
        case .bulkMember(_, let error): error.code
        }
    }
}

extension PayloadError: CustomStringConvertible {
    /// What happened, in plain words.
    public var description: String {
        switch self {
        case .tooShort(let found, let needed):
            "The payload ends too early: \(found) bytes, at least \(needed) are needed. Scan the whole code again."
        case .contentTooShort(let kind, let count):
            "Of the \(kind == .loadTypes ? "types" : "metadata") \(count) bytes are signed, and chains take as few for "
                + "a transaction, which such a signature would sign too. All real ones are longer: do not sign these, "
                + "and do not trust who sent them."
        case .notSubstrate(0x7b):
            "This is a signing request in JSON, of an Ethereum wallet from before 2020. Only Substrate payloads, which begin with "
                + "53 hex, are read here."
        case .notSubstrate(let byte):
            "This is no payload of a Substrate wallet: it begins with \(hex(byte)) instead of 53 hex. Is it the right QR code?"
        case .hexDecoding: "The payload is not hex: an even number of the digits 0-9 and a-f is expected."
        case .unknownKind(let byte):
            "The payload announces something unknown (code \(hex(byte))). Nothing can be shown, so nothing can be signed."
        case .kindNotSupported(.transactionHash):
            "The wallet sent only the hash of a transaction (code 01), because the transaction is long. What a hash stands for "
                + "cannot be shown, so it is not signed. Use a wallet that sends the whole transaction."
        case .kindNotSupported(let kind):
            "The payload holds \(kind.title) (code \(hex(kind.rawValue))), which this version does not read."
        case .encryptionNotSupported(let byte), .unknownScheme(let byte):
            "The payload names a way to sign that is not known (code \(hex(byte))); known are 00 ed25519, 01 sr25519, 02 ecdsa, "
                + "03 ethereum."
        case .payloadTooLarge(let count, let limit):
            "The payload has \(count) bytes; at most \(limit) are read."
        case .malformedRecord(let error): "The payload is damaged, \(error). Scan the whole code again."
        case .malformedProof(let error):
            "The metadata proof in the payload cannot be read, \(error). Scan the whole code again, or let the wallet make it anew."
        case .noContent: "The update ends before what is new begins. Scan the whole code again."
        case .malformedLength(let error):
            "The length of what the update brings cannot be read, \(error). Scan the whole code again."
        case .badSignature(let signer):
            "The signature of this update is not one of the key that it names, \(Hex.encode(signer.publicKey)): it was changed on the way, "
                + "or forged. Do not use this source."
        case .emptyBulk: "The payload announces several transactions and holds none."
        case .bulkMember(let position, .kindNotSupported(let kind)):
            "Part \(position + 1) of the bulk is \(kind.title) (code \(hex(kind.rawValue))); only transactions can be signed in bulk."
        case .bulkMember(let position, let error): "Transaction \(position + 1) of the bulk: \(error)"
        }
    }

    private func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
