import Navigator
import SignerCore

/// The settings, which can be shown whatever is damaged.
extension Pages {
    func settings(_ data: SettingsData) -> Content {
        var body: [Block] = seenByOthers
        if let error = data.error {
            body.append(.card(.danger, title: "The vault cannot be read", text: failureText(error)))
        }
        body += [
            .group(
                title: "Whom this vault follows",
                [
                    .link(
                        "networks", .network, title: "Networks", value: "what is known of them, and by whose word",
                        does: .manageNetworks),
                    .verifier(
                        "verifier", "General verifier", of: data.generalVerifier, press: .send(.viewGeneralVerifier)),
                ]),
            .group(
                title: "What is yours",
                [
                    .link(
                        "address-book", .contact, title: "Address book", value: "accounts under names",
                        does: .openAddressBook),
                    .link("backup", .backup, title: "Back up", value: "the words of a key set", does: .backupSeed),
                ]),
            .group(
                title: "This vault",
                [
                    .link(
                        "protection", .password, title: "Protection", value: "what opens it, and when it locks",
                        does: .viewProtection)
                ]),
            .group(
                title: "This program",
                [
                    .link(
                        "self-check", .check, title: "Self check", value: "program, machine and vault",
                        does: .runSelfCheck),
                    networkPolicy(data),
                    .link("documents", .document, title: "About", value: "what it is and is not", does: .showDocuments),
                    .link("lock", .lock, title: "Lock", value: "everything that is held is forgotten", does: .lock),
                ] + wayOutRows),
            .buttons([
                Control("wipe", label: "Wipe the vault", icon: .wipe, style: .destructive, does: .send(.wipeAll))
            ]),
        ]
        return Content(title: "Settings", body: body)
    }

    private func networkPolicy(_ data: SettingsData) -> Row {
        var row = Row.link(
            "network-policy", .shieldSafe, title: "Network policy",
            value: data.allowed.isEmpty
                ? "strict: nothing may be connected" : "something may be connected while secrets are used",
            does: .openNetworkPolicy)
        if !data.allowed.isEmpty {
            row.marks = [Row.Mark(severity: .warning, icon: Severity.warning.icon, text: Severity.warning.word)]
        }
        return row
    }

    private var wayOutRows: [Row] {
        guard let wayOut else { return [] }
        let (title, value): (Text, Text) =
            switch wayOut {
            case .program: ("Close", "the vault is locked and the program ends")
            case .machine: ("Switch off", "the vault is locked and the machine goes off")
            }
        return [
            Row(id: "close-window", picture: .icon(.close), title: title, value: value, press: .window(.closeWindow))
        ]
    }

    var documents: Content {
        Content(
            body: [
                .text(
                    "Casemate keeps keys on a machine without networks, shows what a transaction does before it is signed, and gives the signature out as a code."
                ),
                .text(
                    "It does not protect from who holds this machine and its PIN, from a machine that was tampered with, or from a wrong decision."
                ),
                .text(
                    "It comes under the licence in its package, without warranty. Documents are in the folder docs of the same release."
                ),
                .group(
                    title: "This program",
                    program.isEmpty
                        ? [.fact("program", "Program", is: "Casemate")]
                        : program.enumerated().map { Row($1, number: $0 + 1) }),
            ])
    }

    func selfCheck(_ data: SelfCheckData) -> Content {
        let known = Set(data.lines.map(\.code))
        let lines = program.filter { !known.contains($0.code) } + data.lines
        let worst =
            lines.contains { $0.verdict == .fail }
            ? Severity.danger
            : lines.contains { $0.verdict == .warn } ? .warning : .good
        let text: Text =
            switch worst {
            case .good: "Every check is as it has to be."
            case .warning: "Something is worth a look."
            default: "Something is not as it has to be: sign nothing before you know why."
            }
        return Content(
            body: [
                .card(worst, title: worst.word, text: text),
                .text(
                    "Note the digests, and compare them later, or with those of another machine that has the same release."
                ),
                .group(title: nil, lines.enumerated().map { Row($1, number: $0 + 1) }),
            ])
    }

    func confirmTyped(_ data: ConfirmTypedData) -> Page.Sheet {
        let confirm = Message.send(.goForward, .taken("typed"))
        return Page.Sheet(
            title: "This cannot be undone",
            body: [
                .card(.danger, title: Severity.danger.word, text: Text(own: data.what)),
                .field(
                    Field(
                        "typed", label: "Type " + Text(own: data.text, .monospaced), kind: .text(""), enter: confirm)),
            ],
            bar: [
                Control(
                    "confirm", label: "Do it", icon: .wipe, style: .destructive, does: confirm)
            ], close: closing)
    }
}
