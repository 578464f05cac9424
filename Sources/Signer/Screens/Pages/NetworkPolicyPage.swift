import Navigator
import SignerCore

/// What the vault lets pass of a connected machine.
extension Pages {
    func networkPolicy(_ data: NetworkPolicyData) -> Content {
        let choices = Self.passing.map { passing in
            (passing, choice: CoreCall.Choice(Field.ID(stringLiteral: passing.name), value: passing.name))
        }
        let change = CoreCall(
            .goForward, .object([:], chosen: ["allowed": choices.map(\.choice)]), credential: credentialField.id)
        let strict = CoreCall(.goForward, .text(#"{"allowed":[]}"#), credential: credentialField.id)
        let body: [Block] =
            [state(data), .heading("What is let pass")]
            + choices.map { passing, choice in
                .field(
                    Field(
                        choice.field, label: passing.label, kind: .toggle(data.allowed.contains(passing.name)),
                        hint: passing.hint))
            } + [
                .card(
                    .danger, title: "What passes keeps nobody out",
                    text:
                        "While something is connected, others can reach this machine, and through a flaw in it the keys. The log says what was changed and when."
                ),
                .field(credentialField),
            ]
        var bar = [destroying("change", "Change it", icon: .danger, typed: "ALLOW", does: .core([change]))]
        if !data.allowed.isEmpty {
            bar.insert(
                Control(
                    "strict", label: "Let nothing pass", icon: .check, style: .suggested, does: .core([strict])), at: 0)
        }
        return Content(body: body, bar: bar)
    }

    /// What is so now.
    private func state(_ data: NetworkPolicyData) -> Block {
        if data.allowed.isEmpty {
            return .card(
                .good, title: "Strict", text: "Secrets are used only while nothing is connected: nothing is let pass.")
        }
        let names = Self.passing.filter { data.allowed.contains($0.name) }.map(\.label)
        let all = names.dropFirst().reduce(names.first ?? "") { $0 + ", " + $1 }
        return data.allowed.contains("network-allowed")
            ? .card(
                .danger, title: "Secrets are used on a connected machine",
                text: "This vault is none of a cold machine. It lets pass: " + all + ".")
            : .card(.warning, title: "Not everything counts", text: "This vault lets pass: " + all + ".")
    }

    /// What can be let pass, by the names of `casemate network-policy`.
    private static let passing: [(name: String, label: Text, hint: Text)] = [
        (
            "ignore-radios", "Radios that are switched on",
            "Wireless senders are shown, and nothing is refused for them."
        ),
        (
            "ignore-gadgets", "A USB cable to another machine",
            "A machine that uses this one as its device is shown, and nothing is refused for it."
        ),
        (
            "network-allowed", "Any connection",
            "For keys that hold nothing of worth, or a machine that is no cold one."
        ),
    ]
}
