import Identicons
import Navigator
import SignerCore

/// Networks, verifiers, metadata and types.
extension Pages {
    func manageNetworks(_ data: ManageNetworksData) -> Content {
        var body: [Block] = []
        if data.networks.isEmpty {
            body.append(.empty(.network, title: "No networks", text: "Scan the codes of one to add it."))
        } else {
            body.append(
                .group(
                    title: "In the order of lists",
                    data.networks.map { network in
                        Row(
                            id: "network-\(network.key)", picture: .icon(.network), title: Text(name: network.title),
                            detail: "logo \(network.logo)", press: .send(.goForward, .text(network.key)))
                    }))
        }
        if !data.absent.isEmpty {
            body.append(.group(title: "Not here, and not forgotten", data.absent.map(row)))
        }
        body.append(
            .group(
                title: "In files",
                [
                    .link(
                        "metadata-files", .document, title: "Metadata and proofs",
                        value: "looked at, verified and made; nothing is taken in", does: .openMetadataFiles)
                ]))
        return Content(menu: menu("Types of old networks"), body: body)
    }

    /// A network that is pinned to its verifier, or blocked.
    private func row(of absent: ManageNetworksData.Absent) -> Row {
        let isBlocked = absent.trust == "blocked"
        return Row(
            id: "absent-\(absent.genesis)", picture: .icon(isBlocked ? .refused : .locked),
            title: isBlocked
                ? "Blocked" : "Pinned to " + (absent.verifier?.publicKey == nil ? "its trust" : "its verifier"),
            value: "genesis " + Text(hex: absent.genesis),
            detail: absent.verifier?.publicKey.map { "verifier " + Text(hex: $0) } ?? trust(absent.trust),
            marks: [
                isBlocked
                    ? Row.Mark(severity: .refusal, icon: .refused, text: "blocked")
                    : Row.Mark(severity: .notice, icon: .locked, text: "pinned")
            ], emphasis: .title)
    }

    /// Whom a network follows, in words.
    private func trust(_ name: String) -> Text {
        switch name {
        case "general": "follows the general verifier"
        case "custom": "follows a verifier of its own"
        case "none": "follows nobody"
        case "blocked": "blocked: nothing is taken for it"
        default: Text(own: name)
        }
    }

    func networkDetails(_ data: NetworkDetailsData) -> Content {
        let facts: [Row] = [
            .fact("title", "Title", is: "\(data.network.title)"),
            .fact("name", "Name", is: "\(data.name, as: .identifier)"),
            .fact("logo", "Logo", is: "\(data.network.logo)"),
            .fact("order", "Place in lists", is: "\((data.network.order ?? 0) + 1)"),
            .fact("prefix", "Prefix of addresses", is: "\(data.base58Prefix)"),
            .fact("unit", "Token", is: "\(data.unit, as: .identifier), \(data.decimals) decimals"),
            .fact("scheme", "Signatures", is: Text(own: data.scheme)),
            .fact("genesis", "Genesis", is: Text(hex: data.genesis)),
            .fact("path", "Default path", is: Text(name: data.pathID, as: .title, .monospaced)),
            .fact("colors", "Colors", is: names(data.colors)),
        ]
        var body: [Block] = [
            .group(title: nil, facts),
            .group(
                title: "Whom it follows",
                [
                    .fact("trust", "Trust", is: trust(data.trust)),
                    .verifier("verifier", "Verifier", of: data.verifier),
                ]),
        ]
        body.append(
            data.metadata.isEmpty
                ? .card(
                    .warning, title: "No metadata", text: "Nothing of this network can be read before some are scanned."
                )
                : .group(title: "Metadata, the newest first", data.metadata.map(row)))
        return Content(menu: menu("What can be done with this network"), body: body)
    }

    private func row(of metadata: MetadataData) -> Row {
        Row(
            id: "metadata-\(metadata.version)", picture: .identicon(Identicon(ofHex: metadata.hash)),
            title: "\(metadata.name, as: .identifier)" + " \(metadata.version)", value: Text(hex: metadata.hash),
            press: .send(.manageMetadata, .text("\(metadata.version)")), emphasis: .title)
    }

    func verifier(_ data: VerifierData) -> Content {
        Content(
            body: [
                .text("Updates of every network without a verifier of its own are taken by this key's word."),
                .group(title: nil, [.verifier("verifier", "General verifier", of: data)]),
                .fold(
                    title: "Forget it",
                    [
                        .card(
                            .danger, title: "Everything goes with it",
                            text: "All seeds, keys and networks are removed, because they came under it."),
                        .buttons([
                            Control(
                                "forget", label: "Forget the general verifier", icon: .wipe, style: .destructive,
                                does: .send(.forgetGeneralVerifier),
                                obstacle: data.publicKey == nil ? "There is none." : nil)
                        ]),
                    ]),
            ])
    }

    // MARK: Over them

    func networkDetailsMenu(_ screen: ScreenData) -> Page.Sheet {
        var title: Text = "Network"
        if case .networkDetails(let data) = screen { title = "\(data.network.title)" }
        return Page.Sheet(
            title: title,
            body: [
                .group(
                    title: nil,
                    [
                        Row(
                            id: "sign-specs", picture: .icon(.verifier), title: "Sign it for other vaults",
                            value: "as whoever publishes it", press: .send(.signNetworkSpecs), emphasis: .title)
                    ]),
                .fold(
                    title: "Remove it",
                    [
                        .text("Its keys leave it. Only its verifier, or the general one, can bring it back."),
                        .buttons([
                            destroying("remove", "Remove the network", typed: "REMOVE", does: .send(.removeNetwork))
                        ]),
                    ]),
                .fold(
                    title: "Block it",
                    [
                        .text("It is removed, and nothing is taken for it any more, whoever signs."),
                        .buttons([
                            Control(
                                "block", label: "Block the network", icon: .refused, style: .destructive,
                                does: .send(.blockNetwork))
                        ]),
                    ]),
            ], close: closing)
    }

    func manageMetadata(_ data: MetadataData) -> Page.Sheet {
        Page.Sheet(
            title: "Metadata " + "\(data.name, as: .identifier)" + " \(data.version)",
            body: [
                .group(
                    title: nil,
                    [
                        Row(
                            id: "hash", picture: .identicon(Identicon(ofHex: data.hash)), title: "Digest",
                            value: Text(hex: data.hash)),
                        .fact("networks", "Used by", is: names(data.networks)),
                    ])
            ],
            bar: [
                Control("sign", label: "Sign for other vaults", icon: .verifier, does: .send(.signMetadata)),
                destroying("remove", "Remove", typed: "REMOVE", does: .send(.removeMetadata)),
            ], close: closing)
    }

    func typesInfo(_ data: TypesData) -> Page.Sheet {
        guard let hash = data.hash else {
            return Page.Sheet(
                title: "Types of old networks",
                body: [.empty(.document, title: "None", text: "Networks of today need none.")], close: closing)
        }
        return Page.Sheet(
            title: "Types of old networks",
            body: [
                .group(
                    title: nil,
                    [
                        Row(
                            id: "hash", picture: .identicon(Identicon(ofHex: hash)), title: "Digest",
                            value: Text(hex: hash))
                    ])
            ],
            bar: [
                Control("sign", label: "Sign for other vaults", icon: .verifier, does: .send(.signTypes)),
                destroying("remove", "Remove", typed: "REMOVE", does: .send(.removeTypes)),
            ], close: closing)
    }
}
