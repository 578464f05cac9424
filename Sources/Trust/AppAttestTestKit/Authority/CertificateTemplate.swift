import AppAttest

/// A certificate before it is signed. Every field can be what it should not be.
public struct CertificateTemplate: Sendable {
    /// The bytes of the serial number's INTEGER, the most significant first.
    public var serialNumber: [UInt8]
    public var signatureHash: TestKey.Hash
    /// The encoded name of the issuer.
    public var issuer: [UInt8]
    /// The encoded name of the subject.
    public var subject: [UInt8]
    public var notBefore: UnixTime
    public var notAfter: UnixTime
    /// The SubjectPublicKeyInfo in DER.
    public var publicKeyInfo: [UInt8]
    /// The extensions in their order; one may come twice.
    public var extensions: [CertificateExtension]

    public init(
        serialNumber: [UInt8], signatureHash: TestKey.Hash, issuer: [UInt8], subject: [UInt8], notBefore: UnixTime,
        notAfter: UnixTime, publicKeyInfo: [UInt8], extensions: [CertificateExtension]
    ) {
        self.serialNumber = serialNumber
        self.signatureHash = signatureHash
        self.issuer = issuer
        self.subject = subject
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.publicKeyInfo = publicKeyInfo
        self.extensions = extensions
    }

    /// - Returns: DER.
    public func signed(by key: TestKey) throws -> [UInt8] {
        let algorithm = MintedDER.sequence(MintedDER.objectIdentifier(signatureHash.rawValue))
        let toBeSigned = MintedDER.sequence(
            MintedDER.tagged(0, MintedDER.integer(2)), MintedDER.integer(serialNumber), algorithm, issuer,
            MintedDER.sequence(MintedDER.time(notBefore), MintedDER.time(notAfter)), subject, publicKeyInfo,
            MintedDER.tagged(3, MintedDER.element([0x30], extensions.flatMap(\.encoded))))
        let signature = try key.signature(over: toBeSigned, signatureHash)
        return MintedDER.sequence(toBeSigned, algorithm, MintedDER.bits(signature))
    }

    /// The first extension with this identifier; set to nil it goes, set to another it comes last if it was not there.
    public subscript(id: String) -> [UInt8]? {
        get { extensions.first { $0.id == id }?.value }
        set {
            guard let place = extensions.firstIndex(where: { $0.id == id }) else {
                if let newValue { extensions.append(CertificateExtension(id, newValue)) }
                return
            }
            if let newValue { extensions[place].value = newValue } else { extensions.remove(at: place) }
        }
    }

    /// A name of one value each, in this order: `commonName`, `organizationalUnit` and so on.
    public static func name(_ parts: [(type: NamePart, value: String)]) -> [UInt8] {
        MintedDER.element(
            [0x30],
            parts.flatMap { part in
                MintedDER.set(
                    MintedDER.sequence(MintedDER.objectIdentifier(part.type.rawValue), MintedDER.utf8(part.value)))
            })
    }

    public enum NamePart: String, Sendable {
        case commonName = "2.5.4.3"
        case state = "2.5.4.8"
        case organization = "2.5.4.10"
        case organizationalUnit = "2.5.4.11"
    }
}

/// An extension of a certificate.
public struct CertificateExtension: Sendable {
    public var id: String
    public var isCritical: Bool
    /// The content of the OCTET STRING.
    public var value: [UInt8]

    public init(_ id: String, isCritical: Bool = false, _ value: [UInt8]) {
        self.id = id
        self.isCritical = isCritical
        self.value = value
    }

    var encoded: [UInt8] {
        MintedDER.sequence(
            MintedDER.objectIdentifier(id), isCritical ? MintedDER.yes : [], MintedDER.octets(value))
    }

    public static let notAuthority = CertificateExtension("2.5.29.19", isCritical: true, MintedDER.sequence())

    public static func authority(pathLength: Int?) -> CertificateExtension {
        CertificateExtension(
            "2.5.29.19", isCritical: true,
            MintedDER.sequence(MintedDER.yes, pathLength.map { MintedDER.integer($0) } ?? []))
    }

    /// - Parameter bits: the encoded BIT STRING.
    public static func keyUsage(_ bits: [UInt8]) -> CertificateExtension {
        CertificateExtension("2.5.29.15", isCritical: true, bits)
    }

    /// The key usage keyCertSign and cRLSign.
    public static let signsCertificates = keyUsage([0x03, 0x02, 0x01, 0x06])

    /// The extension that binds a leaf to its attestation.
    public static func nonce(_ nonce: [UInt8]) -> CertificateExtension {
        CertificateExtension(
            AppleExtension.nonce, MintedDER.sequence(MintedDER.tagged(1, MintedDER.octets(nonce))))
    }
}

/// Identifiers of Apple's extensions.
public enum AppleExtension {
    public static let nonce = "1.2.840.113635.100.8.2"
    public static let keyAttributes = "1.2.840.113635.100.8.5"
    public static let accessControl = "1.2.840.113635.100.8.6"
    public static let deviceAttributes = "1.2.840.113635.100.8.7"
    public static let attestationUsage = "1.2.840.113635.100.4.24"
    public static let receiptSigner = "1.2.840.113635.100.12.15"
}
