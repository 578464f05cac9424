import Identicons
import Navigator
import SignerCore

/// The keys of one seed in one network.
extension Pages {
    func keys(_ data: KeysData) -> Content {
        var content = Content(title: Text(name: data.seed), menu: menu("What can be done with this key set"))
        let network = Row(
            id: "network", picture: .icon(.network), title: "Network", value: Text(name: data.network.title),
            detail: "Choose another one", press: .send(.networkSelector))
        content.body =
            data.notices.map { .publicPhrase($0.text) } + [.group(title: nil, [network])]
        let root = data.root.map { [row(of: $0, in: data)] } ?? []
        if !root.isEmpty { content.body.append(.group(title: "Key of the seed itself", root)) }
        let keys = data.keys.map { row(of: $0, in: data) }
        if keys.isEmpty, root.isEmpty {
            content.body.append(
                .empty(.keys, title: "No keys in this network", text: "Make one, or choose another network."))
        } else if !keys.isEmpty {
            content.body.append(.group(title: "Derived keys", keys))
        }
        if let swiped = ([data.root].compactMap { $0 } + data.keys).first(where: \.isSwiped) {
            content.body += self.swiped(swiped)
        }
        content.bar = data.isSelecting ? selectionBar(data) : [newKey]
        return content
    }

    private var newKey: Control {
        Control("new-key", label: "New key", icon: .add, style: .suggested, does: .send(.newKey))
    }

    /// A key: its picture, its path, its marks, and the whole address.
    private func row(of card: KeyCard, in data: KeysData) -> Row {
        var row = Row(
            id: "key-\(card.addressKey)", picture: .identicon(Identicon(of: card)), title: Text(path: card.path),
            value: Text(address: card.address), marks: marks(of: card),
            press: .send(.selectKey, .text(card.addressKey)), emphasis: .title)
        if data.isSelecting {
            row.isSelected = card.isSelected
        } else {
            row.choices = [
                Control(
                    "more-\(card.addressKey)", label: "More of " + Text(path: card.path), icon: .menu,
                    does: .send(.swipe, .text(card.addressKey)))
            ]
            if !data.isAnySwiped {
                row.choices.append(
                    Control(
                        "select-\(card.addressKey)", label: "Select " + Text(path: card.path), icon: .select,
                        does: .send(.longTap, .text(card.addressKey))))
            }
        }
        return row
    }

    func marks(of card: KeyCard) -> [Row.Mark] {
        var marks: [Row.Mark] = []
        if card.hasPassword { marks.append(.password) }
        if card.isExposed { marks.append(.exposed) }
        if card.isSoftParentAtRisk { marks.append(.atRisk) }
        return marks
    }

    /// What is done with the one key that was swiped.
    private func swiped(_ card: KeyCard) -> [Block] {
        let count = Field.ID(stringLiteral: "count")
        return [
            .heading("With the key " + Text(path: card.path)),
            .field(
                Field(
                    count, label: "How many further keys", kind: .number(1, in: 1...255),
                    hint: "They are numbered below this one.",
                    enter: .send(.increment, .field(count)))),
            .buttons([
                Control(
                    "increment", label: "Make further keys", icon: .add, does: .send(.increment, .field(count)),
                    obstacle: card.hasPassword ? "A key with a password has no numbered ones below it." : nil),
                destroying("remove", "Forget this key", typed: "FORGET", does: .send(.removeKey)),
                Control("unswipe", label: "Close", icon: .close, does: .send(.swipe, .text(card.addressKey))),
            ]),
        ]
    }

    private func selectionBar(_ data: KeysData) -> [Control] {
        let nothing: Text? = data.selectedCount == 0 ? "Nothing is selected." : nil
        return [
            Control("select-all", label: "All or none", icon: .select, does: .send(.selectAll)),
            Control(
                "show-selected", label: "Show " + Text(data.selectedCount, "code", plural: "codes"), icon: .pictures,
                style: .suggested, does: .send(.exportMultiSelect), obstacle: nothing),
            {
                var control = destroying(
                    "remove", "Forget " + Text(data.selectedCount, "key", plural: "keys"), typed: "FORGET",
                    does: .send(.removeKey))
                control.obstacle = nothing
                return control
            }(),
        ]
    }

