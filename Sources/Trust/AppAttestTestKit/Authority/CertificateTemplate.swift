import TextForms

/// A certificate before it is signed. Every field can be what it should not be.
package struct CertificateTemplate: Sendable {
    /// The bytes of the serial number's INTEGER, the most significant first.
    package var serialNumber: [UInt8]
    package var signatureHash: TestKey.Hash
    /// The encoded name of the issuer.
    package var issuer: [UInt8]
    /// The encoded name of the subject.
    package var subject: [UInt8]
    package var notBefore: UTCTimestamp
    package var notAfter: UTCTimestamp
    /// The SubjectPublicKeyInfo in DER.
    package var publicKeyInfo: [UInt8]
    /// The extensions in their order; one may come twice.
    package var extensions: [CertificateExtension]

    /// - Returns: DER.
    package func signed(by key: TestKey) throws -> [UInt8] {
        let algorithm = MintedDER.sequence(MintedDER.objectIdentifier(signatureHash.rawValue))
        let toBeSigned = MintedDER.sequence(
            MintedDER.tagged(0, MintedDER.integer(2)), MintedDER.integer(serialNumber), algorithm, issuer,
            MintedDER.sequence(MintedDER.time(notBefore), MintedDER.time(notAfter)), subject, publicKeyInfo,
            MintedDER.tagged(3, MintedDER.element(tag: [0x30], extensions.flatMap(\.encoded))))
        let signature = try key.signature(over: toBeSigned, signatureHash)
        return MintedDER.sequence(toBeSigned, algorithm, MintedDER.bits(signature))
    }

    /// The first extension with this identifier; set to nil it goes, set to another it comes last if it was not there.
    package subscript(id: String) -> [UInt8]? {
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
    package static func name(_ parts: [(type: NamePart, value: String)]) -> [UInt8] {
        MintedDER.element(
            tag: [0x30],
            parts.flatMap { part in
                MintedDER.set(
                    MintedDER.sequence(MintedDER.objectIdentifier(part.type.rawValue), MintedDER.utf8(part.value)))
            })
    }

    package enum NamePart: String, Sendable {
        case commonName = "2.5.4.3"
        case state = "2.5.4.8"
        case organization = "2.5.4.10"
        case organizationalUnit = "2.5.4.11"
    }
}

/// An extension of a certificate.
package struct CertificateExtension: Sendable {
    package var id: String
    package var isCritical: Bool
    /// The content of the OCTET STRING.
    package var value: [UInt8]

    package init(_ id: String, isCritical: Bool = false, _ value: [UInt8]) {
        self.id = id
        self.isCritical = isCritical
        self.value = value
    }

    var encoded: [UInt8] {
        MintedDER.sequence(
            MintedDER.objectIdentifier(id), isCritical ? MintedDER.yes : [], MintedDER.octets(value))
    }

    package static let notAuthority = CertificateExtension("2.5.29.19", isCritical: true, MintedDER.sequence())

    package static func authority(pathLength: Int?) -> CertificateExtension {
        CertificateExtension(
            "2.5.29.19", isCritical: true,
            MintedDER.sequence(MintedDER.yes, pathLength.map { MintedDER.integer($0) } ?? []))
    }

    /// - Parameter bits: the encoded BIT STRING.
    package static func keyUsage(_ bits: [UInt8]) -> CertificateExtension {
        CertificateExtension("2.5.29.15", isCritical: true, bits)
    }

    /// The key usage keyCertSign and cRLSign.
    package static let signsCertificates = keyUsage([0x03, 0x02, 0x01, 0x06])

    /// The extension that binds a leaf to its attestation.
    package static func nonce(_ nonce: [UInt8]) -> CertificateExtension {
        CertificateExtension(
            AppleExtension.nonce, MintedDER.sequence(MintedDER.tagged(1, MintedDER.octets(nonce))))
    }
}

/// Identifiers of Apple's extensions.
package enum AppleExtension {
    package static let nonce = "1.2.840.113635.100.8.2"
    package static let keyAttributes = "1.2.840.113635.100.8.5"
    package static let accessControl = "1.2.840.113635.100.8.6"
    package static let deviceAttributes = "1.2.840.113635.100.8.7"
    package static let attestationUsage = "1.2.840.113635.100.4.24"
    package static let receiptSigner = "1.2.840.113635.100.12.15"
}
