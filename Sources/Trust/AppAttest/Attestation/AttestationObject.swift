/// The parts of an attestation, as slices of it.
///
/// Source: `appattest-gate` section 1.2; steps A1 and A2.
package struct AttestationObject: Sendable {
    private static let byteLimit = 32_768
    private static let certificateByteLimit = 8_192
    private static let receiptByteLimit = 16_384

    /// The certificates in DER, two to four, the leaf first.
    let certificates: [ArraySlice<UInt8>]
    let receipt: ArraySlice<UInt8>
    package let authenticatorData: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) throws(AppAttestError) {
        // Before anything is read: it bounds what reading takes.
        guard bytes.count <= Self.byteLimit else { throw Self.malformed("it has more than \(Self.byteLimit) bytes") }
        let item: CBORItem
        do { item = try CBORDecoder.item(bytes[...]) } catch {
            throw AppAttestError(.malformedCBOR, at: "A1", "the attestation is not deterministic CBOR: \(error)")
        }
        guard let entries = item.entries, entries.count == 3, let format = entries["fmt"]?.textString,
            let statement = entries["attStmt"], let data = entries["authData"]
        else { throw Self.malformed("it is not a map of fmt, attStmt and authData") }
        guard format.elementsEqual("apple-appattest".utf8) else {
            throw AppAttestError(.unsupportedFormat, at: "A2", "the format of the attestation is not apple-appattest")
        }
        guard let authenticatorData = data.byteString, authenticatorData.count <= AuthenticatorData.byteLimit else {
            throw Self.malformed("its authenticator data is not bytes, or too long")
        }
        guard let parts = statement.entries, parts.count == 2, case .array(let chain)? = parts["x5c"],
            let receipt = parts["receipt"]?.byteString, receipt.count <= Self.receiptByteLimit
        else { throw Self.malformed("its statement is not a map of x5c and receipt, or the receipt is too long") }
        certificates = chain.compactMap(\.byteString)
        guard certificates.count == chain.count, (2...4).contains(chain.count),
            certificates.allSatisfy({ (1...Self.certificateByteLimit).contains($0.count) })
        else {
            throw Self.malformed("its certificates are not two to four of at most \(Self.certificateByteLimit) bytes")
        }
        self.receipt = receipt
        self.authenticatorData = authenticatorData
    }

    private static func malformed(_ reason: String) -> AppAttestError {
        AppAttestError(.malformedAttestation, at: "A2", "the attestation is malformed: \(reason)")
    }
}
