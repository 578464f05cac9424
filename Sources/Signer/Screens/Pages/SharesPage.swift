import Navigator
import SignerCore

/// Split backups, and key sets for other devices.
extension Pages {
    func splitRecover(_ data: SplitRecoverData) -> Content {
        var rows: [Row] = []
        if let title = data.title { rows.append(.fact("title", "Split", is: "\(title)")) }
        rows.append(.fact("have", "Shares that are here", is: "\(data.have)"))
        if let required = data.required { rows.append(.fact("required", "Shares that are needed", is: "\(required)")) }
        if !data.numbers.isEmpty {
            let numbers = data.numbers.map { "\($0)" }.joined(separator: ", ")
            rows.append(.fact("numbers", "Their numbers", is: Text(own: numbers)))
        }
        return Content(
            body: [
                .group(title: nil, rows),
                .scanner(Scanner(purpose: .share, advice: "Hold one share after the other before the camera.")),
            ], bar: scanning)
    }

    func splitExport(_ data: SplitExportData) -> Content {
        let (total, required): (Field.ID, Field.ID) = ("total", "required")
        let split = Message.send(.goForward, .list([total, required]))
        return Content(
            body: seenByOthers + [
                .text(
                    "The words of \(data.seed) are encrypted, and cut into shares. Fewer than are needed tell nothing."),
                .field(
                    Field(
                        total, label: "How many shares", kind: .number(data.proposedTotal, in: 2...data.most))),
                .field(
                    Field(
                        required, label: "How many are needed", kind: .number(data.proposedRequired, in: 2...data.most),
                        hint: "At most as many as there are.", enter: split)),
            ], bar: [Control("split", label: "Split it", icon: .backup, style: .suggested, does: split)])
    }

    func splitShard(_ data: SplitShardData) -> Page.Sheet {
        let left = data.notShown
        return Page.Sheet(
            title: "Share \(data.number) of \(data.total), \(data.required) needed",
            // The code comes first: whatever stood above it would push a part of it out of sight.
            body: [
                .code(
                    CodePicture(
                        .secret(data.share.text),
                        label: "Share \(data.number) of \(data.total), \(data.required) needed")),
                .group(
                    title: nil,
                    [
                        .fact("title", "Split", is: "\(data.title)"),
                        .fact("number", "Share", is: "\(data.number) of \(data.total)"),
                        .fact("required", "Needed", is: "\(data.required)"),
                        .fact("not-shown", "Not shown yet", is: "\(left)"),
                    ]),
            ] + seenByOthers,
            bar: [
                Control("previous", label: "Previous", icon: .previous, does: .send(.previousUnit)),
                Control(
                    "next", label: "Next", icon: .next, style: left > 0 ? .suggested : .plain, does: .send(.nextUnit)),
                Control(
                    "passphrase", label: "Go on to the passphrase", icon: .forward,
                    style: left > 0 ? .plain : .suggested, does: .send(.goForward),
                    obstacle: left > 0 ? Text(left, "share was", plural: "shares were") + " not shown yet." : nil),
            ], close: Control("close", label: "Throw the shares away", icon: .close, does: .send(.goBack)))
    }

    func splitPassphrase(_ data: SplitPassphraseData) -> Page.Sheet {
        if let passphrase = data.passphrase { return shown(passphrase) }
        let recover = Message.send(.goForward, .field("name"), secret: "passphrase")
        var body: [Block] = seenByOthers
        if let left = data.attemptsLeft {
            body.append(
                .card(.notice, title: "Attempts", text: Text(left, "attempt is", plural: "attempts are") + " left."))
        }
        return Page.Sheet(
            title: "Passphrase of the shares",
            body: body + [
                .field(
                    Field(
                        "passphrase", label: "Passphrase", kind: .secret(.passphrase),
                        hint: "Its words with hyphens between.", enter: recover)),
                .field(
                    Field("name", label: "Name of the key set", kind: .text(data.name ?? ""), enter: recover)),
            ], bar: [Control("recover", label: "Recover", icon: .check, style: .suggested, does: recover)],
            close: closing)
    }

    /// The passphrase of a new split: written down, and typed back.
    private func shown(_ passphrase: ShownSecret) -> Page.Sheet {
        let words = SecretWords(
            .shown([passphrase]), label: "The passphrase of the shares", isNumbered: false, hiddenBy: "written")
        let done = Message.core([
            CoreCall(
                .goForward, secret: "passphrase",
                needs: [CoreCall.Need(.isOn("written"), otherwise: "Write the passphrase down first, and say so.")])
        ])
        return Page.Sheet(
            title: "Passphrase of the shares",
            body: seenByOthers + [
                .text("Write it down, and keep it in another place than the shares."), .words(words),
                .field(
                    Field(
                        "written", label: "I wrote it down", kind: .toggle(false),
                        hint: "It is hidden, and typed back from your paper.")),
                .field(
                    Field(
                        "passphrase", label: "The passphrase, from your paper", kind: .secret(.passphrase), enter: done)
                ),
            ], bar: [Control("done", label: "Done", icon: .check, style: .suggested, does: done)],
            close: Control("close", label: "Throw the shares away", icon: .close, does: .send(.goBack)))
    }

    func keySetExport(_ data: KeySetExportData) -> Content {
        Content(
            body: [
                .text(
                    "Public keys and paths of " + names(data.names)
                        + ", for another device. Keys with a password are left out."),
                .code(CodePicture(.open(data.code), label: "Moving code of the key sets")),
            ])
    }
}
