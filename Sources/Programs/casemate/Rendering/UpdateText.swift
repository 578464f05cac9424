import Console
import Signer
import Substrate
import TextForms

/// What an update would do, for people: who vouches for it, what is new field by field, and what would be removed.
enum UpdateText {
    static func paragraphs(_ preview: UpdatePreview) -> [Paragraph] {
        [.heading(title(preview)), voucher(preview.voucher)] + content(preview) + notices(preview)
            + removal(preview.removal)
    }

    private static func title(_ preview: UpdatePreview) -> String {
        switch preview.content {
        case .network(let specs):
            preview.isNewNetwork
                ? "A new network: \(shown(specs.title))" : "A change of the network \(shown(specs.title))"
        case .metadata(let facts): "Metadata \(ForeignName.shown(facts.name))\(facts.version)"
        case .types: "Types of old networks"
        }
    }

    private static func shown(_ text: String) -> String { ForeignName.shown(text, as: .title) }

    static func line(_ label: String, _ pieces: [Paragraph.Piece]) -> Paragraph {
        Paragraph(
            hanging: 16,
            [.words("  " + label.padding(toLength: 14, withPad: " ", startingAt: 0), .dim)] + pieces)
    }

    private static func voucher(_ voucher: UpdatePreview.Voucher) -> Paragraph {
        guard let key = voucher.key else {
            return line("signed by", [.words("nobody", .warning)])
        }
        let role: Paragraph.Piece =
            switch voucher {
            case .nobody: .words("")
            case .general: .words("the general verifier: ", .dim)
            case .newGeneral: .words("a key that becomes the general verifier by your yes: ", .warning)
            case .custom: .words("the network's own verifier: ", .dim)
            case .newCustom: .words("a key that becomes the network's own verifier by your yes: ", .warning)
            }
        return line("signed by", [role, .whole("\(key.scheme.name) \(Hex.encode(key.publicKey))")])
    }

    private static func content(_ preview: UpdatePreview) -> [Paragraph] {
        switch preview.content {
        case .network(let specs) where preview.isNewNetwork:
            return fields(of: specs).map { line($0.label, [.whole($0.value)]) }
        case .network(let specs):
            return [line("genesis", [.whole(specs.genesisHash.hex)])]
                + preview.differences.map { difference in
                    line(
                        difference.field,
                        [
                            .words(shown(difference.stored)), .words(" becomes ", .dim),
                            .words(shown(difference.new), .bold),
                        ])
                }
        case .metadata(let facts):
            return [
                line("genesis", [.whole(facts.genesisHash.hex)]),
                line("digest", [.whole(facts.hash.hex)]),
            ]
                + (preview.isPacked ? [line("sent as", [.words("lean metadata, compressed", .dim)])] : [])
                + (facts.chainHash.map { hash in
                    [
                        line("chain's hash", [.whole(hash.hex, .bold)]),
                        Paragraph(
                            indent: 16,
                            [
                                .words(
                                    "Compare it with the metadata hash that the chain's own tools give for this version.",
                                    .dim)
                            ]),
                    ]
                } ?? []) + [
                    line("newest here", [.words(facts.newestStored.map(String.init) ?? "none")])
                ]
        case .types(let hash): return [line("digest", [.whole(hash.hex)])]
        }
    }

    /// The fields of a record with what people call them, fit for a screen.
    static func fields(of specs: NetworkSpecs) -> [(label: String, value: String)] {
        [
            ("name", shown(specs.name)), ("genesis", specs.genesisHash.hex), ("signatures", specs.scheme.name),
            ("prefix", "\(specs.base58Prefix)"), ("token", "\(shown(specs.unit)), \(specs.decimals) decimals"),
            ("default path", shown(specs.pathID)), ("colors", "\(shown(specs.color)), \(shown(specs.secondaryColor))"),
            ("logo", shown(specs.logo)),
        ]
    }

    private static func notices(_ preview: UpdatePreview) -> [Paragraph] {
        preview.notices.map { notice in
            let text =
                switch notice {
                case "NewCustomVerifier":
                    "The network will follow this key alone: not the general verifier, and nobody else."
                case "OlderMetadata": "This vault has newer metadata of this network already."
                default: notice
                }
            return Paragraph(indent: 2, hanging: 2, [.words(text, .warning)])
        }
    }

    /// What would be removed first.
    private static func removal(_ removal: UpdatePreview.Removal) -> [Paragraph] {
        guard !removal.isEmpty else { return [] }
        let rows =
            removal.networks.map { "network \(shown($0))" } + removal.metadata.map { "metadata \(shown($0))" }
            + (removal.types ? ["the types of old networks"] : [])
        return [.blank, .heading("Removed first, because nobody vouched for it")]
            + rows.map { Paragraph(indent: 2, [.words($0, .danger)]) }
    }
}

/// An update for machines.
struct UpdateJSON: Encodable {
    struct Difference: Encodable {
        var field: String
        var stored: String
        var new: String
    }

    struct Removal: Encodable {
        var networks: [String]
        var metadata: [String]
        var types: Bool
    }

    var kind: String
    /// Who signed: `nobody`, `general`, `newGeneral`, `custom`, `newCustom`.
    var voucher: String
    /// The scheme and the public key that signed.
    var signer: String?
    /// The name of the network or metadata.
    var name: String?
    var version: UInt32?
    var genesisHash: String?
    /// BLAKE2b-256 of metadata or types.
    var digest: String?
    /// Whether metadata came compressed.
    var isPacked: Bool
    /// The metadata hash of the chain (RFC-0078), of metadata that came compressed.
    var chainHash: String?
    var isNewNetwork: Bool
    var differences: [Difference]
    var removal: Removal
    var notices: [String]

    init(_ preview: UpdatePreview) {
        isPacked = preview.isPacked
        switch preview.content {
        case .network(let specs):
            kind = "add_specs"
            name = specs.name
            genesisHash = specs.genesisHash.hex
        case .metadata(let facts):
            kind = "load_metadata"
            (name, version, genesisHash, digest) = (facts.name, facts.version, facts.genesisHash.hex, facts.hash.hex)
            chainHash = facts.chainHash?.hex
        case .types(let hash):
            kind = "load_types"
            digest = hash.hex
        }
        voucher =
            switch preview.voucher {
            case .nobody: "nobody"
            case .general: "general"
            case .newGeneral: "newGeneral"
            case .custom: "custom"
            case .newCustom: "newCustom"
            }
        signer = preview.voucher.key.map { "\($0.scheme.name) \(Hex.encode($0.publicKey))" }
        isNewNetwork = preview.isNewNetwork
        differences = preview.differences.map { Difference(field: $0.field, stored: $0.stored, new: $0.new) }
        removal = Removal(
            networks: preview.removal.networks, metadata: preview.removal.metadata, types: preview.removal.types)
        notices = preview.notices
    }
}
