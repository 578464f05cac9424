import Identicons
import Navigator
import SignerCore
import TextForms

/// Files of metadata, and proofs of them, to be looked at.
extension Pages {
    func metadataFiles(_ data: MetadataFilesData) -> Content {
        var body: [Block] = []
        if let proof = data.proof { body += blocks(of: proof) }
        if let metadata = data.metadata {
            body += blocks(of: metadata) + hash(data) + [pallets(of: metadata), proving, lean]
        } else if data.proof == nil {
            body.append(
                .empty(
                    .document, title: "Nothing is open",
                    text: "Files are looked at here, and nothing of them is taken in: updates are scanned."))
        }
        return Content(
            body: body,
            bar: [
                Control(
                    "open-metadata", label: "Open metadata", icon: .document, style: .suggested,
                    does: .window(.openMetadata)),
                Control("open-proof", label: "Open a proof", icon: .verifier, does: .window(.openProof)),
            ])
    }

    private func blocks(of metadata: MetadataSummary) -> [Block] {
        var facts: [Row] = [
            .fact("name", "Name", is: "\(metadata.name, as: .identifier) \(metadata.version)"),
            .fact("format", "Version of the form", is: "\(metadata.formatVersion)"),
            .fact("transaction-version", "Version of transactions", is: "\(metadata.transactionVersion)"),
            .fact("prefix", "Prefix of addresses", is: metadata.prefix.map { "\($0)" } ?? "not stated"),
            .fact("size", "Size", is: Text(metadata.bytes, "byte", plural: "bytes")),
        ]
        if let types = metadata.types { facts.append(.fact("types", "Types", is: "\(types)")) }
        facts += [
            Row(
                id: "hash", picture: .identicon(Identicon(ofHex: metadata.hash)), title: "Digest",
                value: Text(hex: metadata.hash)),
            .fact("extensions", "Extensions", is: identifiers(metadata.extensions)),
        ]
        let missing: [Block] =
            metadata.extensionsIncomplete
            ? [
                .card(
                    .warning, title: "Extensions are missing",
                    text: "A transaction's safety rests on some that these metadata do not have.")
            ] : []
        return [.group(title: "Metadata", facts)] + missing
    }

    private func identifiers(_ names: [String]) -> Text {
        guard let first = names.first else { return "none" }
        return names.dropFirst().reduce("\(first, as: .identifier)") { $0 + ", \($1, as: .identifier)" }
    }

    private func hash(_ data: MetadataFilesData) -> [Block] {
        var body: [Block] = []
        if let hash = data.hash {
            body.append(
                .group(
                    title: "Metadata hash, which the chain checks",
                    [
                        .fact("metadata-hash", "Metadata hash", is: Text(hex: hash.hash)),
                        .fact("token", "Of", is: text(of: hash.extraInfo)),
                        .fact("leaves", "Leaves", is: "\(hash.leaves)"),
                        .fact("root", "Root of the types", is: Text(hex: hash.typesTreeRoot)),
                        .fact("extrinsic", "Extrinsic", is: Text(hex: hash.extrinsicMetadataHash)),
                    ]))
            if hash.isDoubtful {
                body.append(.card(.warning, title: "Perhaps another", text: Text(own: MetadataHash.doubt + ".")))
            }
        }
        if let problem = data.hashProblem {
            body.append(.card(.notice, title: "No metadata hash", text: failureText(problem)))
        }
        return body + [otherToken]
    }

    private func text(of token: MetadataHash.Token) -> Text {
        "\(token.specName, as: .identifier) \(token.specVersion), prefix \(token.prefix), \(token.decimals) decimals, token \(token.unit, as: .identifier)"
    }

    private var otherToken: Block {
        let compute = Message.send(
            .goForward, .object(["decimals": "decimals", "unit": "unit", "prefix": "address-prefix"]))
        return .fold(
            title: "For another token",
            [
                .field(
                    Field(
                        "decimals", label: "Decimals", kind: .text(""), hint: "What is left empty is what is known.",
                        enter: compute)),
                .field(Field("unit", label: "Symbol", kind: .text(""), enter: compute)),
                .field(Field("address-prefix", label: "Prefix of addresses", kind: .text(""), enter: compute)),
                .buttons([Control("compute", label: "Compute the hash", icon: .check, does: compute)]),
            ])
    }

    private func pallets(of metadata: MetadataSummary) -> Block {
        .fold(
            title: Text(metadata.pallets.count, "pallet", plural: "pallets"),
            [
                .group(
                    title: nil,
                    metadata.pallets.map { pallet in
                        .fact(
                            "pallet-\(pallet.index)", "\(pallet.index) " + "\(pallet.name, as: .identifier)",
                            is: pallet.calls.map { Text($0, "call", plural: "calls") } ?? "no calls")
                    })
            ])
    }

