/// What the authenticator of a device signs or has certified.
///
/// Source: `appattest-gate` section 1.3.
struct AuthenticatorData: Sendable {
    /// The most bytes of authenticator data.
    static let byteLimit = 4_096
    /// The bytes of the header: the hash of the app, the flags and the counter.
    private static let headerByteCount = 37
    private static let credentialEnd = 164
    private static let attestedFlag: UInt8 = 0x40
    private static let extensionFlag: UInt8 = 0x80

    /// All bytes of the authenticator data: what hashes cover.
    let bytes: ArraySlice<UInt8>
    let signCount: UInt32
    let extensions: AuthenticatorDataExtensions

    /// The SHA-256 of the App ID.
    var rpIDHash: ArraySlice<UInt8> { bytes.prefix(32) }

    /// Reads that of an assertion: no credential follows, whatever the flag says.
    init(assertion bytes: ArraySlice<UInt8>) throws(MalformedAuthenticatorData) {
        try self.init(bytes, tailOffset: Self.headerByteCount)
    }

    fileprivate init(_ bytes: ArraySlice<UInt8>, tailOffset: Int) throws(MalformedAuthenticatorData) {
        guard (tailOffset...Self.byteLimit).contains(bytes.count) else {
            throw .reason("it has \(bytes.count) bytes and not \(tailOffset) to \(Self.byteLimit)")
        }
        self.bytes = bytes
        signCount = bytes.dropFirst(33).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        // Extensions came before the flag that announces them: a tail is read either way, and a flag without one is
        // wrong.
        let tail = bytes.dropFirst(tailOffset)
        let flags = bytes[bytes.startIndex + 32]
        if tail.isEmpty {
            guard flags & Self.extensionFlag == 0 else {
                throw .reason("its flags announce extensions, and none follow")
            }
            extensions = AuthenticatorDataExtensions()
        } else {
            extensions = try AuthenticatorDataExtensions(encoded: tail)
        }
    }

    /// Authenticator data with the credential that an attestation is about.
    struct Attested: Sendable {
        let data: AuthenticatorData
        /// The AAGUID, 16 bytes, which name the environment.
        let aaguid: ArraySlice<UInt8>
        /// The identifier of the credential, 32 bytes.
        let credentialID: ArraySlice<UInt8>
        /// The X9.62 point, 65 bytes.
        let publicKey: [UInt8]

        init(_ bytes: ArraySlice<UInt8>) throws(MalformedAuthenticatorData) {
            data = try AuthenticatorData(bytes, tailOffset: AuthenticatorData.credentialEnd)
            let start = bytes.startIndex
            guard bytes[start + 32] & AuthenticatorData.attestedFlag != 0 else {
                throw .reason("its flags announce no credential")
            }
            guard bytes[start + 53] == 0, bytes[start + 54] == 32 else {
                throw .reason("the identifier of its credential has not 32 bytes")
            }
            aaguid = bytes[(start + 37)..<(start + 53)]
            credentialID = bytes[(start + 55)..<(start + 87)]
            publicKey = try Self.point(coseKey: bytes[(start + 87)..<(start + AuthenticatorData.credentialEnd)])
        }

        /// The point of the one kind of key that there is: P-256 for ES256.
        private static func point(coseKey: ArraySlice<UInt8>) throws(MalformedAuthenticatorData) -> [UInt8] {
            let item: CBORItem
            do { item = try CBORDecoder.item(coseKey) } catch { throw .cbor(in: "the public key", error) }
            guard let entries = item.entries, entries.count == 5,
                entries[.unsigned(1)] == .unsigned(2), entries[.unsigned(3)] == .negative(6),
                entries[.negative(0)] == .unsigned(1),
                let x = entries[.negative(1)]?.byteString, x.count == 32,
                let y = entries[.negative(2)]?.byteString, y.count == 32
            else { throw .reason("its public key is not a COSE key of P-256 for ES256") }
            return [0x04] + x + y
        }
    }
}

/// Why authenticator data cannot be read.
enum MalformedAuthenticatorData: Error, Equatable, CustomStringConvertible {
    case reason(String)
    case cbor(in: String, CBORError)

    var description: String {
        switch self {
        case .reason(let reason): "the authenticator data is malformed: \(reason)"
        case .cbor(let part, let error): "the authenticator data is malformed: \(part), \(error)"
        }
    }
}
