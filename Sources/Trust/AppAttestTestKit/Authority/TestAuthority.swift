import AppAttest
import SwiftASN1
import X509

/// A private look-alike of Apple's authorities: what it mints is genuine to whoever trusts its roots, and to nobody
/// else.
///
///     let authority = try TestAuthority(at: now)
///     let minted = try AttestationRecipe(appID: appID, clientDataHash: hash, at: now).mint(by: authority)
///
/// Source: `appattest-gate` section 2.7.
public struct TestAuthority: Sendable {
    /// A key with its certificate.
    public struct Member: Sendable {
        public var key: TestKey
        /// The certificate in DER.
        public var certificate: [UInt8]
        /// The encoded name of the certificate's subject.
        public var name: [UInt8]

        public init(key: TestKey, certificate: [UInt8], name: [UInt8]) {
            self.key = key
            self.certificate = certificate
            self.name = name
        }

        /// Reads PEM.
        public init(keyPEM: String, certificatePEM: String) throws {
            let der = try PEMDocument(pemString: certificatePEM).derBytes
            var serializer = DER.Serializer()
            try serializer.serialize(Certificate(derEncoded: der).subject)
            self.init(key: try TestKey(pem: keyPEM), certificate: der, name: serializer.serializedBytes)
        }

        public var certificatePEM: String { PEMDocument(type: "CERTIFICATE", derBytes: certificate).pemString }
    }

    public var root: Member
    public var intermediate: Member
    public var receiptRoot: Member
    public var receiptIntermediate: Member
    public var receiptSigner: Member

    /// Makes all keys anew, with certificates like Apple's.
    public init(at now: UnixTime) throws {
        root = try Member.root("Test App Attestation Root CA", at: now)
        intermediate = try root.issue("Test App Attestation CA 1", .makeP384(), .authority(pathLength: 0), at: now)
        receiptRoot = try Member.root("Test Receipt Root CA", at: now)
        receiptIntermediate = try receiptRoot.issue(
            "Test Application Integration CA", .makeP256(), .authority(pathLength: 0), at: now)
        receiptSigner = try receiptIntermediate.issue(
            "Test Attestation Fraud Receipt Signing", .makeP256(), .notAuthority, at: now)
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

    public var anchors: TrustAnchors {
        TrustAnchors(attestationRoot: root.certificate, receiptRoot: receiptRoot.certificate)
    }

    /// Both roots in one text, as ``TrustAnchors/init(pem:)`` takes it.
    public var anchorsPEM: String { root.certificatePEM + "\n" + receiptRoot.certificatePEM + "\n" }
}

extension TestAuthority.Member {
    private static let yearSeconds: Int64 = 365 * 24 * 60 * 60

    /// A P-384 authority over itself.
    public static func root(_ commonName: String, at now: UnixTime) throws -> TestAuthority.Member {
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
    public func issue(
        _ commonName: String, _ key: TestKey, _ constraints: CertificateExtension, at now: UnixTime,
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
        at now: UnixTime
    ) -> CertificateTemplate {
        CertificateTemplate(
            serialNumber: (0..<16).map { _ in UInt8.random(in: 1...0x7f) }, signatureHash: hash, issuer: issuer,
            subject: subject, notBefore: now.adding(seconds: -yearSeconds),
            notAfter: now.adding(seconds: 20 * yearSeconds), publicKeyInfo: key.publicKeyInfo, extensions: extensions)
    }
}
