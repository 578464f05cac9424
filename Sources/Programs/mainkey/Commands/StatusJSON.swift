import BasicFoundation
import MainKey
import TextForms

/// The status of a vault for machines.
struct StatusJSON: Encodable {
    var dir: String
    var vault: String
    var generation: UInt64
    var createdAt: String
    var slots: [SlotJSON]
    var epoch: UInt32
    var epochs: [UInt32]
    var rotating: Bool
    /// The timeout in minutes; negative for never, 0 for always.
    var autolock: Int
    /// What of logind locks: `session` (its screen, and sleep), `sleep` or `none`; of `status` only.
    var lockSignals: String?
    var maxAttempts: Int
    var failedAttempts: Int
    var attemptsLeft: Int
    var secondsToWait: Int
    var attemptStateLost: Bool
    /// `tpm` or `file`: whose count the attempts are.
    var attemptsCountedBy: String
    /// Whether the TPM is a program, which was allowed when the vault was made.
    var softwareTPM: Bool
    /// Why the vault is not what this account remembers of it; nil if it is.
    var refusal: String?
    var wipeOnLimit: Bool
    var requireHardware: Bool
    var strictAnchor: Bool
    /// Whether an item that is put back is noticed.
    var listsItems: Bool
    var anchor: String
    var anchorValue: UInt64?

    init(_ status: VaultStatus) {
        dir = status.path
        vault = status.vaultID.description
        generation = status.generation
        createdAt = Timestamp.text(status.createdAt)
        slots = status.ways.map(SlotJSON.init)
        epoch = status.epochs.last?.number ?? 0
        epochs = status.epochs.map(\.number)
        rotating = status.isRotating
        autolock = status.autolock.rawValue
        maxAttempts = status.attemptLimit
        failedAttempts = status.failedAttempts
        attemptsLeft = status.attemptsLeft
        secondsToWait = status.secondsToWait
        attemptStateLost = status.isAttemptStateLost
        attemptsCountedBy = status.isCountedByHardware ? "tpm" : "file"
        softwareTPM = status.hasSoftwareTPM
        refusal = status.refusal.map { "\($0)" }
        wipeOnLimit = status.wipesOnLimit
        requireHardware = status.requiresHardware
        strictAnchor = status.hasStrictAnchor
        listsItems = status.listsItems
        anchor = status.anchor
        anchorValue = status.anchorValue
    }
}

struct SlotJSON: Encodable {
    var id: String
    var kind: String
    var createdAt: String
    var passes: UInt32?
    var memoryKiB: UInt32?
    /// The TPM's policy template: 1, 2 or 3.
    var template: UInt8?
    /// The registers of the TPM that have to hold what they held; empty for none.
    var registers: [Int]?

    init(_ way: VaultStatus.Way) {
        id = SlotID.text(way.id)
        kind = way.kind
        createdAt = Timestamp.text(way.createdAt)
        passes = way.cost?.passes
        memoryKiB = way.cost?.memoryKiB
        template = way.binding?.template.rawValue
        registers = way.binding?.registers.numbers
    }
}

enum Timestamp {
    /// The time as RFC 3339 in UTC; years beyond what a calendar has are shown as seconds.
    static func text(_ seconds: UInt64) -> String {
        guard seconds <= UTCTimestamp.latest.seconds else { return "\(seconds) s" }
        return UTCTimestamp(seconds: Int(seconds)).rfc3339(.none)
    }
}

/// The number of a slot, as eight hex digits.
enum SlotID {
    static func text(_ id: UInt32) -> String { Hex.encode(withUnsafeBytes(of: id.bigEndian) { Array($0) }) }
}
