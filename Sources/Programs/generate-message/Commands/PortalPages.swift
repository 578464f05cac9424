import Airgap
import AnimatedCodes
import ArgumentParser
import BasicFoundation
import Console
import Files
import HotSide
import QRFilms
import Substrate

struct PortalPages: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "portal",
        abstract: "Write a folder of pages that show updates as films, to be published.",
        discussion: """
            The updates are files that make and sign have written as text. All of them carry the word of one key, \
            whose signatures are verified here, or nobody's. A network whose record is not among them is taken from \
            the database. The pages need no script and no server that does more than hand out files.

              generate-message sign --msg load-metadata --payload FILE \\
                --sufficient-qr word.png --goal text
              generate-message portal site load_metadata_polkadotV1002000.txt \\
                --title "Updates of Example"
            """)

    @Argument(help: "The folder, which is made if it is missing.", completion: .directory)
    var folder: String

    @Argument(help: "Finished updates, as text or bytes.", completion: .file())
    var updates: [String]

    @Option(help: ArgumentHelp("What stands above all pages.", valueName: "text"))
    var title = "Metadata portal"

    @Option(help: ArgumentHelp("Codes a second, 1 to 60.", valueName: "number"))
    var fps = 15

    @OptionGroup var hot: HotOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !updates.isEmpty else { throw ValidationError("Name at least one finished update.") }
        guard 1...60 ~= fps else { throw ValidationError("--fps is 1 to 60.") }
    }

    func run() throws {
        let offered = try updates.map { try OfferedUpdate(file: $0) }
        let signers = Set(offered.map(\.update.signer))
        guard signers.count == 1, let signer = signers.first else { throw Failure.severalVerifiers }
        let films = URL.temporaryDirectory.appending(path: "portal-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: films, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: films) }
        let portal = Portal(title: title, verifier: signer, networks: try networks(of: offered, filmsIn: films))
        let names = try portal.write(to: FilePath(folder))
        let written = Written(folder: folder, files: names, networks: portal.networks.count)
        let networks = written.networks == 1 ? "One network" : "\(written.networks) networks"
        try output.show(written, text: "\(networks) in \(names.count) files. Open \(folder)/index.html.")
    }

    private struct Written: Encodable {
        let folder: String
        let files: [String]
        let networks: Int
    }

    /// The networks in the order in which the updates name them, each with its films.
    private func networks(of offered: [OfferedUpdate], filmsIn folder: URL) throws -> [Portal.Network] {
        var networks: [Portal.Network] = []
        var films: [(content: Portal.Content, path: FilePath)] = []
        for (number, update) in offered.enumerated() {
            let path = FilePath(folder.appending(path: "\(number).png").path)
            let sender = try TransferSender(update.bytes)
            try FilmOutput.write(
                sender, count: sender.usualCount, framesPerSecond: fps, to: PreparedFile(for: path),
                as: APNGWriter.self)
            films.append((update.content, path))
        }
        for update in offered {
            guard let genesis = update.genesisHash, !networks.contains(where: { $0.specs.genesisHash == genesis })
            else { continue }
            networks.append(
                Portal.Network(
                    specs: try specs(genesis, named: update.name?.name, among: offered), versions: [], films: []))
        }
        for (update, film) in zip(offered, films) {
            // Types belong to every network of old metadata.
            for index in networks.indices
            where update.genesisHash == nil || networks[index].specs.genesisHash == update.genesisHash {
                try update.checkName(is: networks[index].specs.name)
                networks[index].films.append(Portal.Film(film.content, file: film.path))
                if case .metadata(let version) = film.content { networks[index].versions.append(version) }
            }
        }
        return networks
    }

    /// The record of a network: of the update that brings it, else of the address book.
    private func specs(_ genesis: Hash256, named name: String?, among offered: [OfferedUpdate]) throws -> NetworkSpecs {
        for update in offered {
            if case .specs(let specs) = update.update.content, specs.genesisHash == genesis { return specs }
        }
        let side = try hot.open()
        guard let node = try side.addressBook().first(where: { $0.entry.genesisHash == genesis }) else {
            throw HotSideError.networkNotFound(name: name ?? genesis.hex)
        }
        return try side.specs(titled: node.title)
    }
}

/// A finished update that a portal shows.
private struct OfferedUpdate {
    /// As a vault reads it.
    let bytes: [UInt8]
    let update: UpdatePayload
    /// Name and version of the metadata that it brings; nil for other updates.
    let name: MetadataName?

    /// - Throws: where the file is no update, or its signature not that of its key.
    init(file: String) throws {
        let content = try InputFile.content(of: FilePath(file), limit: 2 * Payload.byteLimit + 4)
        bytes = HexInput.bytes(content)
        let payload: Payload
        do { payload = try Payload(bytes) } catch { throw Failure.notAnUpdate(path: file, reason: "\(error)") }
        guard case .update(let update) = payload else {
            throw Failure.notAnUpdate(path: file, reason: "It is another payload.")
        }
        self.update = update
        name = try UpdateFile.content(update.content.updateKind, update.content.signedBytes).name
    }

    var genesisHash: Hash256? {
        switch update.content {
        case .specs(let specs): specs.genesisHash
        case .metadata(_, let genesis), .packedMetadata(_, let genesis): genesis
        case .types: nil
        }
    }

    var content: Portal.Content {
        switch update.content {
        case .specs(let specs): .specs(specs)
        case .types: .types
        case .metadata, .packedMetadata: .metadata(version: name?.version ?? 0)
        }
    }

    func checkName(is expected: String) throws {
        guard let name, name.name != expected else { return }
        throw HotSideError.otherNetwork(expected: expected, found: name.name)
    }
}

extension UpdatePayload.Content {
    fileprivate var updateKind: UpdateKind {
        switch self {
        case .specs: .addSpecs
        case .types: .loadTypes
        case .metadata: .loadMetadata
        case .packedMetadata: .loadPackedMetadata
        }
    }
}
