import CSodium
import MainKey
import SecretMemory

/// A main key that Keymaker locked with a PIN: the first step of a migration.
///
///     let protection = KeymakerPINProtection(lockedKey: item, salt: saltItem)
///     let mainKey = try protection.mainKey(pin: pin)
///     let token = try KeymakerLocked(bytes: column).string(under: mainKey)
///
/// Nothing here writes this format. It has no check of integrity: who can change it can change the key that comes out.
///
/// Source: `mainkey` section 2.
public struct KeymakerPINProtection: Sendable {
    private let locked: KeymakerLocked
    private let salt: [UInt8]

    private static let saltByteCount = 8
    private static let keyByteCount = 32
    /// The most bytes of a locked key; a usual one has about 170.
    private static let lockedKeyLimit = 4096

    /// - Parameters:
    ///   - lockedKey: the item of the keychain under `PinProtection`.
    ///   - salt: 8 bytes, under `PinProtection.salt`.
    ///   - version: under `PinProtection.version`.
    /// - Throws: ``MainKeyError/malformed(_:reason:)`` if the salt has another length,
    ///   ``MainKeyError/limitExceeded(reason:)`` if the item is longer than any key.
    public init(
        lockedKey: [UInt8], salt: [UInt8], version: KeymakerVersion = .current
    ) throws(MainKeyError) {
        guard salt.count == Self.saltByteCount else {
            throw .malformed(.item, reason: "Keymaker's salt has \(Self.saltByteCount) bytes, not \(salt.count)")
        }
        guard lockedKey.count <= Self.lockedKeyLimit else {
            throw .limitExceeded(
                reason: "a key locked by Keymaker has at most \(Self.lockedKeyLimit) bytes, not \(lockedKey.count)")
        }
        locked = KeymakerLocked(bytes: lockedKey, version: version)
        self.salt = salt
    }

    /// Opens the main key. It takes 32 MiB and some tenths of a second, as each guess of a thief does.
    ///
    /// - Parameter pin: as typed, UTF-8.
    /// - Returns: 32 bytes.
    /// - Throws: ``MainKeyError/wrongCredential(attemptsLeft:)`` if no property list comes out, which is all that tells
    ///   a wrong PIN from the right one; ``MainKeyError/malformed(_:reason:)`` if it holds something else than a key;
    ///   ``MainKeyError/truncated(_:)``; ``MainKeyError/limitExceeded(reason:)`` without memory.
    public func mainKey(pin: SecretBytes) throws(MainKeyError) -> SecretBytes {
        let key = try stretch(pin)
        var bytes: [UInt8]
        do throws(MainKeyError) {
            bytes = try locked.decoded([UInt8].self, under: key, as: .item)
        } catch .authFailed {
            throw .wrongCredential(attemptsLeft: nil)
        }
        defer { zeroise(&bytes) }
        guard bytes.count == Self.keyByteCount else {
            throw .malformed(.item, reason: "a main key has \(Self.keyByteCount) bytes, not \(bytes.count)")
        }
        return try SecretBytes.moving(&bytes)
    }

    /// Stretches a PIN with scrypt: N = 32768, r = 8, p = 1.
    package func stretch(_ pin: SecretBytes) throws(MainKeyError) -> SecretBytes {
        var outcome: CInt = -1
        let key: SecretBytes
        do throws(SecretMemoryError) {
            key = try SecretBytes(count: Self.keyByteCount) { output in
                pin.withUnsafeBytes { pin in
                    outcome = crypto_pwhash_scryptsalsa208sha256_ll(
                        pin.asBytes, pin.count, salt, salt.count, 32768, 8, 1, output.asBytes, output.count)
                }
            }
        } catch {
            throw .limitExceeded(reason: "\(error)")
        }
        guard outcome == 0 else { throw .limitExceeded(reason: "there are no 32 MiB of memory for scrypt") }
        return key
    }
}

extension SecretBytes {
    /// Does the same as ``init(movingFrom:)``, with this room's errors.
    static func moving(_ bytes: inout [UInt8]) throws(MainKeyError) -> SecretBytes {
        do throws(SecretMemoryError) {
            return try SecretBytes(movingFrom: &bytes)
        } catch {
            throw .limitExceeded(reason: "\(error)")
        }
    }
}
