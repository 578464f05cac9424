import ArgumentParser
import Console
import MainKey
import SecretMemory

struct Rekey: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey",
        abstract: "Replace the MainKey, after a PIN or a copy of the vault became known.",
        discussion: """
            Each way to open the vault is made anew. For that a new PIN is asked for (with --keep-pin the one of \
            before, where only a copy became known), and the recovery code; an empty line gives that way up. Run \
            'mainkey rotate' afterwards, so that old copies open nothing new.
            """)

    @Flag(help: "Keep the PIN, which nobody else knows, instead of asking for a new one.")
    var keepPin = false

    @Flag(help: "Do not ask before ways are given up.")
    var yes = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var place: PlaceOptions

    func run() throws {
        let (vault, credential) = try credentials.unlock(place)
        let status = try vault.status()
        var renewed: [Protection] = []
        var dropped: [VaultStatus.Way] = []
        var renewal = Renewal(vault: vault, typing: credentials.typing, keepsPIN: keepPin, known: credential.typed)
        for way in status.ways {
            if let protection = try renewal.protection(like: way) {
                renewed.append(protection)
            } else {
                dropped.append(way)
            }
        }
        let list = dropped.map { "\($0.kind) (\(SlotID.text($0.id)))" }.joined(separator: ", ")
        if !dropped.isEmpty, !yes { try Question.confirm("These will not open the vault any more: \(list).") }
        var options = VaultOptions()
        options.allowsNoRecovery = true
        try WaysChange("What was chosen anew", of: vault).make {
            try vault.rekey(renewed, authenticatedBy: credential, options)
        }
        let new = try vault.status()
        let lost = dropped.isEmpty ? "" : "\nGiven up, these open it no more: \(list)."
        try output.show(
            StatusJSON(new),
            text: """
                The MainKey is new. Opened by: \(new.ways.map(\.kind).joined(separator: ", ")).\(lost)
                Next: mainkey rotate, with all databases and folders, so that the keys of the data become new too.
                """)
    }
}

/// Makes ways to open a vault once more.
private struct Renewal {
    let vault: MainKeyVault
    let typing: TypingOptions
    let keepsPIN: Bool
    /// The credential that opened the vault; one that stays is not asked for again.
    var known: (way: Way, secret: SecretBytes)?

    /// - Returns: nil for a way that is given up.
    mutating func protection(like way: VaultStatus.Way) throws -> Protection? {
        switch Way(rawValue: way.kind) {
        case .some(.none): Protection.none
        case .hardware: .hardware(way.binding ?? .counter)
        case .pin: try secret(.pin, way).map { .pin($0) }
        case .hardwareAndPIN: try secret(.hardwareAndPIN, way).map { .hardwareAndPIN($0, way.binding ?? .counter) }
        case .recovery: try secret(.recovery, way).map { .recovery(try RecoveryCode(typed: $0)) }
        case nil: nil
        }
    }

    private mutating func secret(_ kind: Way, _ way: VaultStatus.Way) throws -> SecretBytes? {
        if !keepsPIN, kind != .recovery { return try newPIN() }
        if let known, known.way == kind {
            self.known = nil
            return known.secret
        }
        let what = kind == .recovery ? "Recovery code" : "PIN"
        let typed = try typing.secret("\(what) of \(SlotID.text(way.id)) (\(way.kind); nothing gives it up)")
        guard typed.count > 0 else { return nil }
        try vault.verify(Credential(kind, typed))
        return typed
    }

    private func newPIN() throws -> SecretBytes {
        let pin = try typing.newPIN()
        if let known, known.way != .recovery, known.secret == pin {
            throw Failure.usage(
                "The new PIN is the one of before, and nothing was changed. Choose another, or say --keep-pin.")
        }
        return pin
    }
}
