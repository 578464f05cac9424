import StrictJSON
import TextForms

/// One share of a split backup in the format of Banana Split: a point of each of the polynomials whose values at 0 are
/// the encrypted secret.
///
/// Fewer shares than are needed tell nothing. Enough of them give the encrypted secret, which the passphrase protects;
/// therefore a share may be written down and printed, and passphrase and shares belong in different places.
///
/// Source: `signer-product` section 10.1.
public struct BackupShare: Equatable, Sendable {
    /// How the body and the nonce are written.
    public enum Version: Int, Sendable {
        /// Hexadecimal, without a member for the version. Read, never written.
        case hexadecimal = 0
        /// Base64.
        case base64 = 1
    }

    /// More shares than that are needed of no set.
    public static let mostRequired = 255

    public let version: Version
    /// What the split was named; not secret.
    public let title: String
    /// How many shares recover the secret.
    public let required: Int
    /// Which share of its set this is, from 1.
    public let number: UInt32
    /// The nonce of the encryption, nil where its text is not bytes. Only a set knows whether it is right.
    package let nonce: [UInt8]?
    let field: GaloisField
    /// Elements of the field one after the other, as bits up to the last bit.
    let content: [UInt8]

    /// The share as text, for a code: JSON of version 1, without blanks.
    public var text: String { String(decoding: utf8, as: UTF8.self) }

    /// ``text`` as bytes.
    public var utf8: [UInt8] {
        let body = number.bigEndianBytes(count: Self.numberSize(in: field)) + content
        let data = String(field.bits, radix: 36) + Base64.encode(body)
        return JSON.object([
            .init(name: "v", value: .integer(1)), .init(name: "t", value: .string(title)),
            .init(name: "r", value: .integer(required)), .init(name: "d", value: .string(data)),
            .init(name: "n", value: .string(Base64.encode(nonce ?? []))),
        ]).utf8()
    }

    /// How many bytes the number of a share has.
    static func numberSize(in field: GaloisField) -> Int { (field.bits + 7) / 8 }

    public static func == (left: BackupShare, right: BackupShare) -> Bool {
        left.version == right.version && left.hasTitle(of: right) && left.required == right.required
            && left.number == right.number && left.nonce == right.nonce && left.field == right.field
            && left.content == right.content
    }

    /// Whether the titles are equal in every byte: the key is made of them. (To Swift, é is equal to e with an accent.)
    func hasTitle(of other: BackupShare) -> Bool { title.utf8.elementsEqual(other.title.utf8) }
}

extension UInt32 {
    fileprivate func bigEndianBytes(count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: self >> UInt32(8 * $0)) }
    }
}
