import Substrate
import TextForms

/// What an update would do, in words: who vouches for it, what is new field by field, and what would be removed.
package struct UpdateWording: Sendable {
    /// Something with what it is called.
    package struct Line: Hashable, Sendable {
        package var label: String
        package var parts: [SaidPart]
        /// What to do with it.
        package var advice: String?

        package init(_ label: String, _ parts: [SaidPart], advice: String? = nil) {
            (self.label, self.parts, self.advice) = (label, parts, advice)
        }
    }

    package let preview: UpdatePreview

    package init(_ preview: UpdatePreview) { self.preview = preview }

    private static func shown(_ text: String) -> String { ForeignName.shown(text, as: .title) }

    package var title: String {
        switch preview.content {
        case .network(let specs):
            preview.isNewNetwork
                ? "A new network: \(Self.shown(specs.title))" : "A change of the network \(Self.shown(specs.title))"
        case .metadata(let facts): "Metadata \(ForeignName.shown(facts.name))\(facts.version)"
        case .types: "Types of old networks"
        }
    }

    /// Who signed it, by their whole key, and what they are to the vault.
    package var voucher: Line {
        guard let key = preview.voucher.key else { return Line("signed by", [.words("nobody", .warning)]) }
        let role: SaidPart =
            switch preview.voucher {
            case .nobody: .words("")
            case .general: .words("the general verifier: ", .dim)
            case .newGeneral: .words("a key that becomes the general verifier by your yes: ", .warning)
            case .custom: .words("the network's own verifier: ", .dim)
            case .newCustom: .words("a key that becomes the network's own verifier by your yes: ", .warning)
            }
        return Line("signed by", [role, .whole("\(key.scheme.name) \(Hex.encode(key.publicKey))")])
    }

    /// What is new, and what differs from what is stored.
    package var content: [Line] {
        switch preview.content {
        case .network(let specs) where preview.isNewNetwork:
            return Self.fields(of: specs).map { Line($0.label, [.whole($0.value)]) }
        case .network(let specs):
            return [Line("genesis", [.whole(specs.genesisHash.hex)])]
                + preview.differences.map { difference in
                    Line(
                        difference.field,
                        [
                            .words(Self.shown(difference.stored)), .words(" becomes ", .dim),
                            .words(Self.shown(difference.new), .bold),
                        ])
                }
        case .metadata(let facts): return lines(of: facts)
        case .types(let hash): return [Line("digest", [.whole(hash.hex)])]
        }
    }

    private func lines(of facts: UpdatePreview.MetadataFacts) -> [Line] {
        var lines = [
            Line("genesis", [.whole(facts.genesisHash.hex)]), Line("digest", [.whole(facts.hash.hex)]),
        ]
        if preview.isPacked { lines.append(Line("sent as", [.words("lean metadata, compressed", .dim)])) }
        if let hash = facts.chainHash {
            lines.append(
                Line(
                    "chain's hash", [.whole(hash.hex, .bold)],
                    advice: "Compare it with the metadata hash that the chain's own tools give for this version."))
        }
        return lines + [Line("newest here", [.words(facts.newestStored.map(String.init) ?? "none")])]
    }

    /// The fields of a record with what people call them, fit for a screen.
    package static func fields(of specs: NetworkSpecs) -> [(label: String, value: String)] {
        [
            ("name", shown(specs.name)), ("genesis", specs.genesisHash.hex), ("signatures", specs.scheme.name),
            ("prefix", "\(specs.base58Prefix)"), ("token", "\(shown(specs.unit)), \(specs.decimals) decimals"),
            ("default path", shown(specs.pathID)), ("colors", "\(shown(specs.color)), \(shown(specs.secondaryColor))"),
            ("logo", shown(specs.logo)),
        ]
    }

    /// What is shown beside it, and not logged.
    package var notices: [String] {
        preview.notices.map { notice in
            switch notice {
            case "NewCustomVerifier":
                "The network will follow this key alone: not the general verifier, and nobody else."
            case "OlderMetadata": "This vault has newer metadata of this network already."
            default: notice
            }
        }
    }

    /// What would be removed first; empty where nothing would.
    package var removal: [String] {
        let removal = preview.removal
        return removal.networks.map { "network \(Self.shown($0))" }
            + removal.metadata.map { "metadata \(Self.shown($0))" }
            + (removal.types ? ["the types of old networks"] : [])
    }

    /// Stands above what would be removed.
    package static let removalHeading = "Removed first, because its verifier changes"
}
