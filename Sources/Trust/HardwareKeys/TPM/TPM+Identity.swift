/// Which TPM it is: what is remembered of one, to tell it from another in its place.
///
/// Source: `mainkey` section 17.
package struct TPMIdentity: Hashable, Sendable {
    /// The bytes of the Name of a key.
    package static let nameByteCount = 34

    /// The Name of its endorsement key, which its maker's seed gives and clearing leaves as it is. Nil where it makes
    /// none, as when the endorsement hierarchy has an authorisation.
    package let endorsementKey: [UInt8]?
    /// The Name of its storage key, which is another after the TPM was cleared.
    package let storageKey: [UInt8]

    /// An identity of these Names.
    package init(endorsementKey: [UInt8]?, storageKey: [UInt8]) {
        self.endorsementKey = endorsementKey
        self.storageKey = storageKey
    }

    /// Whether it is the TPM that is known, and what is sealed to its storage key is sealed to that.
    ///
    /// An endorsement key that one of both does not have says nothing: nobody takes part in sessions who has not the
    /// storage key.
    package func isSame(as known: TPMIdentity) -> Bool {
        guard storageKey == known.storageKey else { return false }
        guard let endorsementKey, let other = known.endorsementKey else { return true }
        return endorsementKey == other
    }
}

extension TPMIdentity: CustomStringConvertible {
    package var description: String {
        let endorsement = endorsementKey.map { "endorsement key \(Self.short($0))" } ?? "no endorsement key"
        return "\(endorsement), storage key \(Self.short(storageKey))"
    }

    /// The first 8 bytes of a Name's digest, as people are told of it.
    package static func short(_ name: [UInt8]) -> String {
        name.dropFirst(2).prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

#if canImport(CTSS2)
    import CTSS2

    extension TPM {
        /// Asks the TPM which one it is.
        ///
        /// The storage key is read in a session that is salted with the endorsement key: only the TPM that has both can
        /// answer so.
        ///
        /// - Throws: ``HardwareKeyError/unavailable(_:)``
        package func identity() throws(HardwareKeyError) -> TPMIdentity {
            try perform { (connection) throws(HardwareKeyError) in
                guard let endorsement = try connection.makeEndorsementKey() else {
                    return try connection.withStorageKey { key in
                        TPMIdentity(endorsementKey: nil, storageKey: key.name)
                    }
                }
                defer { connection.flush(endorsement.handle) }
                return try connection.withStorageKey { (key) throws(HardwareKeyError) in
                    let session = try connection.startSalted(.hmac, with: endorsement.handle, encrypting: .response)
                    defer { connection.flush(session) }
                    let area = try connection.publicArea(of: key.handle, in: session)
                    guard TPMPublicArea.name(of: area) == key.name else { throw .unavailable(.otherHardware) }
                    return TPMIdentity(endorsementKey: endorsement.name, storageKey: key.name)
                }
            }
        }
    }

    extension TPMConnection {
        /// - Returns: nil where the TPM refuses to make it.
        fileprivate func makeEndorsementKey() throws(HardwareKeyError) -> (handle: ESYS_TR, name: [UInt8])? {
            do throws(HardwareKeyError) {
                return try makePrimary(
                    TPMPublicArea.endorsementKey, in: ESYS_TR_RH_ENDORSEMENT, subject: .object)
            } catch {
                // What else goes wrong says nothing about the hierarchy: without the key less is known of the TPM.
                switch error {
                case .wrongCredential: return nil
                case .unexpectedResponse(_, let code) where TPMResponse.findsFault(code): return nil
                default: throw error
                }
            }
        }
    }
#endif
