import AppAttest
import BasicFoundation
import SwiftASN1
import TextForms
import X509

/// A private look-alike of Apple's authorities: what it mints is genuine where its roots are trusted, and nowhere
/// else.
///
///     let authority = try TestAuthority(at: now)
///     let minted = try AttestationRecipe(appID: appID, clientDataHash: hash, at: now).mint(by: authority)
///
/// Source: `appattest-gate` section 2.7.
public struct TestAuthority: Sendable {
    /// A key with its certificate.
    package struct Member: Sendable {
        package var key: TestKey
        /// The certificate in DER.
        package var certificate: [UInt8]
        /// The encoded name of the certificate's subject.
        package var name: [UInt8]

        package init(key: TestKey, certificate: [UInt8], name: [UInt8]) {
            self.key = key
            self.certificate = certificate
            self.name = name
        }

        /// Reads PEM.
        package init(keyPEM: String, certificatePEM: String) throws {
            let der = try PEMDocument(pemString: certificatePEM).derBytes
            var serializer = DER.Serializer()
            try serializer.serialize(Certificate(derEncoded: der).subject)
            self.init(key: try TestKey(pem: keyPEM), certificate: der, name: serializer.serializedBytes)
        }

        package var certificatePEM: String { PEMDocument(type: "CERTIFICATE", derBytes: certificate).pemString }
    }

    package var root: Member
    package var intermediate: Member
    package var receiptRoot: Member
    package var receiptIntermediate: Member
    package var receiptSigner: Member

    /// Makes all keys anew, with certificates like Apple's.
    public init(at now: Date) throws {
        root = try Member.root("Test App Attestation Root CA", at: now)
        intermediate = try root.issue(
            "Test App Attestation CA 1", key: .makeP384(), constraints: .authority(pathLength: 0), at: now)
        receiptRoot = try Member.root("Test Receipt Root CA", at: now)
        receiptIntermediate = try receiptRoot.issue(
            "Test Application Integration CA", key: .makeP256(), constraints: .authority(pathLength: 0), at: now)
        receiptSigner = try receiptIntermediate.issue(
            "Test Attestation Fraud Receipt Signing", key: .makeP256(), constraints: .notAuthority, at: now)
    }

    /// Takes members that exist.
    ///
    /// - Parameter pem: the content of a file, by its name: `root.pem`, `root-key.pem`, `intermediate…`,
    ///   `receipt-root…`, `receipt-intermediate…` and `receipt-signer…`.
    public init(reading pem: (String) throws -> String) throws {
        func member(_ name: String) throws -> Member {
            try Member(keyPEM: pem("\(name)-key.pem"), certificatePEM: pem("\(name).pem"))
        }
        root = try member("root")
        intermediate = try member("intermediate")
        receiptRoot = try member("receipt-root")
        receiptIntermediate = try member("receipt-intermediate")
        receiptSigner = try member("receipt-signer")
    }

    /// All files that ``init(reading:)`` takes, by their names.
    public var files: [String: String] {
        let members = [
            "root": root, "intermediate": intermediate, "receipt-root": receiptRoot,
            "receipt-intermediate": receiptIntermediate, "receipt-signer": receiptSigner,
        ]
        var files: [String: String] = [:]
        for (name, member) in members {
            files["\(name).pem"] = member.certificatePEM
            files["\(name)-key.pem"] = member.key.pem
        }
        return files
    }

    /// The roots of both.
    public var anchors: TrustAnchors {
        TrustAnchors(attestationRoot: root.certificate, receiptRoot: receiptRoot.certificate)
    }

    /// Both roots in one text, as ``TrustAnchors/init(pem:)`` takes it.
    public var anchorsPEM: String { root.certificatePEM + "\n" + receiptRoot.certificatePEM + "\n" }
}

extension TestAuthority.Member {
    private static let year = Duration.seconds(365 * 24 * 60 * 60)

    /// A P-384 authority over itself.
    package static func root(_ commonName: String, at now: Date) throws -> TestAuthority.Member {
        let key = TestKey.makeP384()
        let name = name(commonName)
        let template = template(
            issuer: name, hash: .sha384, subject: name, key: key, [.authority(pathLength: nil), .signsCertificates],
            at: now)
        return TestAuthority.Member(key: key, certificate: try template.signed(by: key), name: name)
    }

    /// Signs the certificate of another member. A member that is no authority may sign receipts.
    ///
    /// - Parameter edit: changes the certificate before it is signed.
    package func issue(
        _ commonName: String, key: TestKey, constraints: CertificateExtension, at now: Date,
        edit: (inout CertificateTemplate) -> Void = { _ in }
    ) throws -> TestAuthority.Member {
        let isAuthority = constraints.value != CertificateExtension.notAuthority.value
        var template = Self.template(
            issuer: name, hash: signatureHash, subject: Self.name(commonName), key: key,
            isAuthority
                ? [constraints, .signsCertificates]
                : [
                    constraints, .keyUsage([0x03, 0x02, 0x07, 0x80]),
                    CertificateExtension(AppleExtension.receiptSigner, MintedDER.null),
                ],
            at: now)
        edit(&template)
        return TestAuthority.Member(
            key: key, certificate: try template.signed(by: self.key), name: template.subject)
    }

    /// What a key of this kind signs with: SHA-256 with P-256, SHA-384 with P-384.
    private var signatureHash: TestKey.Hash {
        switch key {
        case .p256: .sha256
        case .p384: .sha384
        }
    }

    private static func name(_ commonName: String) -> [UInt8] {
        CertificateTemplate.name([(.commonName, commonName), (.organization, "Test Vectors"), (.state, "Nowhere")])
    }

    private static func template(
        issuer: [UInt8], hash: TestKey.Hash, subject: [UInt8], key: TestKey, _ extensions: [CertificateExtension],
        at now: Date
    ) -> CertificateTemplate {
        CertificateTemplate(
            serialNumber: (0..<16).map { _ in UInt8.random(in: 1...0x7f) }, signatureHash: hash, issuer: issuer,
            subject: subject, notBefore: UTCTimestamp(now).advanced(by: year * -1),
            notAfter: UTCTimestamp(now).advanced(by: year * 20), publicKeyInfo: key.publicKeyInfo,
            extensions: extensions)
    }
}
