import Navigator
import SignerCore

/// What protects the vault, and when it locks.
extension Pages {
    func protection(_ data: ProtectionData) -> Content {
        var body: [Block] = seenByOthers + [.group(title: "As it is", facts(of: data))]
        if data.isRotating {
            body.append(
                .card(
                    .warning, title: "New keys were begun",
                    text: "Something ended before all was sealed anew. Nothing is lost: make new keys again."))
        }
        body += [
            .text("Each change is confirmed with what opens the vault now. Behind it the vault locks.")
        ]
        if data.takesPIN { body.append(.fold(title: "Another PIN or passphrase", changedPIN)) }
        body.append(.fold(title: "Another time until it locks", changedAutolock(data)))
        if data.takesPIN { body.append(.fold(title: "Recovery code", changedRecovery(data))) }
        body += [
            .fold(title: "Another protection", changedPlan(data)),
            .fold(title: "New keys for what is stored", newKeys(data)),
        ]
        return Content(title: "Protection", body: body)
    }

    private func facts(of data: ProtectionData) -> [Row] {
        let ways = data.ways.map { way -> Text in
            switch way {
            case "none": "nothing has to be shown"
            case "pin": "PIN or passphrase"
            case "tpm": "this machine's TPM"
            case "tpm+pin": "PIN or passphrase, with this machine's TPM"
            case "recovery": "recovery code"
            default: Text(own: way)
            }
        }
        var opened = Text()
        for way in ways { opened += opened.isEmpty ? way : "; " + way }
        return [
            .fact("opened-by", "Opened by", is: opened),
            .fact("autolock", "Locks", is: Self.time(data.autolock)),
            .fact("attempts", "Wrong PINs that are taken", is: "\(data.attemptsLeft)"),
        ]
    }

    private static func time(_ minutes: Int) -> Text {
        switch minutes {
        case ..<0: "only when it is told to, or the program ends"
        case 0: "with each wait of a command, and after a minute of waiting here"
        default: "after " + Text(minutes, "minute", plural: "minutes") + " of waiting"
        }
    }

    // MARK: Changes

    /// Asks for a change of what protects the vault.
    ///
    /// - Parameters:
    ///   - pin: the field with a new PIN, which is repeated in another.
    ///   - options: what goes along where its toggle is on.
    ///   - always: what goes along anyhow.
    ///   - unless: what would be dropped.
    private func change(
        _ kind: ProtectionChange.Kind, pin: Field.ID? = nil, fields: [String: Field.ID] = [:],
        protection: String? = nil, options: [CoreCall.Choice] = [], always: [String] = [], unless: [CoreCall.Need] = []
    ) -> Message {
        var known = ["change": [kind.rawValue], "with": always]
        if let protection { known["protection"] = [protection] }
        let same = pin.map {
            CoreCall.Need(.same($0, $0.again), otherwise: "The two are not the same. Type both anew.")
        }
        return .core([
            CoreCall(
                .changeProtection, .object(fields, known: known, chosen: ["with": options]), secret: pin,
                needs: unless + (same.map { [$0] } ?? []))
        ])
    }

    private func newPIN(_ id: Field.ID, enter: Message? = nil) -> [Block] {
        [
            .field(
                Field(id, label: "New PIN or passphrase", kind: .secret(.newCredential), hint: "6 to 128 characters.")),
            .field(Field(id.again, label: "The same once more", kind: .secret(.newCredential), enter: enter)),
        ]
    }

    private var changedPIN: [Block] {
        let change = change(.pin, pin: "new-pin")
        return newPIN("new-pin", enter: change) + [
            .buttons([Control("change-pin", label: "Change the PIN", icon: .password, does: change)])
        ]
    }

    private func autolockField(_ minutes: Int) -> Block {
        .field(
            Field(
                "minutes", label: "Locks after so many minutes", kind: .number(minutes, in: -1...10_080),
                hint: """
                    At most 10080, which is a week. 0: with each wait of a command, and after a minute in this window; \
                    -1: never.
                    """))
    }

    private func changedAutolock(_ data: ProtectionData) -> [Block] {
        [
            autolockField(data.autolock),
            .buttons([
                Control(
                    "change-autolock", label: "Lock after this time", icon: .lock,
                    does: change(.autolock, fields: ["autolock": "minutes"]))
            ]),
        ]
    }