    private var proving: Block {
        .fold(
            title: "Prove a transaction",
            [
                .text(
                    "The proof describes the types that one transaction uses, so that a signer without metadata can show it."
                ),
                .field(
                    Field(
                        "payload", label: "Payload as hexadecimal digits", kind: .text(""), hint: "Or open its file.")),
                .buttons([
                    Control("prove", label: "Make the proof", icon: .check, does: .core([typedPayload])),
                    Control("open-payload", label: "Open a file", icon: .document, does: .window(.openPayload)),
                ]),
            ])
    }

    private var lean: Block {
        .fold(
            title: "Without documentation",
            [
                .text("Every call decodes to the same cards, and the metadata hash stays; the digest is another one."),
                .buttons([Control("lean", label: "Make them lean", icon: .check, does: .send(.makeLean))]),
            ])
    }

    private func verdict(on proof: CheckedProof) -> Block {
        if let wanted = proof.differs {
            return .card(
                .danger, title: "Not of the hash that you gave",
                text: "The proof amounts to the metadata hash " + Text(hex: proof.hash) + ", you gave "
                    + Text(hex: wanted) + ".")
        }
        if proof.comparedGiven {
            return .card(
                .good, title: "True of the hash that you gave", text: "The proof amounts to this metadata hash.")
        }
        if proof.compared {
            return .card(
                .good, title: "True of these metadata",
                text: "The proof amounts to their metadata hash. Nothing says here whose they are.")
        }
        if proof.comparedTypes {
            return .card(
                .notice, title: "Types of these metadata",
                text: "Decimals and unit are the proof's own word. Say the token's above, or compare its metadata hash."
            )
        }
        return .card(
            .notice, title: "It hangs together",
            text: "Nothing is said yet of which chain: compare its metadata hash, or open metadata first.")
    }

    private func blocks(of proof: CheckedProof) -> [Block] {
        let compare = Message.send(.compareHash, .field("wanted"))
        return [
            verdict(on: proof),
            .group(
                title: "Proof",
                [
                    .fact("proof-hash", "Metadata hash", is: Text(hex: proof.hash)),
                    .fact("proof-token", "Of", is: text(of: proof.extraInfo)),
                    .fact(
                        "proof-size", "Proof",
                        is: Text(proof.bytes, "byte", plural: "bytes") + ", "
                            + Text(proof.leaves, "leaf", plural: "leaves") + ", "
                            + Text(proof.nodes, "node", plural: "nodes")),
                    .fact("proof-root", "Root of the types", is: Text(hex: proof.typesTreeRoot)),
                    .fact("proof-extensions", "Extensions", is: identifiers(proof.extensions)),
                ]),
            .fold(
                title: "Compare with a metadata hash",
                [
                    .field(
                        Field("wanted", label: "Metadata hash", kind: .text(""), hint: "64 hex digits.", enter: compare)
                    ),
                    .buttons([Control("compare", label: "Compare", icon: .check, does: compare)]),
                ]),
        ]
    }

    // MARK: Over it

    func madeFile(_ data: MadeFileData) -> Page.Sheet {
        switch data.kind {
        case .proof(let proof):
            Page.Sheet(
                title: "Proof",
                body: (data.code.map {
                    [.code(CodePicture(.open($0), label: "Moving code of the transaction with its proof"))]
                } ?? []) + [
                    .group(
                        title: nil,
                        [
                            .fact("made-hash", "Metadata hash", is: Text(hex: proof.hash)),
                            .fact(
                                "made-size", "Proof",
                                is: Text(proof.bytes, "byte", plural: "bytes") + ", "
                                    + Text(proof.leaves, "leaf", plural: "leaves") + ", "
                                    + Text(proof.nodes, "node", plural: "nodes")),
                        ])
                ],
                bar: [saving("save", label: "Save the proof", name: "proof.bin", data.content)]
                    + (data.payload.map { [saving("save-payload", label: "Save the payload", name: "payload.bin", $0)] }
                        ?? []),
                close: closing)
        case .lean(let before, let hash):
            Page.Sheet(
                title: "Lean metadata",
                body: [
                    .group(
                        title: nil,
                        [
                            .fact("before", "Before", is: Text(before, "byte", plural: "bytes")),
                            .fact("made-size", "Lean", is: Text(data.content.count, "byte", plural: "bytes")),
                            Row(
                                id: "made-digest", picture: .identicon(Identicon(ofHex: hash)), title: "Digest",
                                value: Text(hex: hash)),
                        ])
                ], bar: [saving("save", label: "Save them", name: "lean.scale", data.content)], close: closing)
        }
    }

    private func saving(_ id: String, label: Text, name: String, _ bytes: [UInt8]) -> Control {
        Control(
            id, label: label, icon: .document, style: id == "save" ? .suggested : .plain,
            does: .window(.save(FileContent(name: name, bytes: bytes))))
    }
}
