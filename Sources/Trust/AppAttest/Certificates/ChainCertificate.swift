import BasicFoundation
import Crypto
import SwiftASN1
import X509

/// A certificate with what the rules of a chain ask of it.
///
/// Source: `appattest-gate` section 2.3.
struct ChainCertificate: Sendable {
    /// Why a certificate is not one that can be used.
    enum Defect: Error, Equatable {
        case unparsable
        /// It is a certificate, but its key is of a kind that nothing here verifies with.
        case unsupportedKey
    }

    let der: ArraySlice<UInt8>
    /// The encoded names: chains are linked by their bytes.
    let issuer: ArraySlice<UInt8>
    let subject: ArraySlice<UInt8>
    /// The content of the INTEGER.
    let serialNumber: ArraySlice<UInt8>
    /// The first and the last second in which it is valid, since 1970.
    let validity: ClosedRange<Int>?
    let isAuthority: Bool
    /// How many authorities may stand between it and a leaf.
    let pathLength: Int?
    let signsCertificates: Bool
    let hasOnlyUnderstoodCriticalExtensions: Bool
    private let certificate: Certificate

    /// - Parameter der: exactly one certificate.
    init(der: ArraySlice<UInt8>) throws(Defect) {
        self.der = der
        do {
            certificate = try Certificate(derEncoded: der)
        } catch {
            throw Self.defect(error)
        }
        do {
            let constraints = try certificate.extensions.basicConstraints
            if case .isCertificateAuthority(let pathLength) = constraints {
                (isAuthority, self.pathLength) = (true, pathLength)
            } else {
                (isAuthority, pathLength) = (false, nil)
            }
            signsCertificates = try certificate.extensions.keyUsage?.keyCertSign ?? false
            // Their content is not used, but it has to be what it says.
            _ = try certificate.extensions.extendedKeyUsage
            _ = try certificate.extensions.authorityKeyIdentifier
            _ = try certificate.extensions.subjectKeyIdentifier
            (serialNumber, issuer, subject) = try Self.names(in: der)
        } catch {
            throw .unparsable
        }
        hasOnlyUnderstoodCriticalExtensions = certificate.extensions.allSatisfy {
            !$0.critical || ExtensionID.understood.contains($0.oid)
        }
        let first = Int(certificate.notValidBefore.timeIntervalSince1970)
        let last = Int(certificate.notValidAfter.timeIntervalSince1970)
        validity = first <= last ? first...last : nil
    }

    /// Whether the signature on this certificate is by the key of `issuer`, in one of the algorithms that are allowed.
    func isSigned(by issuer: ChainCertificate) -> Bool {
        switch certificate.signatureAlgorithm {
        case .ecdsaWithSHA256, .ecdsaWithSHA384, .ecdsaWithSHA512:
            issuer.certificate.publicKey.isValidSignature(certificate.signature, for: certificate)
        default: false
        }
    }

    /// Whether the key of this certificate made an ECDSA signature with SHA-256 of the message.
    func hasSigned(_ message: [UInt8], signature: ArraySlice<UInt8>) -> Bool {
        certificate.publicKey.isValidSignature(signature, for: message, signatureAlgorithm: .ecdsaWithSHA256)
    }

    /// The X9.62 point of the key, 65 bytes; nil unless it is one of P-256.
    var p256Point: [UInt8]? {
        P256.Signing.PublicKey(certificate.publicKey).map { Array($0.x963Representation) }
    }

    /// The content of an extension.
    func value(of id: ASN1ObjectIdentifier) -> ArraySlice<UInt8>? { certificate.extensions[oid: id]?.value }

    private static func defect(_ error: any Error) -> Defect {
        switch error {
        case let error as CertificateError where error.code == .unsupportedPublicKeyAlgorithm: .unsupportedKey
        // A point that is not on its curve.
        case is CryptoKitError: .unsupportedKey
        default: .unparsable
        }
    }

    /// The content of the serial number, and the names with their tags.
    ///
    /// - Throws: also if the algorithm that is signed is not the one of the signature (RFC 5280 section 4.1.1.2), or if
    ///   bits of the signature are said to be unused: else two certificates would differ in nothing that is signed.
    private static func names(
        in der: ArraySlice<UInt8>
    ) throws -> (serialNumber: ArraySlice<UInt8>, issuer: ArraySlice<UInt8>, subject: ArraySlice<UInt8>) {
        var outer = BERReader(der, rules: .distinguished)
        var parts = BERReader(try outer.required(.sequence).content, rules: .distinguished)
        var fields = BERReader(try parts.required(.sequence).content, rules: .distinguished)
        let algorithm = try parts.required(.sequence)
        guard try parts.required(.bitString).content.first == 0 else { throw Defect.unparsable }
        _ = try fields.optional(.explicit(0))
        let serialNumber = try fields.required(.integer).content
        guard try fields.required(.sequence).encoded == algorithm.encoded else { throw Defect.unparsable }
        let issuer = try fields.required(.sequence).encoded
        _ = try fields.required(.sequence)
        return (serialNumber, issuer, try fields.required(.sequence).encoded)
    }
}
