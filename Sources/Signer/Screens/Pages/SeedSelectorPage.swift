import Identicons
import Navigator
import Signer
import SignerCore

/// The first page: the seeds of the vault.
extension Pages {
    func seedSelector(_ data: SeedSelectorData) -> Content {
        var content = Content(title: "Key sets", menu: menu("New key set", icon: .add))
        guard !data.seeds.isEmpty else {
            content.body = [
                .empty(.keys, title: "No key sets yet", text: "Make one, or recover one from its words or shares.")
            ]
            content.bar = [newKeySet]
            return content
        }
        let rows = data.seeds.map { card in
            var row = row(of: card)
            row.press = .send(.selectSeed, .text(card.name))
            if card.isStored {
                row.choices = [
                    Control(
                        "export-\(card.name)", label: "Export the public keys of \(card.name)", icon: .pictures,
                        does: .send(.exportKeySets, .text(card.name)))
                ]
            }
            return row
        }
        content.body = publicPhraseCards(data) + [.group(title: nil, rows)]
        let stored = data.seeds.filter(\.isStored).map(\.name)
        if stored.count > 1 {
            content.body.append(
                .buttons([
                    Control(
                        "export-all", label: "Export the public keys of all", icon: .pictures,
                        does: .send(.exportKeySets, .text(stored.joined(separator: ","))))
                ]))
        }
        content.bar = [newKeySet]
        return content
    }

    private var newKeySet: Control {
        Control("new", label: "New key set", icon: .add, style: .suggested, does: .send(.rightButtonAction))
    }

    /// A key set with its picture, its name, and how many keys it has.
    func row(of card: SeedSelectorData.Card) -> Row {
        var row = Row(
            id: "set-\(card.name)",
            picture: card.root.map { .identicon(Identicon(ofHex: $0)) } ?? .icon(.keys),
            title: Text(name: card.name), value: Text(card.keyCount, "derived key", plural: "derived keys"),
            emphasis: .title)
        if !card.isStored {
            row.marks.append(Row.Mark(severity: .warning, icon: .warning, text: "its words are not here"))
        }
        if card.isPublic {
            row.marks.append(Row.Mark(severity: .warning, icon: .exposed, text: "everybody knows its keys"))
        }
        return row
    }

    private func publicPhraseCards(_ data: SeedSelectorData) -> [Block] {
        data.seeds.filter(\.isPublic).map {
            .publicPhrase(DevelopmentPhrase.notice(seed: $0.name))
        }
    }

    /// The same for a backup.
    func selectSeedForBackup(_ data: SeedSelectorData) -> Content {
        let rows = data.seeds.map { card in
            var row = row(of: card)
            row.press = .send(.backupSeed, .text(card.name))
            return row
        }
        let none = Block.empty(.backup, title: "Nothing to back up", text: "There is no key set in this vault yet.")
        return Content(
            title: "Back up",
            body: rows.isEmpty
                ? [none] : [.text("Whose words do you want to see? The log notes it."), .group(title: nil, rows)])
    }

    // MARK: New key sets

    var newSeedMenu: Page.Sheet {
        return Page.Sheet(
            title: "New key set",
            body: [
                .group(
                    title: nil,
                    [
                        .link(
                            "new-seed", .add, title: "Make a new one", value: "new words, to be written down",
                            does: .newSeed),
                        .link(
                            "recover-seed", .document, title: "Recover from words",
                            value: "12 to 24 words that you have written down", does: .recoverSeed),
                        .link(
                            "recover-split", .scan, title: "Recover from shares",
                            value: "codes of a split backup, and its passphrase", does: .recoverSplit),
                    ])
            ], close: closing)
    }
}
