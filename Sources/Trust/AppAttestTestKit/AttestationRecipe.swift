import AppAttest
import BasicFoundation
import Crypto
import TextForms

/// An attestation before it is made. Every part can be another than it should be; nil stands for what is right.
public struct AttestationRecipe: Sendable {
    /// The key that is attested.
    public var credentialKey = TestKey.makeP256()
    /// What the client has attested.
    public var clientDataHash: [UInt8]
    /// When the attestation is made.
    public var mintTime: Date
    /// The environment that the key belongs to.
    public var environment: AppAttestEnvironment

    /// What the authenticator says.
    public var authenticatorData: AuthenticatorDataRecipe
    /// The AAGUID, 16 bytes.
    public var aaguid: [UInt8]?
    /// The identifier of the credential, 32 bytes.
    public var credentialID: [UInt8]?
    /// The two bytes in front of it.
    package var credentialIDLength: [UInt8] = [0x00, 0x20]
    /// The public key as COSE has it.
    package var coseKey: MintedCBOR?

    /// The nonce that the certificate of the key binds.
    public var nonce: [UInt8]?
    /// The App ID in the certificate, beside that in the authenticator data.
    public var certificateAppID: String
    /// Changes the certificate of the key before it is signed.
    package var editLeaf: @Sendable (inout CertificateTemplate) -> Void = { _ in }
    /// The signer of the leaf; nil for the authority's intermediate.
    package var issuer: TestAuthority.Member?
    /// Makes all certificates in their order, from the leaf; nil for the leaf and its issuer's.
    package var certificates: (@Sendable (_ leaf: [UInt8]) -> [[UInt8]])?

    /// Changes the receipt before it is signed.
    public var editReceipt: @Sendable (inout ReceiptRecipe) -> Void = { _ in }
    /// Bytes in place of the receipt.
    public var receipt: [UInt8]?
    /// The format that the attestation names.
    package var format: MintedCBOR = .text("apple-appattest")
    /// Changes the attestation itself, as CBOR.
    package var editObject: @Sendable (inout [(key: MintedCBOR, value: MintedCBOR)]) -> Void = { _ in }

    /// An attestation as a device makes it.
    public init(
        appID: AppID, clientDataHash: [UInt8], at mintTime: Date, environment: AppAttestEnvironment = .production
    ) {
        self.clientDataHash = clientDataHash
        self.mintTime = mintTime
        self.environment = environment
        authenticatorData = AuthenticatorDataRecipe(appID: appID, signCount: 0)
        certificateAppID = appID.description
    }

    /// Makes the attestation, with a receipt.
    public func mint(by authority: TestAuthority) throws -> MintedAttestation {
        let point = credentialKey.point
        let name = Array(SHA256.hash(data: point))
        let data = authenticatorData.encoded(credential: credential(named: name))
        let issuer = issuer ?? authority.intermediate
        var leaf = leaf(
            named: name,
            nonce: nonce ?? Self.bindingNonce(authenticatorData: data, clientDataHash: clientDataHash), issuer)
        editLeaf(&leaf)
        let certificate = try leaf.signed(by: issuer.key)
        let receipt = try receipt ?? self.receipt(for: certificate, authority)
        let chain = certificates?(certificate) ?? [certificate, issuer.certificate]
        var object: [(key: MintedCBOR, value: MintedCBOR)] = [
            (.text("fmt"), format),
            (
                .text("attStmt"),
                .map([
                    (.text("x5c"), .array(chain.map { .bytes($0) })), (.text("receipt"), .bytes(receipt)),
                ])
            ),
            (.text("authData"), .bytes(data)),
        ]
        editObject(&object)
        return MintedAttestation(
            bytes: MintedCBOR.map(object).encoded, keyName: name, publicKey: point, certificate: certificate,
            receipt: receipt)
    }

