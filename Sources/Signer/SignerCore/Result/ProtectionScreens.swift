import MainKey
import SecretMemory
import Signer

/// What protects a vault, and when it locks.
package struct ProtectionData: Sendable, Encodable {
    /// What opens it: `none`, `pin`, `tpm`, `tpm+pin`, `recovery`.
    package var ways: [String]
    /// The minutes of waiting after which it locks; 0: with each wait; -1: never.
    package var autolock: Int
    /// Wrong PINs that are left.
    package var attemptsLeft: Int
    /// The key of the data in use, counted from the first.
    package var epoch: UInt32
    /// Whether a change of that key was interrupted.
    package var isRotating: Bool

    /// Whether a PIN is among the ways.
    package var takesPIN: Bool { ways.contains("pin") || ways.contains("tpm+pin") }
    /// Whether a recovery code opens it.
    package var hasRecovery: Bool { ways.contains("recovery") }

    package init(ways: [String], autolock: Int, attemptsLeft: Int, epoch: UInt32 = 0, isRotating: Bool = false) {
        (self.ways, self.autolock, self.attemptsLeft) = (ways, autolock, attemptsLeft)
        (self.epoch, self.isRotating) = (epoch, isRotating)
    }

    init(_ status: VaultStatus) {
        self.init(
            ways: status.ways.map(\.kind), autolock: status.autolock.rawValue, attemptsLeft: status.attemptsLeft,
            epoch: status.epochs.first { $0.isActive }?.number ?? 0, isRotating: status.isRotating)
    }
}

/// A new recovery code, to be written down and typed back.
package struct RecoveryCodeData: Sendable, Encodable {
    /// Its groups, single blanks between.
    package var code: ShownSecret

    init(_ code: RecoveryCode) throws {
        let grouped = try code.grouped()
        self.code = ShownSecret(
            try SecretBytes(count: grouped.count) { shown in
                grouped.withUnsafeBytes { grouped in
                    for (index, byte) in grouped.enumerated() {
                        shown[index] = byte == UInt8(ascii: "-") ? UInt8(ascii: " ") : byte
                    }
                }
            })
    }
}

/// A change of what protects the vault, to be confirmed.
package struct ConfirmProtectionData: Sendable, Encodable {
    /// Which change it is: a name of ``ProtectionChange/Kind``.
    package var change: String
    /// What becomes of the vault.
    package var what: String
    /// What is not protected then; nil where the change says nothing of that.
    package var limits: String?
    /// Whether nothing protects the vault then.
    package var isOpen: Bool
    /// Whether what opens the vault now has to be shown.
    package var asksPerson: Bool

    /// Whether the vault is set up.
    package var isSetUp: Bool { change == ProtectionChange.Kind.setUp.rawValue }

    init(_ change: ProtectionChange, asksPerson: Bool) {
        self.change = change.kind.rawValue
        self.asksPerson = asksPerson && change.kind != .setUp
        isOpen = change.setsPlan && change.plan == .none
        what = change.text
        guard change.setsPlan else { return }
        limits =
            (([change.plan.limits] + [change.plan.registerLimits].compactMap(\.self)).map { text in
                text.hasSuffix(".") ? text : text + "."
            }).joined(separator: " ")
    }
}

extension ProtectionChange {
    fileprivate var setsPlan: Bool { kind == .setUp || kind == .protection }

    /// What becomes of the vault, in a sentence or two.
    fileprivate var text: String {
        let recovery = code == nil ? "" : " The recovery code that you have written down opens it too."
        let ended = endsRecovery ? " The recovery code of before opens it no more, but an old copy of the folder." : ""
        return switch kind {
        case .setUp: "A vault is set up: \(way). It locks \(time).\(recovery)"
        case .protection: "Something else protects this vault: \(way).\(recovery)\(ended)"
        case .pin:
            "Another PIN or passphrase opens this vault. The one of before opens it no more, but an old copy of the folder."
        case .recovery: "The recovery code that you have written down opens this vault.\(ended)"
        case .autolock: "This vault locks \(time)."
        case .rotate:
            "All that is private is sealed under a new key, and the old one is forgotten. What opens the vault stays."
        case .rekey:
            "All that is private is sealed under new keys. What opened the vault until now opens nothing that is written from now on.\(recovery)"
        }
    }

    private var way: String {
        switch plan {
        case .none: "nothing has to be shown to open it"
        case .pin: "a PIN or passphrase opens it"
        case .hardware: "a PIN or passphrase opens it, on this machine alone"
        }
    }

    private var time: String {
        switch autolock {
        case .never: "only when it is told to, or the program ends"
        case .always: "with each wait for a person, and after a minute where a program stays open, as a window"
        case .minutes(let minutes): "after \(minutes) \(minutes == 1 ? "minute" : "minutes") of waiting"
        }
    }
}
