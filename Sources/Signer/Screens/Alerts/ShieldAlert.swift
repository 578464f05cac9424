import Navigator
import NetworkDetector
import SignerCore

/// The network detector in words.
extension Pages {
    func shieldAlert(_ data: ShieldData) -> Page.AlertBox {
        let mustBeOpened = data.detector.state == .wasOnline && !data.canAcknowledge
        let advice: Text =
            mustBeOpened
            ? "Think of what may have come in. Unlock the vault, then acknowledge it." : shieldAdvice(data.detector)
        var body: [Block] = [.text(shieldMeaning(data.detector)), .text(advice)]
        let probes = data.detector.probes.enumerated().map { index, line in
            Row(id: "probe-\(index + 1)", picture: .icon(.network), title: "Network", value: Text(own: line))
        }
        if let since = data.since { body.append(.text("Noted at \(own: since) UTC.")) }
        if !probes.isEmpty { body.append(.group(title: "What was found", probes)) }
        if data.detector.isAllowed {
            body.append(
                .card(
                    .warning, title: "Allowed all the same",
                    text: "The policy of this vault lets it be used on a connected machine."))
        }
        if !data.disabled.isEmpty {
            let names = data.disabled.map { GuardedActivity(rawValue: $0)?.name ?? $0 }
            body.append(
                .group(
                    title: "Refused meanwhile",
                    names.enumerated().map { index, name in
                        Row(id: "refused-\(index + 1)", picture: .icon(.refused), title: Text(own: name))
                    }))
        }
        var bar = [Control("dismiss", label: "Back", icon: .back, does: .send(.goBack))]
        if data.canAcknowledge {
            bar.append(
                Control(
                    "acknowledge", label: "I have thought of it", icon: .check, style: .suggested,
                    press: .hold(typed: "ACKNOWLEDGE"), does: .send(.ackShield)))
        }
        return Page.AlertBox(
            severity: data.detector.state == .safe ? .good : .danger, title: Text(own: data.text), body: body, bar: bar)
    }

    private func shieldMeaning(_ detector: DetectorView) -> Text {
        let words = DetectorError.text(detector.state)
        return Text(own: words.prefix(1).uppercased() + words.dropFirst() + ".")
    }

    /// What to do.
    func shieldAdvice(_ detector: DetectorView) -> Text {
        detector.state == .safe
            ? "Keep it so: no cable, no radio." : Text(own: DetectorError.advice(detector.state))
    }
}