    private func changedRecovery(_ data: ProtectionData) -> [Block] {
        [
            .text(
                data.hasRecovery
                    ? "There is one. A new one takes its place: the one of before opens nothing any more."
                    : "There is none. With a forgotten PIN, or a TPM that is lost, nobody opens this vault again."),
            .buttons([
                Control("new-code", label: "Make a recovery code", icon: .backup, does: change(.recovery))
            ]),
        ]
    }

    private func recoveryField(_ id: Field.ID, isOn: Bool) -> Block {
        .field(
            Field(
                id, label: "A new recovery code", kind: .toggle(isOn),
                hint: "It opens the vault when PIN or TPM are lost, and is shown once."))
    }

    private func changedPlan(_ data: ProtectionData) -> [Block] {
        let pin = Field.ID("other-pin")
        let dropped = CoreCall.Choice("drop-recovery", value: "no-recovery")
        var blocks = newPIN(pin)
        blocks.append(recoveryField("with-recovery", isOn: false))
        if data.hasRecovery {
            blocks.append(
                .field(
                    Field(
                        "drop-recovery", label: "Without the recovery code of before", kind: .toggle(false),
                        hint: "Else it opens the vault as before.")))
        }
        return blocks
            + kinds(pin: pin, fields: [:], options: data.hasRecovery ? [dropped] : [], of: .protection)
    }

    /// The buttons for each kind of protection, with what belongs to one alone.
    private func kinds(
        pin: Field.ID, fields: [String: Field.ID], options: [CoreCall.Choice], of kind: ProtectionChange.Kind
    ) -> [Block] {
        let isSetUp = kind == .setUp
        let recovery = CoreCall.Choice("with-recovery", value: "recovery")
        let hardLimit = CoreCall.Choice("hard-limit", value: "hard-limit")
        let byPIN = change(
            kind, pin: pin, fields: fields, protection: "pin", options: options + [recovery],
            unless: Self.untouched(Self.ofTPM))
        let byTPM = change(
            kind, pin: pin, fields: fields.merging(["registers": "registers"]) { $1 }, protection: "tpm-pin",
            options: options + [recovery, hardLimit])
        let asked =
            (isSetUp ? usualCredential(enter: nil) : []) + newPIN(pin)
            + [recoveryField("with-recovery", isOn: false)] + Self.ofTPM
        let open = change(kind, fields: fields, protection: "none", unless: Self.untouched(asked))
        return [
            .buttons([
                Control(
                    "protect-pin", label: isSetUp ? "Set it up under this PIN" : "Protect it by this PIN",
                    icon: .password, does: byPIN)
            ]),
            .heading("With this machine's TPM"),
            .text(
                "A copy of the vault then opens nothing elsewhere, and the TPM counts wrong PINs. Without a recovery code a broken machine takes the vault with it."
            ),
        ] + Self.ofTPM + [
            .buttons([
                Control(
                    "protect-tpm",
                    label: isSetUp ? "Set it up under this PIN and the TPM" : "Protect it by this PIN and the TPM",
                    icon: .lock, does: byTPM)
            ]),
            .heading("With nothing"),
            .text("Whoever can read the folder can sign with your keys."),
            .buttons([
                Control(
                    "protect-none", label: isSetUp ? "Set it up without protection" : "Take the protection away",
                    icon: .danger, style: .destructive, does: open)
            ]),
        ]
    }

    /// What is chosen for a vault in the TPM alone.
    private static let ofTPM: [Block] = [
        .field(
            Field(
                "hard-limit", label: "For ever after 10 wrong PINs", kind: .toggle(false),
                hint: "The TPM then refuses for ever; only a recovery code opens the vault.")),
        .field(
            Field(
                "registers", label: "Registers of the TPM", kind: .text(""),
                hint:
                    "Numbers with commas between; 7 is what Secure Boot let start. Empty for none. They need a recovery code."
            )),
    ]

    /// A button would drop what was chosen for another one: then it does nothing.
    static func untouched(_ blocks: [Block]) -> [CoreCall.Need] {
        blocks.compactMap { block in
            guard case .field(let field) = block else { return nil }
            return CoreCall.Need(
                .isUntouched(field.id, field.kind),
                otherwise: "\"" + field.label
                    + "\" was chosen, and this button would drop it. Press the one that belongs to it, or put it back.")
        }
    }

