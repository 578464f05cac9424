import ArgumentParser
import Console
import InstalledSigner
import MainKey
import MainKeyLogind
import SecretMemory
import Signer

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show how the vault is protected. Needs no PIN and changes nothing.")

    @OptionGroup var output: OutputOptions
    @OptionGroup var vault: VaultFolderOptions
    @OptionGroup var tpm: TPMOptions

    private struct StatusJSON: Encodable {
        struct Way: Encodable {
            var id: UInt32
            var kind: String
            /// `lockout`, `counter` or `hardLimit`, where hardware is part of it.
            var binding: String?
            /// Registers of the TPM that have to hold what they held; empty for none.
            var registers: [Int]?
        }

        struct Epoch: Encodable {
            var number: UInt32
            var active: Bool
        }

        var folder: String
        var generation: UInt64
        var protections: [Way]
        var hardwareBound: Bool
        var attemptsLeft: Int
        var attemptLimit: Int
        var secondsToWait: Int
        var attemptsLost: Bool
        /// `tpm` or `file`: whose count the attempts are.
        var attemptsCountedBy: String
        /// Whether the TPM is a program, which was allowed when the vault was made.
        var softwareTPM: Bool
        /// Why the vault is not what this account remembers of it; nil if it is.
        var refusal: String?
        /// Minutes; 0 with each wait, -1 never.
        var autolock: Int
        /// What of logind locks: `session` (its screen, and sleep), `sleep` or `none`.
        var lockSignals: String
        /// `none`, `open` or `impossible`.
        var session: String
        var sessionSeconds: Int?
        var epochs: [Epoch]
        /// Whether a rotation was begun and is not finished.
        var rotating: Bool
        /// Whether a wipe was begun and is not finished.
        var wiping: Bool
        var memoryLocked: Bool
        var validator: ValidatorState
        /// What it lets pass of a connected machine; empty for nothing.
        var networkPolicy: [String]
        /// Whether the machine was connected since the last acknowledgement.
        var wasOnline: Bool
    }

    func run() throws {
        let key = try VaultKey.look(
            at: vault.folder, Unlocking(try tpm.opening()) { _ in throw SignerError.vaultKey(.locked) })
        let status = try key.fullStatus()
        let session = try key.session()
        let isMemoryLocked = (try? SecretMemoryStatus.current().isLocked) ?? false
        let (name, seconds): (String, Int?) =
            switch session {
            case .none: ("none", nil)
            case .open(let seconds): ("open", seconds)
            case .impossible: ("impossible", nil)
            }
        let signals = LogindSignals().state()
        let network = try Vault.networkFacts(in: vault.folder)
        let json = StatusJSON(
            folder: vault.folder.path, generation: status.generation,
            protections: status.ways.map { way in
                .init(
                    id: way.id, kind: way.kind, binding: way.binding.map { "\($0.template)" },
                    registers: way.binding?.registers.numbers)
            },
            hardwareBound: status.ways.contains { $0.binding != nil }, attemptsLeft: status.attemptsLeft,
            attemptLimit: status.attemptLimit, secondsToWait: status.secondsToWait,
            attemptsLost: status.isAttemptStateLost, attemptsCountedBy: status.isCountedByHardware ? "tpm" : "file",
            softwareTPM: status.hasSoftwareTPM, refusal: status.refusal.map { "\($0)" },
            autolock: status.autolock.rawValue, lockSignals: signals.name, session: name,
            sessionSeconds: seconds, epochs: status.epochs.map { .init(number: $0.number, active: $0.isActive) },
            rotating: status.isRotating, wiping: try Vault.isWiping(in: vault.folder), memoryLocked: isMemoryLocked,
            validator: try ValidatorState.current(key),
            networkPolicy: network.allowance.names, wasOnline: network.wasOnline)
        try output.show(
            json, text: text(json, session: session, signals: signals, network: network))
    }

    private func text(
        _ status: StatusJSON, session: SessionState, signals: LogindSignals.State, network: Vault.NetworkFacts
    )
        -> String
    {
        let ways = status.protections.map { way in
            (names[way.kind] ?? way.kind) + (way.binding == "hardLimit" ? ", refused for ever after the limit" : "")
                + Self.text(registers: way.registers ?? [])
        }
        return """
            The vault in \(status.folder)
              opened by    \(ways.joined(separator: "; "))
              hardware     \(hardware(status))
              attempts     \(attempts(status))
              autolock     \(AutolockTimeout(rawValue: status.autolock)?.inWords ?? "")
              logind       \(signals)
              session      \(text(session))
              epochs       \(epochs(status))
              validator    \(status.validator.line)
              binding      \(status.validator.bindingLine)
              network      \(network.allowance.line)\(network.wasOnline ? "; this machine was connected: casemate acknowledge" : "")
              memory       \(status.memoryLocked ? "secrets are never swapped out" : "secrets may be swapped out: raise ulimit -l")
            """ + (status.wiping ? "\n  wipe         \(InterruptedWipe.line)" : "")
                + (status.refusal.map { "\n\(Style.output.danger($0))" } ?? "")
    }

    private static func text(registers: [Int]) -> String {
        guard !registers.isEmpty else { return "" }
        return ", as it was started (register \(registers.map(String.init).joined(separator: ",")))"
    }

    private var names: [String: String] {
        [
            "none": "anybody who can read the folder", "pin": "a PIN", "tpm": "this machine's TPM",
            "tpm+pin": "a PIN with this machine's TPM", "recovery": "a recovery code",
        ]
    }

    private func hardware(_ status: StatusJSON) -> String {
        guard status.hardwareBound else { return "not bound to hardware" }
        return status.softwareTPM
            ? "bound to a TPM in software: whoever has its files has what it keeps" : "bound to this machine's TPM"
    }

    private func attempts(_ status: StatusJSON) -> String {
        "\(status.attemptsLeft) of \(status.attemptLimit) left"
            + (status.secondsToWait > 0 ? ", the next in \(status.secondsToWait) seconds" : "")
            + (status.attemptsCountedBy == "tpm" ? ", as the TPM counts them" : "")
            + (status.attemptsLost ? "; the count was lost and begins again with fewer" : "")
    }

    private func epochs(_ status: StatusJSON) -> String {
        status.epochs.map { "\($0.number)\($0.active ? " (active)" : "")" }.joined(separator: ", ")
            + (status.rotating ? "; a rotation is under way: casemate rotate" : "")
    }

    private func text(_ session: SessionState) -> String {
        switch session {
        case .none: "none: every command asks. Begin one with: casemate unlock"
        case .open(nil): "open until 'casemate lock' or logout; seeds ask all the same"
        case .open(let seconds?): "open for \((seconds + 59) / 60) minutes more; seeds ask all the same"
        case .impossible(let reason): "every command asks: \(reason)"
        }
    }
}

extension AutolockTimeout {
    /// When a vault locks itself.
    var inWords: String {
        switch self {
        case .never: "never"
        case .always: "with each wait"
        case .minutes(1): "after 1 minute of waiting"
        case .minutes(let minutes): "after \(minutes) minutes of waiting"
        }
    }
}
