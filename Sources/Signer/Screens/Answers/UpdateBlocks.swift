import Identicons
import Signer
import SignerCore
import Substrate

/// What an update would do: what is new, who vouches for it, field by field differences, what would be removed.
struct UpdateBlocks {
    let preview: UpdatePreview

    private var wording: UpdateWording { UpdateWording(preview) }

    var all: [Block] { top + [.group(title: "What is new", lines(wording.content))] + removal + notices }

    private var top: [Block] {
        var blocks: [Block] = [.headline(Text(own: wording.title), caption: "Nothing changes before your yes.")]
        if preview.voucher.key == nil {
            blocks.append(
                .card(
                    .warning, title: "Nobody vouches for it",
                    text: "Whoever made the picture may have written anything into it."))
        }
        var row = lines([wording.voucher]).first
        row?.picture =
            preview.voucher.key.map { .identicon(Identicon(.polkadot, of: $0.publicKey)) } ?? .icon(.verifier)
        if case .newGeneral = preview.voucher { row?.marks = [.newVerifier] }
        if case .newCustom = preview.voucher { row?.marks = [.newVerifier] }
        return blocks + [.group(title: "Who vouches", row.map { [$0] } ?? [])]
    }

    private func lines(_ lines: [UpdateWording.Line]) -> [Row] {
        lines.enumerated().map { index, line in
            .fact(
                "update-\(line.label)-\(index + 1)", Text(own: line.label), is: SaidText.plain(line.parts),
                advice: line.advice.map { Text(own: $0) })
        }
    }

    /// Everything that a hold would remove.
    private var removal: [Block] {
        let rows = wording.removal
        guard !rows.isEmpty else { return [] }
        return [
            .card(
                .danger, title: Text(own: UpdateWording.removalHeading),
                text: Text(rows.count, "thing", plural: "things") + " of this vault would be gone: see the list."),
            .group(
                title: "Would be removed",
                rows.enumerated().map { index, text in
                    Row(
                        id: "removed-\(index + 1)", picture: .icon(.remove), title: Text(own: text),
                        marks: [Row.Mark(severity: .danger, icon: .danger, text: "removed")])
                }),
        ]
    }

    private var notices: [Block] {
        wording.notices.map { .card(.notice, title: "About this update", text: Text(own: $0)) }
    }
}

extension Row.Mark {
    fileprivate static let newVerifier = Row.Mark(severity: .warning, icon: .warning, text: "new verifier")
}
