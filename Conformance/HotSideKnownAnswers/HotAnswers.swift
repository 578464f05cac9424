import Airgap
import HotSide
import KnownAnswers
import MetadataDescriptions
import RuntimeService
import RuntimeWorker
import Substrate
import TextForms
import Zstandard

/// The known answers of `data/signer-wire/hot`.
package enum HotAnswers: AnswerList {
    private static let kinds: [(isOf: @Sendable (JSON) -> Bool, check: Check)] = [
        ({ $0.has("system_properties") }, properties), ({ $0.has("calls", "suggested_url") }, node),
        ({ $0.has("files", "show") }, files), ({ $0.has("host_calls_made", "output_file") }, runtimeFile),
    ]

    private typealias Check = @Sendable (JSON, AnswerFile, inout Report) throws -> Void

    /// Whether a file is one of these, by what is in it.
    package static func recognises(_ content: JSON) -> Bool { kinds.contains { $0.isOf(content) } }

    /// Checks a file.
    package static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        try kinds.first { $0.isOf(content) }?.check(content, file, &report)
    }

    // MARK: What nodes tell of tokens

    /// `[{system_properties, prefix_from_metadata, token_override, result or error}]`
    private static func properties(_ content: JSON, of file: AnswerFile, _ report: inout Report) throws {
        for (index, row) in content.rows.enumerated() {
            // Where the case was found.
            row.leave("origin")
            let token = row["token_override"]
            let override = token[0].int.flatMap { UInt8(exactly: $0) }.map {
                TokenProperties.Token(decimals: $0, unit: token[1].string ?? "")
            }
            let found: JSON
            do {
                let properties = try TokenProperties(
                    row["system_properties"].whole,
                    metadataPrefix: row["prefix_from_metadata"].int.flatMap { UInt16(exactly: $0) }, override: override)
                found = .array([
                    .integer(Int64(properties.base58Prefix)), .integer(Int64(properties.token.decimals)),
                    .string(properties.token.unit),
                ])
            } catch {
                found = .string(error.rawValue)
            }
            report.expect(
                "\(file.path) [\(index)]", found, equals: row["error"].isNull ? row["result"] : row["error"])
        }
    }

    // MARK: What is made of nodes' answers

    /// `{calls, expected_payloads_with_encryption_sr25519: {network_specs, add_specs_file, …}}`
    private static func node(_ content: JSON, of file: AnswerFile, _ report: inout Report) throws {
        let hot = HotSide(
            database: try HotDatabase(),
            nodes: try CapturedNode(calls: content["calls"].whole, bytesOf: file.bytes(of:)))
        let url = try NodeURL(content["suggested_url"].string ?? "")
        let expected = content["expected_payloads_with_encryption_sr25519"]
        let specs = try Waiting.value {
            try await hot.addSpecs(.direct, .url(url), overrides: NetworkOverrides(scheme: .sr25519))
        }[0]
        report.expect("\(file.path) record", specs.specs.shownJSON, equals: expected["network_specs"])
        report.expect(
            "\(file.path) add_specs_file", UpdateFile.unsignedName(specs.content),
            equals: expected["add_specs_file"].string)
        report.expect(
            "\(file.path) add_specs_file_content", Hex.encode(specs.content.signedBytes),
            equals: expected["add_specs_file_content"].string)
        let metadata = try Waiting.value { try await hot.loadMetadata(.direct, .url(url)) }[0]
        let bytes = metadata.content.signedBytes
        report.expect(
            "\(file.path) load_metadata_file", UpdateFile.unsignedName(metadata.content, named: metadata.name),
            equals: expected["load_metadata_file"].string)
        report.expect("\(file.path) bytes", bytes.count, equals: expected["load_metadata_file_bytes"].int)
        report.expect(
            "\(file.path) hash", Blake2b.hash256(bytes).hex,
            equals: expected["load_metadata_file_blake2_256"].string)
    }

    // MARK: What is made of the database

    /// `{files: [{command, file, …}], show: [{command, lines or fields}]}`
    private static func files(_ content: JSON, of file: AnswerFile, _ report: inout Report) throws {
        let hot = try filled(file)
        for row in content["files"].rows {
            let name = "\(file.path) \(row["command"].string ?? "?")"
            // How the bytes are put together, in words.
            row.leave("content", "is_")
            guard let (made, madeName) = try made(row["command"].string ?? "", by: hot) else {
                report.fail(name, because: "no check knows this command")
                continue
            }
            report.expect("\(name) file", madeName, equals: row["file"].string)
            if let other = row["equals"].string {
                report.expect("\(name) content", made, equals: try file.bytes(of: other))
            }
            if let count = row["bytes"].int { report.expect("\(name) bytes", made.count, equals: count) }
            if let count = row["text_bytes"].int {
                report.expect("\(name) text", Hex.encode(made).utf8.count, equals: count)
            }
            for member in ["blake2_256", "blake2_256_of_decoded"] {
                guard let hash = row[member].string else { continue }
                report.expect("\(name) hash", Blake2b.hash256(made).hex, equals: hash)
            }
        }
        for row in content["show"].rows {
            let name = "\(file.path) \(row["command"].string ?? "?")"
            switch row["command"].string {
            case "show metadata":
                report.expect(name, try hot.metadata().map(\.line), equals: row["lines"].strings)
            case "show networks":
                let lines = try hot.addressBookLines()
                for field in row["fields"].strings {
                    report.expect("\(name) \(field)", lines.contains { $0.contains(field) }, equals: true)
                }
            default: report.fail(name, because: "no check knows this command")
            }
        }
    }

    /// A database with the types and the metadata that the answers were made with.
    private static func filled(_ file: AnswerFile) throws -> HotSide {
        let hot = HotSide(database: try HotDatabase(), nodes: CapturedNode(calls: []))
        try hot.store(types: try file.bytes(of: "types/default_types.scale"))
        for name in ["kusama2030", "westend9000", "westend9010", "polkadot30"] {
            try hot.store(metadata: try file.bytes(of: "metadata/\(name).scale"))
        }
        return hot
    }

    private static func made(_ command: String, by hot: HotSide) throws -> ([UInt8], String)? {
        switch command {
        case "add-specs -f --name polkadot":
            let specs = try Waiting.value { try await hot.addSpecs(.fromDatabase, .name("polkadot-sr25519")) }[0]
            return (specs.content.signedBytes, UpdateFile.unsignedName(specs.content))
        case "load-types":
            let content = UpdatePayload.Content.types(try hot.types())
            return (content.signedBytes, UpdateFile.unsignedName(content))
        case "load-metadata -f -a":
            return try polkadot(hot).map {
                ($0.content.signedBytes, UpdateFile.unsignedName($0.content, named: $0.name))
            }
        case "make --msg load-metadata, unsigned":
            return try polkadot(hot).map { metadata in
                let read = try UpdateFile.content(.loadMetadata, metadata.content.signedBytes)
                let name = UpdateFile.finishedName(read.content, named: read.name, crypto: .none)
                return (try UpdateCrypto.none.payload(read.content), name + ".txt")
            }
        default: return nil
        }
    }

    private static func polkadot(_ hot: HotSide) throws -> LoadedMetadata? {
        try Waiting.value { try await hot.loadMetadata(.fromDatabase, .all) }.first { $0.name.name == "polkadot" }
    }

    // MARK: Metadata out of a runtime

    /// `{file, metadata: {spec_name, …}, output_file, output_bytes, …}`: what is said of the file that is written, and
    /// of the runtime where it lies among the known answers.
    private static func runtimeFile(_ content: JSON, of file: AnswerFile, _ report: inout Report) throws {
        let metadata = content["metadata"]
        guard let name = metadata["spec_name"].string, let count = metadata["bytes"].int,
            let version = metadata["spec_version"].int.flatMap({ UInt32(exactly: $0) })
        else { return report.fail(file.path, because: "no name, version or size") }
        let written = UpdatePayload.Content.metadata(
            [UInt8](repeating: 0, count: count), genesisHash: Hash256(unchecked: [UInt8](repeating: 0, count: 32)))
        report.expect(
            "\(file.path) output_file",
            UpdateFile.unsignedName(written, named: MetadataName(name: name, version: version)),
            equals: content["output_file"].string)
        report.expect("\(file.path) output_bytes", written.signedBytes.count, equals: content["output_bytes"].int)
        // What the original printed and counted: other interpreters take other steps.
        content.leave(
            "command", "stdout", "instructions_executed_about", "host_calls_made.ext_allocator_malloc_version_1",
            "host_calls_made.ext_allocator_free_version_1")
        let runtime = file.folder.file(content["file"].string ?? "")
        guard runtime.exists else {
            // They are of the runtime, which need not lie there.
            return content.leave(
                "bytes", "decompressed_bytes", "decompressed_blake2_256", "output_blake2_256",
                "metadata.format_version", "metadata.type_count", "metadata.ss58_prefix", "metadata.blake2_256")
        }
        try check(runtime: runtime.bytes(), content, of: file, &report)
    }

    private static func check(
        runtime: [UInt8], _ content: JSON, of file: AnswerFile, _ report: inout Report
    ) throws {
        report.expect("\(file.path) bytes", runtime.count, equals: content["bytes"].int)
        let module = try ZstdFrame.expand(Array(runtime.dropFirst(8)), limit: RuntimeService.blobLimit)
        report.expect("\(file.path) decompressed", module.count, equals: content["decompressed_bytes"].int)
        report.expect(
            "\(file.path) module", Blake2b.hash256(module).hex, equals: content["decompressed_blake2_256"].string)
        let asked = RuntimeFile(bytes: runtime, metadataVersion: nil, fuel: RuntimeFile.usualFuel)
        switch RuntimeWorker.read(asked) {
        case .refused(let reason): report.fail(file.path, because: reason)
        case .read(let told):
            let hot = HotSide(database: try HotDatabase(), nodes: CapturedNode(calls: []))
            let loaded = try hot.take(fromRuntime: try ChainMetadata(told.metadata), stores: false)
            let metadata = content["metadata"]
            report.expect(
                "\(file.path) blake2_256", loaded.metadata.blobHash.hex, equals: metadata["blake2_256"].string)
            report.expect("\(file.path) name", loaded.name.name, equals: metadata["spec_name"].string)
            report.expect(
                "\(file.path) format_version", Int(loaded.metadata.formatVersion),
                equals: metadata["format_version"].int)
            report.expect(
                "\(file.path) ss58_prefix", loaded.metadata.base58Prefix.map { Int($0) },
                equals: metadata["ss58_prefix"].int)
            report.expect(
                "\(file.path) type_count", try FullMetadata(told.metadata).types.count,
                equals: metadata["type_count"].int)
            report.expect(
                "\(file.path) output", Blake2b.hash256(loaded.content.signedBytes).hex,
                equals: content["output_blake2_256"].string)
        }
    }
}

extension NetworkSpecs {
    fileprivate var shownJSON: JSON {
        .object([
            "base58prefix": .integer(Int64(base58Prefix)), "color": .string(color),
            "decimals": .integer(Int64(decimals)),
            "encryption": .string(scheme.name), "genesis_hash": .string(genesisHash.hex), "logo": .string(logo),
            "name": .string(name), "path_id": .string(pathID), "secondary_color": .string(secondaryColor),
            "title": .string(title), "unit": .string(unit),
        ])
    }
}
