import Crypto
import SwiftASN1

/// The roots that attestations and receipts must lead to. The system's own are never asked.
///
///     let anchors = TrustAnchors.apple
///     let testing = try TrustAnchors(pem: textOfTestRoots)
///
/// Source: `appattest-gate` sections 1.5 and 2.1.
public struct TrustAnchors: Sendable, Hashable {
    /// The root of attestations, DER.
    package let attestationRoot: [UInt8]
    /// The root of receipts, DER.
    package let receiptRoot: [UInt8]

    /// Apple's roots, compiled in.
    public static let apple = TrustAnchors(
        attestationRoot: AppleRoots.appAttestation, receiptRoot: AppleRoots.rootG3)

    /// Roots other than Apple's, for tests.
    ///
    /// - Parameters:
    ///   - attestationRoot: DER of one certificate.
    ///   - receiptRoot: DER of one certificate.
    public init(attestationRoot: [UInt8], receiptRoot: [UInt8]) {
        self.attestationRoot = attestationRoot
        self.receiptRoot = receiptRoot
    }

    /// Roots other than Apple's from PEM: the root of attestations, then that of receipts; one alone is both.
    ///
    /// - Throws: ``VerifierSetupError/rootUnreadable(_:)``.
    public init(pem: String) throws(VerifierSetupError) {
        let documents = (try? PEMDocument.parseMultiple(pemString: pem)) ?? []
        guard (1...2).contains(documents.count), documents.allSatisfy({ $0.discriminator == "CERTIFICATE" }) else {
            throw .rootUnreadable("the PEM text does not hold one or two certificates")
        }
        self.init(attestationRoot: documents[0].derBytes, receiptRoot: documents[documents.count - 1].derBytes)
    }

    /// Whether these are Apple's own, and not those of a test.
    package var areApples: Bool { self == .apple }

    func trustedAttestationRoot() throws(VerifierSetupError) -> TrustedRoot {
        if areApples { try Self.check(attestationRoot, fingerprint: AppleRoots.appAttestationFingerprint) }
        return try Self.root(attestationRoot, of: "attestations")
    }

    func trustedReceiptRoot() throws(VerifierSetupError) -> TrustedRoot {
        if areApples { try Self.check(receiptRoot, fingerprint: AppleRoots.rootG3Fingerprint) }
        return try Self.root(receiptRoot, of: "receipts")
    }

    private static func check(_ root: [UInt8], fingerprint: [UInt8]) throws(VerifierSetupError) {
        guard SHA256.hash(data: root).elementsEqual(fingerprint) else { throw .appleRootDamaged }
    }

    private static func root(_ der: [UInt8], of what: String) throws(VerifierSetupError) -> TrustedRoot {
        do throws(ChainCertificate.Defect) {
            return TrustedRoot(anchor: try ChainCertificate(der: der[...]))
        } catch {
            throw .rootUnreadable("the root of \(what) is not a certificate with a key that can be used")
        }
    }
}
