import SwiftASN1

/// The public key of a certificate, with its algorithm, as the certificate encodes it.
///
/// Only the structure around the key is read, by the strict rules of DER: whether the certificate is valid is for the
/// verifier of the chain to say.
///
/// Source: RFC 5280 section 4.1; `mainkey` section 26.
public struct SubjectPublicKeyInfo: Hashable, Sendable {
    /// The element with its tag and length.
    public let derBytes: ArraySlice<UInt8>

    /// Bytes of a certificate at the most. Usual ones have less than 4 KiB.
    public static let certificateLimit = 64 << 10

    /// Takes the key out of a certificate.
    ///
    /// - Parameter certificate: DER, or PEM with one certificate and nothing else.
    /// - Throws: ``PinError/limitExceeded(reason:)`` above ``certificateLimit``; ``PinError/malformed(reason:)``.
    public init(certificate: [UInt8]) throws(PinError) {
        guard certificate.count <= Self.certificateLimit else {
            throw .limitExceeded(
                reason: "a certificate has at most \(Self.certificateLimit) bytes, not \(certificate.count)")
        }
        do {
            let der = Self.isDER(certificate) ? certificate : try Self.decodePEM(certificate)
            derBytes = try CertificateFrame(derEncoded: der).subjectPublicKeyInfo
        } catch let error as ASN1Error {
            throw .malformed(reason: "\(error.code)")
        } catch {
            throw .malformed(reason: "it cannot be decoded")
        }
    }

    /// PEM is text; DER begins with the tag of a sequence, which is the digit 0 as text and no PEM begins so.
    private static func isDER(_ bytes: [UInt8]) -> Bool { bytes.first == 0x30 }

    private static func decodePEM(_ bytes: [UInt8]) throws -> [UInt8] {
        let document = try PEMDocument(pemString: String(decoding: bytes, as: UTF8.self))
        guard document.discriminator == "CERTIFICATE" else {
            throw ASN1Error.invalidPEMDocument(reason: "it holds something else")
        }
        return document.derBytes
    }
}

/// The outer structure of a certificate, as far as it must be read to be sure which element is the key.
private struct CertificateFrame: DERParseable {
    let subjectPublicKeyInfo: ArraySlice<UInt8>

    init(derEncoded node: ASN1Node) throws {
        subjectPublicKeyInfo = try DER.sequence(node, identifier: .sequence) { parts in
            let key = try Self.key(inToBeSigned: try parts.element(.sequence))
            _ = try parts.element(.sequence)
            _ = try parts.element(.bitString)
            return key
        }
    }

    private static func key(inToBeSigned node: ASN1Node) throws -> ArraySlice<UInt8> {
        try DER.sequence(node, identifier: .sequence) { fields in
            try DER.optionalExplicitlyTagged(&fields, tagNumber: 0, tagClass: .contextSpecific) { version in
                guard version.identifier == .integer else { throw ASN1Error.unexpectedFieldType(version.identifier) }
            }
            _ = try fields.element(.integer)
            // Signature algorithm, issuer, validity, subject.
            for _ in 0..<4 { _ = try fields.element(.sequence) }
            let key = try fields.element(.sequence)
            try checkKey(key)
            // Unique identifiers and extensions say nothing about the key.
            while fields.next() != nil {}
            return key.encodedBytes
        }
    }

    private static func checkKey(_ node: ASN1Node) throws {
        try DER.sequence(node, identifier: .sequence) { parts in
            try DER.sequence(try parts.element(.sequence), identifier: .sequence) { algorithm in
                _ = try ASN1ObjectIdentifier(derEncoded: &algorithm)
                _ = algorithm.next()
            }
            _ = try ASN1BitString(derEncoded: &parts)
        }
    }
}

extension ASN1NodeCollection.Iterator {
    /// The next element, which must have this tag.
    fileprivate mutating func element(_ identifier: ASN1Identifier) throws -> ASN1Node {
        guard let node = next() else {
            throw ASN1Error.invalidASN1Object(reason: "an element is missing")
        }
        guard node.identifier == identifier else { throw ASN1Error.unexpectedFieldType(node.identifier) }
        return node
    }
}
