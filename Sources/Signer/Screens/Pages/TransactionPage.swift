import Navigator
import Signer
import SignerCore
import Substrate

/// What was scanned, to be read to its end before anything is done.
extension Pages {
    func transaction(_ data: TransactionData) -> Content {
        var content = Content(title: "Scanned", mustBeRead: true)
        guard let answer = data.answer else {
            content.body = [
                .card(
                    .refusal, title: "Refused", text: data.refusal.map(failureText) ?? "It cannot be read.")
            ]
            content.mustBeRead = false
            content.bar = [dismissing("Done")] + publishing(data)
            return content
        }
        switch answer.action {
        case .sign, .signBulk: sign(data, answer, into: &content)
        case .read:
            content.title = "To look at"
            content.body = AnswerBlocks(answer: answer).all
            content.mustBeRead = false
            content.bar = [dismissing("Done")] + publishing(data)
        case .update(let preview): update(answer, preview, into: &content)
        case .importPaths(let preview):
            content.title = "Keys to make"
            content.body = DerivationBlocks.blocks(of: preview)
            content.bar = [dismissing("Not now"), proceeding("Choose the key set", icon: .keys)]
        case .importDerivations:
            content.title = "Key sets to take in"
            content.body = warningCards(of: answer) + DerivationBlocks.blocks(of: answer)
            content.bar = [dismissing("Not now"), approving("Take the keys in", typed: "TAKE", .send(.goForward))]
        case .shareDerivations(let preview):
            content.title = "Addresses to hand out"
            content.body = DerivationBlocks.blocks(of: preview)
            content.bar = [dismissing("No"), approving("Hand them out", typed: "SHARE", .send(.goForward))]
        }
        return content
    }

    private func sign(_ data: TransactionData, _ answer: Answer, into content: inout Content) {
        let blocks = AnswerBlocks(answer: answer)
        let isMessage = (answer.items.isEmpty ? [answer] : answer.items).allSatisfy { !$0.cards.message.isEmpty }
        content.title = isMessage ? "Message" : "Transaction"
        content.body =
            blocks.all
            + [
                .field(
                    Field(
                        "comment", label: "Comment for the log", kind: .text(data.comment),
                        hint: "It stays in this vault."))
            ] + blocks.decision + confirming(answer)
        let label: Text = answer.items.isEmpty ? "Sign" : "Sign all \(answer.items.count)"
        content.bar = [
            dismissing("Do not sign"), approving(label, typed: "SIGN", .send(.goForward, .field("comment"))),
        ]
    }

    /// Says that dangers are confirmed first, each by its own text.
    private func confirming(_ answer: Answer) -> [Block] {
        let count = answer.confirmations.count
        guard count > 0 else { return [] }
        return [
            .text(
                "You will be asked to type a part of " + Text(count, "danger", plural: "dangers")
                    + ", each by itself, before anything is signed.")
        ]
    }

    private func update(_ answer: Answer, _ preview: UpdatePreview, into content: inout Content) {
        content.title = "Update"
        content.body = warningCards(of: answer) + UpdateBlocks(preview: preview).all
        content.bar = [dismissing("Do not take it in"), approving("Take it in", typed: "TAKE", .send(.goForward))]
    }

    /// What a person should know of an update or of keys.
    private func warningCards(of answer: Answer) -> [Block] {
        answer.cards.warning.compactMap { card in
            guard case .warning(let warning) = card.kind else { return nil }
            return .card(
                .warning, title: Text(own: warning.title), text: Text(own: AnswerWording.explain(warning)))
        }
    }

    /// An update that this vault does not take can be signed for others.
    private func publishing(_ data: TransactionData) -> [Control] {
        guard data.canBePublished else { return [] }
        return [
            Control("publish", label: "Sign as publisher", icon: .verifier, does: .send(.signAsPublisher))
        ]
    }

    private func dismissing(_ label: Text) -> Control {
        Control("refuse", label: label, icon: .close, does: .send(.goBack))
    }

    private func proceeding(_ label: Text, icon: Icon) -> Control {
        Control("approve", label: label, icon: icon, style: .suggested, does: .send(.goForward))
    }

    private func approving(_ label: Text, typed: String, _ message: Message) -> Control {
        Control(
            "approve", label: label, icon: .check, style: .suggested, press: .hold(typed: typed), does: message)
    }

    /// An error with its code, by which documents explain it.
    func failureText(_ failure: CoreFailure) -> Text { Text(own: "\(failure.text) [\(failure.code)]") }
}
