import AppAttest
import BasicFoundation
import TextForms

/// A receipt before it is made. Every part can be another than it should be.
public struct ReceiptRecipe: Sendable {
    /// The rules of ASN.1 by which a receipt is written.
    public enum Encoding: Sendable {
        /// Indefinite lengths and content in pieces of 1,000 bytes, as Apple writes attestations' receipts.
        case ber
        /// Definite lengths, and content in one piece.
        case der
    }

    /// A field of the content, by its type.
    package struct Field: Sendable {
        package var type: Int
        package var value: [UInt8]

        package init(_ type: Int, _ value: [UInt8]) {
            self.type = type
            self.value = value
        }

        package init(_ type: Int, _ text: String) { self.init(type, Array(text.utf8)) }
    }

    /// The fields of the content, in their order.
    package var fields: [Field]
    /// The rules by which it is written.
    public var encoding = Encoding.ber
    /// The signer; nil for the authority's signer.
    package var signer: TestAuthority.Member?
    /// The name of the authority that issued the signer's certificate; nil: the authority's intermediate.
    package var issuerName: [UInt8]?
    /// The INTEGER that names the signer's certificate, encoded; nil: that of the certificate.
    package var serialNumber: [UInt8]?
    /// The certificates in DER; nil for signer, intermediate and root.
    package var certificates: [[UInt8]]?
    /// The encoded `[0]` between the digest and the signature algorithm.
    package var signedAttributes: [UInt8] = []
    /// Changes the content after it was signed.
    package var editSignedContent: @Sendable (inout [UInt8]) -> Void = { _ in }

    /// A receipt as Apple makes it.
    ///
    /// - Parameters:
    ///   - attestedCertificate: the leaf of the attestation, DER.
    ///   - riskMetric: only in receipts of Apple's server.
    public init(
        kind: Receipt.Kind, appID: String, attestedCertificate: [UInt8], clientHash: [UInt8],
        environment: AppAttestEnvironment, creation: Date, riskMetric: Int = 1
    ) {
        let (made, day) = (UTCTimestamp(creation), Duration.seconds(24 * 60 * 60))
        fields = [
            Field(2, appID), Field(3, attestedCertificate), Field(4, clientHash),
            Field(5, Base64.encode((0..<64).map { _ in UInt8.random(in: 0...0xff) })), Field(6, kind.rawValue),
            Field(7, environment == .production ? "production" : "sandbox"), Field(12, made.rfc3339()),
            Field(21, made.advanced(by: day * 90).rfc3339()),
        ]
        if kind == .receipt {
            fields.append(Field(17, "\(riskMetric)"))
            fields.append(Field(19, made.advanced(by: day).rfc3339()))
        }
    }

    /// The value of the first field with this type; nil takes it away.
    package subscript(type: Int) -> [UInt8]? {
        get { fields.first { $0.type == type }?.value }
        set {
            fields.removeAll { $0.type == type }
            if let newValue { fields.append(Field(type, newValue)) }
        }
    }

    /// The content that is signed.
    package var content: [UInt8] {
        MintedDER.element(
            tag: [0x31],
            fields.flatMap {
                MintedDER.sequence(MintedDER.integer($0.type), MintedDER.integer(1), MintedDER.octets($0.value))
            })
    }

    /// Makes the receipt.
    ///
    /// - Returns: BER or DER.
    public func mint(by authority: TestAuthority) throws -> [UInt8] {
        let signer = signer ?? authority.receiptSigner
        let signature = try signer.key.signature(over: content, .sha256)
        var content = content
        editSignedContent(&content)
        let sha256 = MintedDER.sequence(MintedDER.objectIdentifier("2.16.840.1.101.3.4.2.1"), MintedDER.null)
        let certificates =
            certificates
            ?? [signer.certificate, authority.receiptIntermediate.certificate, authority.receiptRoot.certificate]
        let signerInfo = MintedDER.sequence(
            MintedDER.integer(1),
            MintedDER.sequence(
                issuerName ?? authority.receiptIntermediate.name, serialNumber ?? Self.serialNumber(signer.certificate)),
            sha256, signedAttributes, MintedDER.sequence(MintedDER.objectIdentifier(TestKey.Hash.sha256.rawValue)),
            MintedDER.octets(signature))
        let data =
            MintedDER.objectIdentifier("1.2.840.113549.1.7.1") + around(tag: MintedDER.tag(0), octets(content))
        let signedData =
            MintedDER.integer(1) + MintedDER.set(sha256) + around(tag: [0x30], data)
            + around(tag: MintedDER.tag(0), certificates.flatMap(\.self)) + MintedDER.set(signerInfo)
        return around(
            tag: [0x30],
            MintedDER.objectIdentifier("1.2.840.113549.1.7.2")
                + around(tag: MintedDER.tag(0), around(tag: [0x30], signedData)))
    }

    private func around(tag: [UInt8], _ content: [UInt8]) -> [UInt8] {
        switch encoding {
        case .ber: MintedDER.indefinite(tag: tag, content)
        case .der: MintedDER.element(tag: tag, content)
        }
    }

    private func octets(_ content: [UInt8]) -> [UInt8] {
        guard case .ber = encoding else { return MintedDER.octets(content) }
        let pieces = stride(from: 0, to: content.count, by: 1_000).flatMap { start in
            MintedDER.octets(Array(content[start..<min(start + 1_000, content.count)]))
        }
        return MintedDER.indefinite(tag: [0x24], pieces)
    }

    /// The encoded INTEGER in a certificate of this kit: behind the two heads and the version.
    private static func serialNumber(_ certificate: [UInt8]) -> [UInt8] {
        func headLength(_ bytes: ArraySlice<UInt8>) -> Int {
            let first = bytes[bytes.startIndex + 1]
            return first < 0x80 ? 2 : 2 + Int(first & 0x7f)
        }
        var rest = certificate[...]
        rest = rest.dropFirst(headLength(rest))
        rest = rest.dropFirst(headLength(rest)).dropFirst(5)
        return Array(rest.prefix(2 + Int(rest[rest.startIndex + 1])))
    }
}
