/// The envelope of a receipt: CMS SignedData with one signer, in BER as Apple writes it, or in DER.
///
/// Source: RFC 5652; `appattest-gate` sections 1.7 and 2.5, step R1.
struct SignedReceipt: Sendable {
    private enum OID {
        static let signedData: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02]
        static let data: [UInt8] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01]
        static let sha256: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
        static let ecdsaWithSHA256: [UInt8] = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]
    }

    /// How many certificates are read; Apple sends three.
    private static let certificateLimit = 8

    /// The content that is signed, in one piece.
    let content: [UInt8]
    /// The certificates in DER.
    let certificates: [ArraySlice<UInt8>]
    /// The encoded name of the authority that issued the signer's certificate.
    let issuer: ArraySlice<UInt8>
    /// The content of the INTEGER.
    let serialNumber: ArraySlice<UInt8>
    /// The signature in DER.
    let signature: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) throws(BERError) {
        let outer = try BERReader.single(bytes, rules: .basic)
        guard outer.tag == .sequence else { throw BERError(offset: 0, reason: "it is not a SEQUENCE") }
        var info = Self.reader(outer)
        try Self.expect(try info.required(.objectIdentifier), is: OID.signedData, or: "it is not SignedData")
        var wrapped = Self.reader(try info.required(.explicit(0)))
        try info.end()
        var fields = Self.reader(try wrapped.required(.sequence))
        try wrapped.end()

        try Self.expect(try fields.required(.integer), is: [1], or: "its version is not 1")
        var digests = Self.reader(try fields.required(.set))
        try Self.algorithm(try digests.required(.sequence), OID.sha256)
        try digests.end()
        content = try Self.content(of: try fields.required(.sequence))
        certificates = try Self.certificates(in: try fields.required(.explicit(0)))
        var signers = Self.reader(try fields.required(.set))
        (issuer, serialNumber, signature) = try Self.signer(try signers.required(.sequence))
        try signers.end()
        try fields.end()
    }

    private static func content(of element: BERElement) throws(BERError) -> [UInt8] {
        var fields = reader(element)
        try expect(try fields.required(.objectIdentifier), is: OID.data, or: "its content is not plain data")
        var wrapped = reader(try fields.required(.explicit(0)))
        try fields.end()
        var content: [UInt8] = []
        content.reserveCapacity(element.content.count)
        try append(try wrapped.required(), to: &content)
        try wrapped.end()
        return content
    }

    /// An octet string in one piece or in several, which may be in pieces themselves; the depth was checked before.
    private static func append(_ element: BERElement, to content: inout [UInt8]) throws(BERError) {
        switch element.tag {
        case .octetString: content += element.content
        case .octetStringInPieces:
            var pieces = reader(element)
            while let piece = try pieces.next() { try append(piece, to: &content) }
        default: throw BERError(offset: 0, reason: "its content is not an octet string")
        }
    }

    private static func certificates(in element: BERElement) throws(BERError) -> [ArraySlice<UInt8>] {
        var certificates: [ArraySlice<UInt8>] = []
        var reader = reader(element)
        while let certificate = try reader.next() {
            guard certificate.tag == .sequence, certificates.count < certificateLimit else {
                throw BERError(offset: 0, reason: "it has too many certificates, or of another kind")
            }
            certificates.append(certificate.encoded)
        }
        return certificates
    }

    /// Attributes are refused, signed or not: there the signature would cover something else than the content.
    private static func signer(
        _ element: BERElement
    ) throws(BERError) -> (issuer: ArraySlice<UInt8>, serialNumber: ArraySlice<UInt8>, signature: ArraySlice<UInt8>) {
        var fields = reader(element)
        try expect(try fields.required(.integer), is: [1], or: "the version of its signer is not 1")
        var name = reader(try fields.required(.sequence))
        let issuer = try name.required(.sequence).encoded
        let serialNumber = try name.required(.integer).content
        try name.end()
        try algorithm(try fields.required(.sequence), OID.sha256)
        try algorithm(try fields.required(.sequence), OID.ecdsaWithSHA256)
        let signature = try fields.required(.octetString).content
        try fields.end()
        return (issuer, serialNumber, signature)
    }

    /// Checks that an algorithm is the one that receipts have. Its parameters are absent or NULL: both are in use.
    private static func algorithm(_ element: BERElement, _ id: [UInt8]) throws(BERError) {
        var fields = reader(element)
        try expect(try fields.required(.objectIdentifier), is: id, or: "an algorithm is not the one that receipts have")
        if let parameters = try fields.next() {
            guard parameters.encoded.elementsEqual([0x05, 0x00]) else {
                throw BERError(offset: 0, reason: "an algorithm has parameters")
            }
        }
        try fields.end()
    }

    private static func expect(_ element: BERElement, is content: [UInt8], or reason: String) throws(BERError) {
        guard element.content.elementsEqual(content) else { throw BERError(offset: 0, reason: reason) }
    }

    private static func reader(_ element: BERElement) -> BERReader { BERReader(element.content, rules: .basic) }
}
