import ArgumentParser
import Console
import MainKey
import MainKeyLogind
import VaultArguments

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "What the vault is, and how many attempts are left. Needs no PIN and changes nothing.")

    @OptionGroup var output: OutputOptions
    @OptionGroup var place: PlaceOptions

    func run() throws {
        let status = try place.look().status(asksHardware: true)
        let signals = LogindSignals().state()
        var json = StatusJSON(status)
        json.lockSignals = signals.name
        try output.show(json, text: Self.text(status, signals))
    }

    private static func text(_ status: VaultStatus, _ signals: LogindSignals.State) -> String {
        var lines = [
            "vault       \(status.path)",
            "id          \(status.vaultID)",
            "made        \(Timestamp.text(status.createdAt)), generation \(status.generation)",
            "opened by   \(status.ways.map(\.kind).joined(separator: ", "))",
            "epoch       \(status.epochs.map { "\($0.number)\($0.isActive ? "" : " (retiring)")" }.joined(separator: ", "))"
                + (status.isRotating ? ", a rotation is under way: mainkey rotate --resume" : ""),
            "autolock    \(status.autolock.words)\(status.autolock.isMinutes ? " minutes" : "")",
            "logind      \(signals)",
            "attempts    \(status.attemptsLeft) of \(status.attemptLimit) left"
                + (status.isCountedByHardware ? ", as the TPM counts them" : "")
                + (status.secondsToWait > 0 ? ", the next in \(status.secondsToWait) seconds" : ""),
            "anchor      \(status.anchor)\(status.anchorValue.map { " at \($0)" } ?? "")",
        ]
        if status.isAttemptStateLost {
            let count = status.failedAttempts
            lines.append(Style.output.warning("The count of wrong attempts was lost, and counts as \(count)."))
        }
        if status.hasSoftwareTPM {
            lines.append(
                Style.output.warning("Its TPM is a program: whoever has that program's files has what it keeps."))
        }
        if !status.listsItems {
            lines.append(
                Style.output.warning("Items that are put back are not noticed yet: they are from the next change on."))
        }
        if let refusal = status.refusal { lines.append(Style.output.danger("\(refusal)")) }
        var rules: [String] = []
        if status.wipesOnLimit { rules.append("wipes itself when the attempts are used up") }
        if status.requiresHardware { rules.append("requires hardware") }
        if status.hasStrictAnchor { rules.append("every change moves the TPM's counter") }
        if !rules.isEmpty { lines.append("rules       \(rules.joined(separator: ", "))") }
        return lines.joined(separator: "\n")
    }
}

struct Slots: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slots",
        abstract: "List the ways to open the vault. Needs no PIN and changes nothing.")

    @OptionGroup var output: OutputOptions
    @OptionGroup var place: PlaceOptions

    func run() throws {
        let status = try place.look().status()
        try output.show(["slots": status.ways.map(SlotJSON.init)], text: Self.table(status.ways))
    }

    static func table(_ ways: [VaultStatus.Way]) -> String {
        Table.text(
            ["ID", "KIND", "MADE", "COST", "TPM"],
            ways.map { way in
                [
                    SlotID.text(way.id), way.kind, Timestamp.text(way.createdAt),
                    way.cost.map { "\($0.passes) passes over \($0.memoryKiB >> 10) MiB" } ?? "-",
                    way.binding.map(\.words) ?? "-",
                ]
            })
    }
}

extension AutolockTimeout {
    var isMinutes: Bool { if case .minutes = self { true } else { false } }
}

extension HardwareBinding {
    /// The binding in the words of a table.
    var words: String {
        let limits =
            switch template {
            case .lockout: "lockout of the TPM"
            case .counter: "counter"
            case .hardLimit: "counter, hard limit"
            }
        return limits + (registers.isEmpty ? "" : ", register \(registers)")
    }
}