    // MARK: Over it

    func seedMenu(_ data: SeedMenuData) -> Page.Sheet {
        let remove = Message.core([CoreCall(.removeSeed, credential: credentialField.id)])
        return Page.Sheet(
            title: "\(data.seed)",
            body: [
                .group(
                    title: nil,
                    [
                        Row(
                            id: "backup", picture: .icon(.backup), title: "Show its words",
                            value: "to write them down; the log notes it", press: .send(.backupSeed),
                            emphasis: .title),
                        Row(
                            id: "split", picture: .icon(.pictures), title: "Split backup",
                            value: "shares, of which several give it back", press: .send(.splitSeed),
                            emphasis: .title),
                        .link(
                            "rename", .document, title: "Rename", value: "its addresses and words stay as they are",
                            does: .renameSeed),
                        .link(
                            "preview", .keys, title: "Keys in other wallets",
                            value: "the addresses that they make of the same words", does: .previewKeys),
                    ]),
                .fold(
                    title: "Remove this key set",
                    [
                        .card(
                            .danger, title: "All its keys are gone",
                            text: "Without its words or shares nobody has them again, you included."),
                        .field(credentialField),
                        .buttons([
                            destroying("remove-seed", "Remove \(data.seed)", typed: "REMOVE", does: remove)
                        ]),
                    ]),
            ], close: closing)
    }

    func seedRename(_ data: SeedMenuData) -> Page.Sheet {
        let rename = Message.send(.goForward, .field("new-name"))
        return Page.Sheet(
            title: "Another name for \(data.seed)",
            body: [
                .text("Its addresses and words stay as they are. Earlier entries of the log keep the old name."),
                .card(
                    .notice, title: "Paper",
                    text: "Paper that says the old name is not changed: note the new one there."),
                .field(
                    Field(
                        "new-name", label: "Name of the key set", kind: .text(data.seed),
                        hint: "1 to 64 characters, without commas; it stays in this vault.", enter: rename)),
            ], bar: [Control("rename", label: "Rename", icon: .check, style: .suggested, does: rename)],
            close: closing)
    }

    func networkSelector(_ data: NetworkSelectorData) -> Page.Sheet {
        let rows = data.networks.map { network in
            Row(
                id: "network-\(network.key)", picture: .icon(.network), title: Text(name: network.title),
                press: .send(.changeNetwork, .text(network.key)), isSelected: network.key == data.selected)
        }
        return Page.Sheet(
            title: "Network", body: [.group(title: nil, rows)],
            close: Control("close", label: "Close", icon: .close, does: .send(.networkSelector)))
    }

    func backup(_ data: BackupData) -> Page.Sheet {
        let words = SecretWords(.onDemand, label: "The words of \(data.seed)", hidesAfter: Self.secondsShown)
        let networks = data.networks.filter { !$0.keys.isEmpty }.enumerated().map { index, network in
            Block.group(
                title: Text(name: network.title),
                network.keys.enumerated().map { number, key in
                    Row(
                        id: "backup-\(index + 1)-\(number + 1)", title: Text(path: key.path),
                        marks: key.hasPassword ? [.password] : [])
                })
        }
        return Page.Sheet(
            title: "Words of \(data.seed)",
            body: seenByOthers + [
                .text("Write them down in their order, on paper. Who has them has every key below, but for passwords."),
                .words(words), .heading("Keys to be written down with them"),
            ] + networks,
            close: closing)
    }

    /// After how many seconds a secret is hidden again.
    static let secondsShown = 60
}

extension KeysData {
    fileprivate var isAnySwiped: Bool { root?.isSwiped ?? false || keys.contains(where: \.isSwiped) }
}
