import Airgap
import ArgumentParser
import Console
import Files
import InstalledSigner
import Signer
import SignerCore
import Substrate
import TextForms

extension Network {
    struct Sign: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign",
            abstract: "Sign a network, metadata or types for other vaults.",
            discussion: """
                Signs what this vault holds, or what a payload brings: also one that this vault would refuse, and \
                nothing of it is stored. Other vaults then take it by the word of your key. The answer is a QR code \
                for the connected machine that makes updates; --update writes the whole signed update, ready to be \
                shown as a film. A key whose secret may have left the vault signs only behind the end of its address.

                  casemate network sign kusama --with 5Grw…                     its record
                  casemate network sign kusama --metadata 1002000 --with 5Grw…  its metadata
                  casemate network sign --file update.bin --with 5Grw…          any update
                """)

        @Argument(help: "Name, title or genesis hash of a network that is here; without it, a payload is read.")
        var network: String?

        @Option(help: "The version of the network's metadata to sign, instead of its record.")
        var metadata: UInt32?

        @Flag(help: "Sign the types of old networks.")
        var types = false

        @Option(help: ArgumentHelp("The address of the key that signs, as 'key list' prints it.", valueName: "address"))
        var with: String

        @OptionGroup var payload: PayloadOptions
        @OptionGroup var passwords: PasswordOptions

        @Option(
            help: ArgumentHelp("Write the answer's QR code to this PNG file.", valueName: "file"), completion: .file())
        var out: String?

        @Option(
            help: ArgumentHelp("Write the whole signed update to this file.", valueName: "file"), completion: .file())
        var update: String?

        @Flag(help: "Do not ask.")
        var yes = false

        @Option(
            help: ArgumentHelp(
                "What a danger asks to be typed, for scripts: the last 5 characters of the address.",
                valueName: "text"))
        var confirm: [String] = []

        @OptionGroup var output: OutputOptions
        @OptionGroup var vault: VaultFolderOptions
        @OptionGroup var unlock: UnlockOptions

        func validate() throws {
            if network == nil, metadata != nil { throw ValidationError("Name the network of the metadata.") }
            if types, network != nil { throw ValidationError("Types belong to no network: leave out its name.") }
        }

        func run() throws {
            let bytes = network == nil && !types ? try payload.read() : nil
            var opened = try unlock.open(vault, guarding: .selfSigning)
            opened.metadataExpander = payload.pictures.expander
            let content = try content(of: bytes, in: opened)
            let signer = try key(in: opened)
            let risks = try ExposureNotices(of: [signer], among: opened.keyRows()).text
            if !risks.isEmpty { StandardError.write(String(risks.dropFirst()) + "\n") }
            let dangers = try opened.dangers(ofVouchingWith: signer, shownAs: with)
            if yes {
                let open = dangers.missing(from: confirm)
                guard open.isEmpty else { throw Failure.dangerNotConfirmed(open.map(\.rule.rawValue)) }
            } else {
                let shown = try PublishedText.paragraphs(opened.expanded(content), in: opened)
                _ = try opened.whileWaiting {
                    try Question.confirm(
                        "Sign this for other vaults with \(with)?", below: shown, dangers: dangers, given: confirm)
                }
            }
            // What cannot be handed over is not signed and logged.
            let places = try [out, update].map { path in try path.map { try PreparedFile(for: FilePath($0)) } }
            if out == nil, update == nil, !output.json { try QROutput.requireRoom(for: Self.likeAnAnswer(of: signer)) }
            let password =
                signer.details.hasPassword
                ? try opened.whileWaiting {
                    try passwords.password(
                        prompt:
                            "Password of \(ForeignName.shown(signer.details.seedName + signer.details.path, as: .title))"
                    )
                } : nil
            try NetworkGate.check(.selfSigning, in: opened)
            let crypto = try opened.vouch(for: content, with: signer.signer, password: password)
            try publish(crypto, content, picture: places[0], file: places[1])
        }

        private func content(of bytes: [UInt8]?, in opened: Vault) throws -> UpdatePayload.Content {
            if types { return try opened.content(of: .types) }
            if let network {
                let specs = try opened.network(named: network)
                return try opened.content(
                    of: metadata.map { .metadata(name: specs.name, version: $0) } ?? .network(specs.key))
            }
            guard let bytes, case .update(let update) = try Payload(bytes) else { throw Failure.notAnUpdate }
            return update.content
        }

        private func key(in opened: Vault) throws -> StoredKey {
            // Whichever network its address is written for: a signature of an update names the key alone.
            let found = try Key.stored(with, in: opened).first { $0.network.scheme != .ethereum }
            guard let found else { throw SignerError.keyNotFound(with) }
            return found.key
        }

        private func publish(
            _ crypto: SufficientCrypto, _ content: UpdatePayload.Content, picture: PreparedFile?, file: PreparedFile?
        ) throws {
            let codes = try TransferSender.whole(crypto.scaleEncoded)
            let text = Hex.encode(crypto.scaleEncoded)
            // Signed and logged it is: what fails now is told once the rest of the answer is handed over.
            let saved = Result {
                guard let file else { return }
                try file.write(UpdatePayload.payload(content, vouchedBy: crypto))
                try file.commit()
            }
            struct Published: Encodable {
                /// The signature with its key, in hex.
                var crypto: String
                var out: String?
                var update: String?
            }
            guard !output.json else {
                let written = Result { if let picture { try QROutput.write(codes, to: picture) } }
                try output.printJSON(
                    Published(
                        crypto: text, out: written.isSuccess ? out : nil, update: saved.isSuccess ? update : nil))
                try written.get()
                return try saved.get()
            }
            print(Style.output.good("Signed.") + " Show this to the machine that makes updates:\n")
            try QROutput.handOver(codes, text: text, into: picture)
            try saved.get()
            for path in [out, update].compactMap({ $0 }) { print("Written to \(path).") }
        }
    }
}

