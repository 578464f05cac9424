import Navigator
import SignerCore

/// Before the vault is open.
extension Pages {
    func unlock(_ data: UnlockData) -> Content {
        if data.opensByItself == true {
            let note = Block.card(.notice, title: "Locked", text: "This vault opens by itself: nothing is asked for.")
            return Content(
                body: seenByOthers + [note],
                bar: [Control("unlock", label: "Open", icon: .lock, style: .suggested, does: .send(.goForward))])
        }
        let open = Message.send(.goForward, secret: "credential")
        var body = seenByOthers
        if data.waitSeconds > 0 {
            body.append(
                .card(
                    .warning, title: "Wait",
                    text: "The next attempt is taken in " + Text(data.waitSeconds, "second", plural: "seconds") + "."))
        }
        if let left = data.attemptsLeft {
            body.append(
                .card(
                    left > 3 ? .notice : .warning, title: "Attempts",
                    text: Text(left, "attempt is", plural: "attempts are") + " left."))
        }
        body.append(
            .field(
                Field(
                    "credential", label: "PIN or passphrase", kind: .secret(.credential),
                    hint: "It goes straight to locked memory.", enter: open)))
        return Content(
            body: body, bar: [Control("unlock", label: "Unlock", icon: .lock, style: .suggested, does: open)])
    }

    func airgapCheck(_ data: AirgapCheckData) -> Content {
        let call = CoreCall(
            .goForward, secret: "credential",
            needs: Self.untouched(otherProtections) + [
                CoreCall.Need(
                    .same("credential", "credential-again"), otherwise: "The two are not the same. Type both anew.")
            ])
        let probes = data.detector.probes.enumerated().map { index, line in
            Row(
                id: "probe-\(index + 1)", picture: .icon(.network), title: "Network", value: Text(own: line),
                marks: [mark(isGood: data.isReady)])
        }
        let checks = data.checks.enumerated().map { Row($1, number: $0 + 1) }
        var body: [Block] = seenByOthers
        body.append(
            data.isReady
                ? .card(.good, title: "This machine is cut off", text: "No network was found.")
                : .card(.refusal, title: "This machine is not cut off", text: shieldAdvice(data.detector)))
        if !probes.isEmpty { body.append(.group(title: "What was found", probes)) }
        if !checks.isEmpty { body.append(.group(title: "Program and machine", checks)) }
        body += [
            .heading("What will open the vault")
        ]
        body += usualCredential(enter: .core([call]))
        body.append(.fold(title: "Protect it otherwise", otherProtections))
        return Content(
            body: body,
            bar: [
                Control(
                    "begin", label: "Set the vault up", icon: .check, style: .suggested, does: .core([call]),
                    obstacle: data.isReady ? nil : "This machine is not cut off from networks.")
            ])
    }

    /// What opens a new vault that is not protected otherwise.
    func usualCredential(enter: Message?) -> [Block] {
        [
            .field(
                Field(
                    "credential", label: "New PIN or passphrase", kind: .secret(.newCredential),
                    hint: "Nobody can open the vault without it.")),
            .field(
                Field(
                    "credential-again", label: "The same once more", kind: .secret(.newCredential), enter: enter)),
        ]
    }

    private func mark(isGood: Bool) -> Row.Mark {
        let severity: Severity = isGood ? .good : .danger
        return Row.Mark(severity: severity, icon: severity.icon, text: severity.word)
    }
}
