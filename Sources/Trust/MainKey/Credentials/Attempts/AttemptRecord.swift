import BigEndian

/// How often in a row a credential was wrong, and when last: the content of `attempts.mk`, 64 bytes.
///
///     "MKA1" · version 1 · 0[3] · vaultID[16] · failed u32 · wipe due u8 · 0[3] · bootID[16] · last failure u64 ·
///     checksum[8]
///
/// Source: `mainkey` section 12.
package struct AttemptRecord: Equatable, Sendable {
    /// The vault's ID, 16 bytes.
    package var vaultID: [UInt8]
    /// The number of wrong credentials in a row.
    package var failed: UInt32
    package var lastFailure: BootInstant
    /// Whether a wrong credential has reached the limit of a vault that is wiped at it. The number alone does not tell:
    /// an attempt that was interrupted is counted, too, and nobody needs to have typed anything wrong.
    package var isWipeDue = false

    static let byteCount = 64
    private static let beginning = Array("MKA1".utf8) + [1, 0, 0, 0]
    private static let checkedByteCount = 56

    package var encoded: [UInt8] {
        let wipeDue: [UInt8] = [isWipeDue ? 1 : 0, 0, 0, 0]
        let fields =
            Self.beginning + vaultID + [UInt8](bigEndian: failed) + wipeDue + lastFailure.bootID
            + [UInt8](bigEndian: lastFailure.milliseconds)
        return fields + Self.checksum(fields)
    }

    /// - Parameter vaultID: the vault whose file this has to be.
    /// - Throws: ``MainKeyError/malformed(_:reason:)``.
    package init(parsing bytes: [UInt8], vaultID: [UInt8]) throws(MainKeyError) {
        guard bytes.count == Self.byteCount else {
            throw .malformed(.attempts, reason: "it has \(bytes.count) bytes instead of \(Self.byteCount)")
        }
        let fields = bytes[..<Self.checkedByteCount]
        guard fields.starts(with: Self.beginning), bytes[28] <= 1, bytes[29..<32].allSatisfy({ $0 == 0 }) else {
            throw .malformed(.attempts, reason: "fixed bytes have other values")
        }
        guard bytes[Self.checkedByteCount...].elementsEqual(Self.checksum(Array(fields))) else {
            throw .malformed(.attempts, reason: "the checksum differs")
        }
        guard fields[8..<24].elementsEqual(vaultID) else {
            throw .malformed(.attempts, reason: "it belongs to another vault")
        }
        self.vaultID = vaultID
        failed = fields[24..<28].reduce(0) { $0 << 8 | UInt32($1) }
        isWipeDue = fields[28] == 1
        lastFailure = BootInstant(
            bootID: Array(fields[32..<48]), milliseconds: fields[48..<56].reduce(0) { $0 << 8 | UInt64($1) })
    }

    package init(vaultID: [UInt8], failed: UInt32, lastFailure: BootInstant) {
        self.vaultID = vaultID
        self.failed = failed
        self.lastFailure = lastFailure
    }

    /// A checksum that tells a damaged file from a whole one; anyone can compute it.
    private static func checksum(_ fields: [UInt8]) -> [UInt8] {
        Array(fields.withUnsafeBytes { sha256($0) }.prefix(byteCount - checkedByteCount))
    }

    /// The number of wrong credentials that a lost or damaged file counts as, where the limit allows more.
    static let failedWhenLost: UInt32 = 5

    /// How long nothing is tried after this many failures in a row.
    package static func delaySeconds(afterFailures failed: UInt32) -> UInt64 {
        switch failed {
        case ..<5: 0
        case 5: 30
        case 6: 60
        case 7: 300
        case 8: 900
        default: 3600
        }
    }

    /// Milliseconds until the next attempt. After a restart the delay counts from it; a clock that went back counts as
    /// no time at all.
    package func remainingMilliseconds(at now: BootInstant) -> UInt64 {
        let delay = Self.delaySeconds(afterFailures: failed) * 1000
        let since = now.bootID == lastFailure.bootID ? lastFailure.milliseconds : 0
        guard now.milliseconds >= since else { return delay }
        let elapsed = now.milliseconds - since
        return elapsed < delay ? delay - elapsed : 0
    }
}
