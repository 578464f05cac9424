import Identicons
import Navigator
import SignerCore
import TextForms

/// Signing content for other vaults.
extension Pages {
    func signContent(_ data: SignContentData) -> Content {
        var body: [Block] = [
            .headline(Text(title: data.content), caption: "to be signed for other vaults")
        ]
        if let refused = data.refused { body += blocks(of: refused) }
        body.append(
            .text("Who trusts the key takes it by your word. Choose the key, and hold its button."))
        body.append(
            data.keys.isEmpty
                ? .empty(
                    .keys, title: "No key can sign this", text: "Make one first; keys of Ethereum networks cannot.")
                : .group(title: "Keys", data.keys.map(row)))
        return Content(title: "Publish", body: body)
    }

    private func row(of key: SignContentData.Key) -> Row {
        var row = Row(
            id: "key-\(key.addressKey)", picture: .identicon(Identicon(ofHex: key.publicKey)),
            title: "\(key.seed) " + Text(path: key.path), value: Text(hex: key.publicKey), emphasis: .title)
        if key.hasPassword { row.marks.append(.password) }
        if key.isExposed { row.marks.append(.exposed) }
        row.choices = [
            Control(
                "sign-\(key.addressKey)", label: "Sign with \(key.seed) " + Text(path: key.path), icon: .verifier,
                press: .hold(typed: "SIGN"), does: .send(.goForward, .text(key.addressKey)))
        ]
        return row
    }

    /// What it is exactly, since nothing of it is in this vault.
    private func blocks(of content: RefusedContentData) -> [Block] {
        var rows: [Row] = [.fact("kind", "Kind", is: Text(own: content.kind))]
        if let name = content.name { rows.append(.fact("name", "Name", is: "\(name, as: .identifier)")) }
        if let version = content.version { rows.append(.fact("version", "Version", is: "\(version)")) }
        if let genesis = content.genesis { rows.append(.fact("genesis", "Genesis", is: Text(hex: genesis))) }
        var digest = Row.fact("digest", "Digest", is: Text(hex: content.hash))
        digest.picture = .identicon(Identicon(ofHex: content.hash))
        rows.append(digest)
        for (name, value) in (content.fields ?? [:]).sorted(by: { $0.key < $1.key }) {
            rows.append(.fact("field-\(name)", Text(own: name), is: Text(title: value)))
        }
        var blocks: [Block] = [
            .card(.warning, title: "This vault refused it", text: "You sign it for others all the same."),
            .group(title: "What is signed", rows),
        ]
        if content.kind == "metadata" { blocks += self.blocks(of: content.comparison) }
        return blocks
    }

    private func blocks(of comparison: HeldComparison?) -> [Block] {
        guard let comparison else { return [.text("Compared with nothing: none of this name are here.")] }
        let version = comparison.version
        var blocks: [Block] = []
        if let digest = comparison.otherDigest {
            blocks.append(
                .card(
                    .warning, title: "Version \(version) is here with another digest",
                    text: "What is here: " + Text(hex: digest)))
        }
        guard comparison.isReadable else {
            return blocks + [.text("Calls cannot be compared with version \(version), which is here.")]
        }
        guard !comparison.isSame else {
            return blocks + [
                .text("Calls, arguments and all their types are those of version \(version), which is here.")
            ]
        }
        if !comparison.pallets.isEmpty { blocks += pallets(comparison.pallets, since: version) }
        var rows: [Row] = []
        if !comparison.extensions.isEmpty {
            rows.append(
                Row(id: "extensions", title: "Transaction extensions", value: identifiers(comparison.extensions)))
        }
        if !comparison.types.isEmpty {
            let further: Text = comparison.furtherTypes > 0 ? " and \(comparison.furtherTypes) more" : ""
            rows.append(
                Row(id: "types", title: "Inside types", value: identifiers(comparison.types, as: .title) + further))
        }
        guard !rows.isEmpty else { return blocks }
        return blocks + [.group(title: "Also other than in version \(version)", rows)]
    }

    private func pallets(_ pallets: [HeldComparison.Pallet], since version: UInt32) -> [Block] {
        [
            .group(
                title: "Other than version \(version), which is here",
                pallets.enumerated().map { index, pallet in
                    Row(
                        id: "pallet-\(index + 1)", title: Text(name: pallet.name, as: .identifier),
                        value: pallet.calls.isEmpty ? Text(own: pallet.kind) : identifiers(pallet.calls),
                        marks: [Row.Mark(severity: .notice, icon: .note, text: Text(own: pallet.kind))])
                })
        ]
    }

    private func identifiers(_ names: [String], as form: ForeignName.Form = .identifier) -> Text {
        guard let first = names.first else { return "" }
        return names.dropFirst().reduce(Text(name: first, as: form)) { $0 + ", " + Text(name: $1, as: form) }
    }

    func contentReady(_ data: ContentReadyData) -> Page.Sheet {
        Page.Sheet(
            title: "Signed",
            body: [
                .code(CodePicture(.open(data.code), label: "Code of the signature")),
                .group(
                    title: nil,
                    [
                        .fact("content", "What was signed", is: Text(title: data.content)),
                        Row(
                            id: "author", picture: .identicon(Identicon(ofHex: data.author.publicKey)),
                            title: "By \(data.author.seed) " + Text(path: data.author.path),
                            value: Text(hex: data.author.publicKey)),
                    ]),
            ], bar: [Control("done", label: "Done", icon: .check, style: .suggested, does: .send(.goBack))])
    }
}
