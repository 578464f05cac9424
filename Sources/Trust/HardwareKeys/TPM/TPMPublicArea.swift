import Cryptography

/// Public areas of the objects that this room makes, marshalled, and the Name that follows from one.
///
/// Source: `mainkey` section 17, `vigil` section 5.2.
package enum TPMPublicArea {
    private static let fixed: UInt32 = 1 << 1 | 1 << 4  // fixedTPM, fixedParent
    private static let madeInside: UInt32 = 1 << 5  // sensitiveDataOrigin
    private static let userWithAuth: UInt32 = 1 << 6
    private static let adminWithPolicy: UInt32 = 1 << 7
    private static let noDictionaryAttack: UInt32 = 1 << 10
    private static let restricted: UInt32 = 1 << 16
    private static let decrypt: UInt32 = 1 << 17
    private static let sign: UInt32 = 1 << 18

    private static let ecc: UInt16 = 0x0023
    private static let keyedHash: UInt16 = 0x0008
    private static let null: UInt16 = 0x0010
    private static let p256: UInt16 = 0x0003

    /// The storage key under which everything is sealed; the same on every run, because its seed is the hierarchy's.
    package static let storageKey =
        storageKeyHead + [0, 32] + [UInt8](repeating: 0, count: 32) + [0, 32]
        + [UInt8](repeating: 0, count: 32)

    /// The part of ``storageKey`` before the point, which the TPM fills in.
    package static let storageKeyHead: [UInt8] = {
        var area = head(
            ecc, fixed | madeInside | userWithAuth | noDictionaryAttack | restricted | decrypt, policy: [])
        for word in [0x0006, 128, 0x0043, null, p256, null] as [UInt16] { area.append(bigEndian: word) }  // AES-128-CFB
        return area
    }()

    /// The endorsement key of template L-2 of the TCG's EK Credential Profile for TPM 2.0: ECC P-256, which only the
    /// secret of the endorsement hierarchy can use.
    static let endorsementKey: [UInt8] = {
        var area = head(
            ecc, fixed | madeInside | adminWithPolicy | restricted | decrypt, policy: endorsementPolicy)
        for word in [0x0006, 128, 0x0043, null, p256, null] as [UInt16] { area.append(bigEndian: word) }
        return area + [0, 32] + [UInt8](repeating: 0, count: 32) + [0, 32] + [UInt8](repeating: 0, count: 32)
    }()

    /// The policy PolicySecret(endorsement hierarchy), as that profile writes it down.
    private static let endorsementPolicy: [UInt8] = [
        0x83, 0x71, 0x97, 0x67, 0x44, 0x84, 0xb3, 0xf8, 0x1a, 0x90, 0xcc, 0x8d, 0x46, 0xa5, 0xd7, 0x24,
        0xfd, 0x52, 0xd7, 0x6e, 0x06, 0x52, 0x0b, 0x64, 0xf2, 0xa1, 0xda, 0x1b, 0x33, 0x14, 0x69, 0xaa,
    ]

    /// A P-256 key that signs SHA-256 digests (ECDSA), made inside, used with its authorisation.
    package static let signingKey = signingKeyHead + [0, 0, 0, 0]

    package static let signingKeyHead: [UInt8] = {
        var area = head(ecc, fixed | madeInside | userWithAuth | noDictionaryAttack | sign, policy: [])
        for word in [null, 0x0018, TPMConstants.sha256, p256, null] as [UInt16] { area.append(bigEndian: word) }
        return area
    }()

    /// A P-256 key that signs only what the TPM itself has made.
    package static let attestationKey = attestationKeyHead + [0, 0, 0, 0]

    package static let attestationKeyHead: [UInt8] = {
        var area = head(
            ecc, fixed | madeInside | userWithAuth | noDictionaryAttack | restricted | sign, policy: [])
        for word in [null, 0x0018, TPMConstants.sha256, p256, null] as [UInt16] { area.append(bigEndian: word) }
        return area
    }()

    /// Sealed data that only its policy releases; the 32 bytes that commit to the content are the TPM's.
    ///
    /// - Parameter unique: empty in the template.
    static func sealedData(policy: [UInt8], unique: [UInt8] = []) -> [UInt8] {
        var area = head(keyedHash, fixed, policy: policy)
        area.append(bigEndian: null)
        area.append(sized: unique)
        return area
    }

    /// The public point of a key with this public area, X9.63 (65 bytes), if the area is `head` and a P-256 point.
    package static func point(of area: [UInt8], after head: [UInt8]) -> [UInt8]? {
        guard area.starts(with: head) else { return nil }
        let point = area.dropFirst(head.count)
        let start = point.startIndex
        guard point.count == 68, point[start...].starts(with: [0, 32]), point[(start + 34)...].starts(with: [0, 32])
        else {
            return nil
        }
        return [0x04] + point[start + 2..<start + 34] + point[(start + 36)...]
    }

    /// A number of 32 bytes, of which a TPM may have left out zeros at the start.
    package static func padded(_ number: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: max(0, 32 - number.count)) + number.suffix(32)
    }

    package static func name(of area: [UInt8]) -> [UInt8] {
        [0x00, 0x0b] + SHA256Hash.of(area)
    }

    private static func head(_ type: UInt16, _ attributes: UInt32, policy: [UInt8]) -> [UInt8] {
        var area: [UInt8] = []
        area.append(bigEndian: type)
        area.append(bigEndian: TPMConstants.sha256)
        area.append(bigEndian: attributes)
        area.append(sized: policy)
        return area
    }
}
