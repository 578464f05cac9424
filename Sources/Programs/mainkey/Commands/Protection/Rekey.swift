import ArgumentParser
import Console
import MainKey
import SecretMemory

struct Rekey: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Replace the MainKey, after a PIN or a copy of the vault became known.",
        discussion: """
            Each way to open the vault is made anew, and for that its PIN or recovery code is asked for; an empty \
            answer gives it up. With --new-pin a new PIN is asked for instead. Run 'mainkey rotate' afterwards, so \
            that old copies open nothing new.
            """)

    @OptionGroup var place: PlaceOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Set a new PIN.")
    var newPin = false

    @Flag(help: "Do not ask before ways are given up.")
    var yes = false

    func run() throws {
        let (vault, credential) = try credentials.unlock(place)
        let status = try vault.status()
        var renewed: [Protection] = []
        var dropped: [VaultStatus.Way] = []
        var renewal = Renewal(vault: vault, typing: credentials.typing, asksNewPIN: newPin, known: credential.typed)
        for way in status.ways {
            if let protection = try renewal.protection(like: way) {
                renewed.append(protection)
            } else {
                dropped.append(way)
            }
        }
        if !dropped.isEmpty, !yes {
            let list = dropped.map { "\($0.kind) (\(SlotID.text($0.id)))" }.joined(separator: ", ")
            try Question.confirm("These will not open the vault any more: \(list).")
        }
        var options = VaultOptions()
        options.allowsNoRecovery = true
        try vault.rekey(renewed, authenticatedBy: credential, options)
        let new = try vault.status()
        try output.show(
            StatusJSON(new),
            text: """
                The MainKey is new. Opened by: \(new.ways.map(\.kind).joined(separator: ", ")).
                Next: mainkey rotate, with all databases and folders, so that the keys of the data become new too.
                """)
    }
}

/// Makes ways to open a vault once more.
private struct Renewal {
    let vault: MainKeyVault
    let typing: TypingOptions
    let asksNewPIN: Bool
    /// The credential that opened the vault, which is not asked for again.
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
        if asksNewPIN, kind != .recovery { return try typing.newPIN() }
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
}