    private static let keyPIN = Field.ID("key-pin")

    private var withoutNewPIN: CoreCall.Need {
        CoreCall.Need(
            .isEmpty(Self.keyPIN),
            otherwise:
                "A new PIN is typed, and this would leave the old one. Press \"Make all keys anew\", or delete it.")
    }

    private func newKeys(_ data: ProtectionData) -> [Block] {
        var blocks: [Block] = [
            .text(
                "Addresses, log and key sets are sealed under a new key, and the old one is forgotten. What they say stays as it is."
            ),
            .buttons([
                Control(
                    "rotate", label: "Seal all anew", icon: .next,
                    does: change(.rotate, unless: data.takesPIN ? [withoutNewPIN] : []))
            ]),
        ]
        guard data.takesPIN else { return blocks }
        let rekey = change(.rekey, pin: Self.keyPIN)
        blocks.append(.heading("When a PIN became known to somebody"))
        blocks.append(
            .text(
                "Everything that opens the vault is made anew, too. An old copy still opens with the old PIN: if somebody may have both, move what the keys hold to new ones."
            ))
        blocks += newPIN(Self.keyPIN, enter: rekey)
        blocks.append(.buttons([Control("rekey", label: "Make all keys anew", icon: .next, does: rekey)]))
        return blocks
    }

    // MARK: Set-up

    /// What a vault can be set up with beside the usual.
    var otherProtections: [Block] {
        [.text("It locks after this time, and opens by what you choose here.")]
            + [autolockField(5)] + newPIN("other-pin") + [recoveryField("with-recovery", isOn: false)]
            + kinds(pin: "other-pin", fields: ["autolock": "minutes"], options: [], of: .setUp)
    }

    // MARK: Over it

    func recoveryCode(_ data: RecoveryCodeData) -> Page.Sheet {
        let words = SecretWords(.phrase(data.code), label: "The groups of the recovery code", hiddenBy: "written")
        let repeated = Message.core([
            CoreCall(
                .goForward, secret: "code-again",
                needs: [CoreCall.Need(.isOn("written"), otherwise: "Write the code down first, and say so.")])
        ])
        return Page.Sheet(
            title: "Recovery code",
            body: seenByOthers + [
                .text(
                    "Write it down on paper, and keep it away from the machine: it opens the vault without the PIN. It is shown this once."
                ),
                .words(words),
                .field(
                    Field(
                        "written", label: "I wrote it down", kind: .toggle(false),
                        hint: "The code is hidden, and asked for.")),
                .field(
                    Field(
                        "code-again", label: "The code from your paper", kind: .secret(.passphrase),
                        hint: "All seven groups, with or without blanks between, in capitals or small.",
                        enter: repeated)),
            ],
            bar: [Control("repeat", label: "Go on", icon: .forward, style: .suggested, does: repeated)],
            close: Control("close", label: "Throw the code away", icon: .close, does: .send(.goBack)))
    }

    func confirmProtection(_ data: ConfirmProtectionData) -> Page.Sheet {
        let isSetUp = data.isSetUp
        let confirm =
            data.asksPerson ? Message.send(.goForward, secret: "credential") : Message.send(.goForward)
        var body: [Block] = [.text(Text(own: data.what))]
        if let limits = data.limits {
            body.append(
                .card(
                    data.isOpen ? .danger : .notice, title: "What that does not protect from",
                    text: Text(own: limits)))
        }
        if data.asksPerson {
            body.append(
                .field(
                    Field(
                        "credential", label: "What opens the vault now", kind: .secret(.credential),
                        hint: "Your PIN or passphrase of now, once more.", enter: confirm)))
        }
        let label: Text = isSetUp ? "Set the vault up" : "Change it"
        let control =
            data.isOpen
            ? destroying("confirm-protection", label, icon: .danger, typed: "OPEN", does: confirm)
            : Control("confirm-protection", label: label, icon: .check, style: .suggested, does: confirm)
        return Page.Sheet(
            title: isSetUp ? "Set the vault up" : "Confirm the change", body: body, bar: [control], close: closing)
    }
}

extension Field.ID {
    /// The field in which a secret is typed once more.
    fileprivate var again: Field.ID { Field.ID(stringLiteral: name + "-again") }
}