extension Network.Sign {
    /// Codes of the size that the answer will have.
    private static func likeAnAnswer(of signer: StoredKey) throws -> TransferSender {
        let signature = [UInt8](repeating: 0, count: signer.signer.scheme.signatureByteCount)
        let crypto = SufficientCrypto(signer: signer.signer, signature: signature)
        return try TransferSender.whole(crypto?.scaleEncoded ?? [])
    }
}

extension Result {
    var isSuccess: Bool { if case .success = self { true } else { false } }
}

/// What is signed for others, for people.
private enum PublishedText {
    static func paragraphs(_ content: UpdatePayload.Content, in vault: Vault) throws -> [Paragraph] {
        switch content {
        case .specs(let specs):
            return [.heading("The network \(ForeignName.shown(specs.title, as: .title))")]
                + UpdateWording.fields(of: specs).map { line($0.label, [.whole($0.value)]) }
        case .types(let types):
            return [.heading("Types of old networks"), line("digest", [.whole(types.hash.hex)])]
        case .packedMetadata: throw RefusedPayload.metadataNotExpanded
        case .metadata(let blob, let genesis):
            let metadata = try ChainMetadata(blob)
            return [
                .heading("Metadata \(ForeignName.shown(metadata.specName))\(metadata.specVersion)"),
                line("genesis", [.whole(genesis.hex)]), line("digest", [.whole(metadata.blobHash.hex)]),
            ] + (try changes(of: metadata, in: vault))
        }
    }

    private static func line(_ label: String, _ pieces: [Paragraph.Piece]) -> Paragraph {
        UpdateText.line(label, pieces)
    }

    /// What differs from the metadata of that name that are here.
    private static func changes(of metadata: ChainMetadata, in vault: Vault) throws -> [Paragraph] {
        guard let comparison = try HeldComparison(of: metadata, in: vault) else {
            return [line("compared", [.words("with nothing: none of this name are here", .warning)])]
        }
        let held = "\(ForeignName.shown(metadata.specName))\(comparison.version)"
        var lines: [Paragraph] = []
        if let digest = comparison.otherDigest {
            let words = "\(held) is here with another digest:"
            lines.append(line("here", [.words(words, .warning), .words(" "), .whole(digest)]))
        }
        guard comparison.isReadable else {
            return lines + [line("compared", [.words("not: calls cannot be compared with \(held)", .warning)])]
        }
        guard !comparison.isSame else {
            return lines + [line("compared", [.words("calls, arguments and all their types are those of \(held)")])]
        }
        lines.append(line("compared", [.words("with \(held), what differs:")]))
        return lines + differences(comparison).map { Paragraph(indent: 16, [.words($0)]) }
    }

    private static func differences(_ comparison: HeldComparison) -> [String] {
        var words = comparison.pallets.map { pallet in
            let name = ForeignName.shown(pallet.name)
            return switch pallet.kind {
            case "added": "\(name) is new"
            case "removed": "\(name) is gone"
            default: pallet.calls.isEmpty ? "\(name) has another number" : "\(name): \(names(pallet.calls))"
            }
        }
        if !comparison.extensions.isEmpty { words.append("extensions: \(names(comparison.extensions))") }
        if !comparison.types.isEmpty {
            let further = comparison.furtherTypes > 0 ? " and \(comparison.furtherTypes) more" : ""
            words.append("the same by name, others inside: \(names(comparison.types, as: .title))\(further)")
        }
        return words
    }

    private static func names(_ names: [String], as form: ForeignName.Form = .identifier) -> String {
        names.map { ForeignName.shown($0, as: form) }.joined(separator: ", ")
    }
}