    /// The nonce that an attestation is bound to: SHA-256 of both.
    package static func bindingNonce(authenticatorData: [UInt8], clientDataHash: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: authenticatorData + clientDataHash))
    }

    /// The key as COSE has it.
    package static func coseKey(point: [UInt8]) -> MintedCBOR {
        .map([
            (.unsigned(1), .unsigned(2)), (.unsigned(3), .negative(6)), (.negative(0), .unsigned(1)),
            (.negative(1), .bytes(Array(point[1..<33]))), (.negative(2), .bytes(Array(point[33...]))),
        ])
    }

    private func credential(named name: [UInt8]) -> [UInt8] {
        let aaguid =
            aaguid
            ?? Array(
                (environment == .production ? "appattest\0\0\0\0\0\0\0" : "appattestdevelop").utf8)
        return aaguid + credentialIDLength + (credentialID ?? name)
            + (coseKey ?? Self.coseKey(point: credentialKey.point)).encoded
    }

    private func leaf(named name: [UInt8], nonce: [UInt8], _ issuer: TestAuthority.Member) -> CertificateTemplate {
        let (made, day) = (UTCTimestamp(mintTime), Duration.seconds(24 * 60 * 60))
        return CertificateTemplate(
            serialNumber: [1] + (0..<5).map { _ in UInt8.random(in: 0...0xff) }, signatureHash: .sha256,
            issuer: issuer.name,
            subject: CertificateTemplate.name([
                (.commonName, Hex.encode(name)), (.organizationalUnit, "AAA Certification"),
                (.organization, "Test Vectors"), (.state, "Nowhere"),
            ]),
            notBefore: made.advanced(by: day * -1), notAfter: made.advanced(by: day * 2),
            publicKeyInfo: credentialKey.publicKeyInfo,
            extensions: [
                .notAuthority, .keyUsage([0x03, 0x02, 0x04, 0xf0]),
                CertificateExtension(
                    "2.5.29.37",
                    MintedDER.sequence(MintedDER.objectIdentifier(AppleExtension.attestationUsage))),
                CertificateExtension(AppleExtension.keyAttributes, Self.keyAttributes(certificateAppID)),
                CertificateExtension(AppleExtension.deviceAttributes, Self.deviceAttributes),
                .nonce(nonce),
            ])
    }

    private static func keyAttributes(_ appID: String) -> [UInt8] {
        MintedDER.sequence(
            MintedDER.tagged(4, MintedDER.integer(10)), MintedDER.tagged(1200, MintedDER.integer(0)),
            MintedDER.tagged(1204, MintedDER.octets(Array(appID.utf8))),
            MintedDER.tagged(1206, MintedDER.integer(4)), MintedDER.tagged(10, MintedDER.integer(0)))
    }

    private static let deviceAttributes = MintedDER.sequence(
        MintedDER.tagged(1400, MintedDER.octets(Array("27.0".utf8))),
        MintedDER.tagged(1403, MintedDER.octets(Array("24A325b".utf8))),
        MintedDER.tagged(1026, MintedDER.octets(Array("iphoneos".utf8))))

    private func receipt(for certificate: [UInt8], _ authority: TestAuthority) throws -> [UInt8] {
        var recipe = ReceiptRecipe(
            kind: .attest, appID: authenticatorData.appID, attestedCertificate: certificate,
            clientHash: clientDataHash, environment: environment, creation: mintTime)
        editReceipt(&recipe)
        return try recipe.mint(by: authority)
    }
}

/// An attestation, with what a client sends beside it.
public struct MintedAttestation: Sendable {
    /// The attestation as CBOR.
    public let bytes: [UInt8]
    /// The identifier of the key, 32 bytes.
    public let keyName: [UInt8]
    /// The X9.62 point, 65 bytes.
    public let publicKey: [UInt8]
    /// The leaf, DER.
    package let certificate: [UInt8]
    /// The receipt, BER.
    public let receipt: [UInt8]

    /// The identifier as a client sends it.
    public var keyID: String { Base64.encode(keyName) }
}
