import BasicFoundation
import HardwareKeys

/// Which TPM was at an address when something was first sealed to it there.
///
///     "MKT1" | 1 if it has an endorsement key, else 0 | Name of that 34, else zeros | Name of the storage key 34
extension KnownVaults {
    private static let tpmMagic = Array("MKT1".utf8)
    private static let tpmByteCount = tpmMagic.count + 1 + 2 * TPMIdentity.nameByteCount

    private static func name(of address: TPMAddress) -> String {
        hex(Array(address.description.utf8).withUnsafeBytes { sha256($0) }.prefix(16)) + ".tpm"
    }

    /// What is known of a TPM.
    package enum Acquaintance: Equatable {
        case new, known
        case other(known: TPMIdentity)
    }

    /// - Throws: `tampered` for a note that is none; `io`.
    package func acquaintance(
        with identity: TPMIdentity, at address: TPMAddress
    ) throws(MainKeyError) -> Acquaintance {
        guard let folder = try folder(.existing), let bytes = try folder.read(Self.name(of: address), limit: 4096)
        else { return .new }
        guard bytes.count == Self.tpmByteCount, bytes.starts(with: Self.tpmMagic), bytes[4] <= 1 else {
            throw .tampered(
                reason:
                    "\(folder.pathOf(Self.name(of: address))) does not say which TPM is known; if you know why, remove it"
            )
        }
        let names = bytes.dropFirst(5)
        let known = TPMIdentity(
            endorsementKey: bytes[4] == 1 ? Array(names.prefix(TPMIdentity.nameByteCount)) : nil,
            storageKey: Array(names.suffix(TPMIdentity.nameByteCount)))
        return identity.isSame(as: known) ? .known : .other(known: known)
    }

    func remember(_ identity: TPMIdentity, at address: TPMAddress) throws(MainKeyError) {
        let none = [UInt8](repeating: 0, count: TPMIdentity.nameByteCount)
        let bytes =
            Self.tpmMagic + [identity.endorsementKey == nil ? 0 : 1] + (identity.endorsementKey ?? none)
            + identity.storageKey
        try folder(.creating)?.write(bytes, to: Self.name(of: address))
    }
}
