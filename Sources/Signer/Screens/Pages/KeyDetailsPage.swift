import Identicons
import Navigator
import Signer
import SignerCore

/// One key with its code.
extension Pages {
    func keyDetails(_ data: KeyDetailsData) -> Content {
        Content(menu: menu("What can be done with this key"), body: blocks(of: data))
    }

    func keyDetailsMulti(_ data: KeyDetailsData) -> Content {
        let place = data.current.map { "Key \($0) of \(data.count ?? $0)" as Text }
        return Content(
            title: place, body: blocks(of: data),
            bar: [
                Control("previous", label: "Previous", icon: .previous, does: .send(.previousUnit)),
                Control("next", label: "Next", icon: .next, style: .suggested, does: .send(.nextUnit)),
            ])
    }

    private func blocks(of data: KeyDetailsData) -> [Block] {
        let key = data.key
        return exposure(of: key, seed: data.seed) + [
            .code(CodePicture(.open(data.code), label: "Code of the address of " + Text(path: key.path))),
            .group(
                title: nil,
                [
                    Row(
                        id: "address", picture: .identicon(Identicon(of: key)), title: "Address",
                        value: Text(address: key.address), marks: marks(of: key)),
                    .fact("public-key", "Public key", is: Text(hex: key.publicKey)),
                    .fact("path", "Path", is: Text(path: key.path)),
                    .fact("seed", "Key set", is: "\(data.seed)"),
                    .fact("network", "Network of this address", is: "\(data.network.title)"),
                    .fact("networks", "Enabled in", is: names(data.networks)),
                    .fact("scheme", "Signatures", is: Text(own: data.scheme)),
                    .fact(
                        "exposure", "Secret",
                        is: key.isExposed
                            ? "may have left the vault" : key.isSoftParentAtRisk ? "at risk" : "never left the vault"),
                ]),
        ]
    }

    private func exposure(of key: KeyCard, seed: String) -> [Block] {
        let name = ExposureWording.name(seed: seed, path: key.path)
        var blocks: [Block] = []
        if key.isExposed {
            blocks.append(.card(.danger, title: "Exposed", text: sentence(ExposureWording.exposed(name))))
        }
        if key.isSoftParentAtRisk {
            blocks.append(.card(.warning, title: "At risk", text: sentence(ExposureWording.atRisk(name))))
        }
        return blocks
    }

    private func sentence(_ words: String) -> Text { Text(own: words.prefix(1).uppercased() + words.dropFirst()) }

    /// Names with commas between.
    func names(_ names: [String]) -> Text {
        guard let first = names.first else { return "none" }
        return names.dropFirst().reduce(Text(name: first)) { $0 + ", " + Text(name: $1) }
    }

    // MARK: Over it

    func keyDetailsAction(_ screen: ScreenData) -> Page.Sheet {
        guard case .keyDetails(let data) = screen else { return Page.Sheet(title: "Key", close: closing) }
        let password = Field(
            "password", label: "Password of " + Text(path: data.key.path), kind: .secret(.password))
        let call = CoreCall(
            .exportSecret, secret: data.key.hasPassword ? password.id : nil, credential: credentialField.id)
        return Page.Sheet(
            title: Text(path: data.key.path),
            body: [
                .fold(
                    title: "Forget this key",
                    [
                        .text("It leaves this network. Its path gives it back at any time."),
                        .buttons([destroying("remove", "Forget this key", typed: "FORGET", does: .send(.removeKey))]),
                    ]),
                .fold(
                    title: "Show its secret",
                    [
                        .card(
                            .danger, title: "It counts as exposed from then on",
                            text: "Who sees the code has the key. "
                                + Text(
                                    own: ExposureWording.goesWith(data.givesAway, givesParent: data.givesParent))),
                        .field(credentialField),
                    ] + (data.key.hasPassword ? [.field(password)] : []) + [
                        .buttons([
                            destroying(
                                "export-secret", "Show the secret", icon: .exposed, typed: "EXPOSE",
                                does: .core([call]))
                        ])
                    ]),
            ], close: closing)
    }

    func exportSecret(_ data: ExportSecretData) -> Page.Sheet {
        Page.Sheet(
            title: "Secret of " + Text(path: data.key.path),
            body: seenByOthers + [
                .card(.danger, title: "Exposed", text: "Who sees this code has the key, for ever."),
                .code(
                    CodePicture(
                        .secret(data.secret), label: "Code of the secret of " + Text(path: data.key.path),
                        givesKey: true)),
                .group(
                    title: nil,
                    [
                        Row(
                            id: "address", picture: .identicon(Identicon(of: data.key)), title: "Address",
                            value: Text(address: data.key.address), marks: marks(of: data.key)),
                        .fact("network", "Network", is: "\(data.network.title)"),
                    ]),
            ], close: closing)
    }
}
