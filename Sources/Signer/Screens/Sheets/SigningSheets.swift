import Identicons
import Navigator
import Signer
import SignerCore

/// What lies over what was scanned: confirmations, passwords, answers.
extension Pages {
    func enterPassword(_ data: EnterPasswordData) -> Page.Sheet {
        let go = Message.send(.goForward, secret: "password")
        return Page.Sheet(
            title: "Password of a key",
            body: [
                .group(
                    title: "Whose password",
                    [
                        .fact("address", "Key", is: Text(address: data.address)),
                        .fact("seed", "Key set", is: "\(data.seed)"), .fact("path", "Path", is: Text(path: data.path)),
                        .fact("attempt", "Attempt", is: "\(data.attempt) of \(data.attempts)"),
                    ]),
                .field(Field("password", label: "Password", kind: .secret(.password), enter: go)),
            ], bar: [Control("go", label: "Sign", icon: .check, style: .suggested, does: go)], close: closing)
    }

    func confirmRisk(_ data: ConfirmRiskData) -> Page.Sheet {
        let confirm = Message.send(.goForward, .taken("typed"))
        return Page.Sheet(
            title: Text(data.left, "danger", plural: "dangers") + " to confirm",
            body: [
                .card(
                    .danger, title: RiskRule(rawValue: data.code).map { Text(own: $0.title) } ?? Text(own: data.code),
                    text: Text(own: "\(data.message) [\(data.code)]")),
                .field(Field("typed", label: Text(own: data.question), kind: .text(""), enter: confirm)),
            ],
            bar: [
                Control("confirm", label: "I have looked at it", icon: .danger, style: .destructive, does: confirm)
            ], close: closing)
    }

    func selectSeed(_ data: SeedSelectorData) -> Page.Sheet {
        let rows = data.seeds.filter(\.isStored).map { card in
            var row = row(of: card)
            row.press = .send(.goForward, .text(card.name))
            return row
        }
        return Page.Sheet(
            title: "Below which key set?", body: [.group(title: nil, rows)], close: closing)
    }

    func signatureReady(_ code: CodeData, of screen: ScreenData) -> Page.Sheet {
        var rows: [Row] = []
        if case .transaction(let data) = screen, let answer = data.answer { rows = signed(answer) }
        return Page.Sheet(
            title: "Signed",
            body: [
                .code(CodePicture(.open(code), label: "Code of the signature")),
                .group(title: "What was signed", rows),
            ], bar: [Control("done", label: "Done", icon: .check, style: .suggested, does: .send(.goBack))])
    }

    /// What was signed in a line each, with the hash of the call.
    private func signed(_ answer: Answer) -> [Row] {
        let members = answer.items.isEmpty ? [answer] : answer.items
        return members.enumerated().flatMap { index, member -> [Row] in
            let said = SaidText(answer: member)
            let leaves = member.effects?.leaves ?? []
            let name: Text =
                leaves.count == 1
                ? Text(own: AnswerWording.name(of: leaves[0]))
                : leaves.isEmpty ? "Message" : Text(leaves.count, "call", plural: "calls")
            let amounts = member.effects?.totals.map { said.amount($0) } ?? []
            let sums = amounts.reduce(Text()) { $0.isEmpty ? $1 : $0 + ", " + $1 }
            let network = member.network.map { "on \($0.title)" as Text } ?? "for any network"
            let line = Row.fact(
                "signed-\(index + 1)", name, is: sums.isEmpty ? network : sums + " " + network)
            let hash = member.callHash.map { Row.fact("hash-\(index + 1)", "Call hash", is: Text(hex: $0.hex)) }
            return [line] + (hash.map { [$0] } ?? [])
        }
    }

    func dynamicReady(_ code: CodeData) -> Page.Sheet {
        Page.Sheet(
            title: "Addresses for the wallet",
            body: [.code(CodePicture(.open(code), label: "Moving code of the addresses"))],
            bar: [Control("done", label: "Done", icon: .check, style: .suggested, does: .send(.goBack))])
    }
}
