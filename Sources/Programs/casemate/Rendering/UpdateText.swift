import Console
import Signer
import Substrate
import TextForms

/// What an update would do, on a terminal.
enum UpdateText {
    static func paragraphs(_ preview: UpdatePreview) -> [Paragraph] {
        let wording = UpdateWording(preview)
        return [.heading(wording.title)] + ([wording.voucher] + wording.content).flatMap(paragraphs)
            + wording.notices.map { Paragraph(indent: 2, hanging: 2, [.words($0, .warning)]) }
            + removal(wording.removal)
    }

    static func line(_ label: String, _ pieces: [Paragraph.Piece]) -> Paragraph {
        Paragraph(
            hanging: 16,
            [.words("  " + DisplayWidth.padded(label, to: 14), .dim)] + pieces)
    }

    private static func paragraphs(_ said: UpdateWording.Line) -> [Paragraph] {
        [line(said.label, PieceText.plain(said.parts))]
            + (said.advice.map { [Paragraph(indent: 16, [.words($0, .dim)])] } ?? [])
    }

    /// What would be removed first.
    private static func removal(_ rows: [String]) -> [Paragraph] {
        guard !rows.isEmpty else { return [] }
        return [.blank, .heading(UpdateWording.removalHeading)]
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
