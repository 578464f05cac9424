import SCALE
import StrictJSON
import Substrate
import TextForms

/// The form of metadata that a node is asked for.
public enum MetadataFormat: UInt32, CaseIterable, Sendable {
    /// The form that every signer reads.
    case version14 = 14
    /// The form by which chains compute the metadata hash.
    case version15 = 15
    /// The newest form.
    case version16 = 16
}

/// Metadata as a node gives them.
package struct FetchedMetadata: Sendable {
    /// The metadata, read.
    package let metadata: ChainMetadata
    /// The block at which they hold.
    package let blockHash: Hash256
    /// The genesis of the node's network.
    package let genesisHash: Hash256

    /// Name and version.
    package var name: MetadataName { MetadataName(name: metadata.specName, version: metadata.specVersion) }
}

/// What a node tells of its network for a record of it.
public struct FetchedNetwork: Sendable {
    /// The metadata, read.
    public let metadata: ChainMetadata
    /// The genesis of the node's network.
    public let genesisHash: Hash256
    /// The object that `system_properties` gives.
    public let properties: JSON
}

/// The questions of `signer-wire` section 8.3.
extension NodeConnection {
    /// The genesis of the node's network.
    public func genesisHash() async throws -> Hash256 {
        let answer = try await call("chain_getBlockHash", [.integer(0)])
        guard let hash = Self.hash(answer) else {
            throw NodeError.unexpectedGenesisHashFormat(found: Self.excerpt(answer))
        }
        return hash
    }

    /// The hash of the newest block, which need not be final.
    package func newestBlock() async throws -> Hash256 {
        let answer = try await call("chain_getBlockHash", [])
        guard let hash = Self.hash(answer) else {
            throw NodeError.unexpectedBlockHashFormat(found: Self.excerpt(answer))
        }
        return hash
    }

    /// Metadata at a block, in the form of version 14 or what an old runtime has.
    ///
    /// - Parameter block: nil for the newest one.
    func metadataBlob(at block: Hash256?) async throws -> [UInt8] {
        let answer = try await call("state_getMetadata", block.map { [.string("0x" + $0.hex)] } ?? [])
        guard let blob = Self.bytes(answer) else {
            throw NodeError.unexpectedMetadataFormat(found: Self.excerpt(answer))
        }
        return blob
    }

    /// Metadata at a block, in a form that its runtime is asked for by a call of it.
    func metadataBlob(_ format: MetadataFormat, at block: Hash256) async throws -> [UInt8] {
        let offered: [UInt32] = try await runtimeCall("Metadata_metadata_versions", argument: [], at: block) {
            decoder throws(ScaleError) in
            try decoder.sequence(minimumItemSize: 4) { (decoder) throws(ScaleError) in try decoder.uint32() }
        }
        guard offered.contains(format.rawValue) else {
            throw NodeError.metadataFormatNotOffered(wanted: format.rawValue, offered: Array(offered.prefix(16)))
        }
        var argument = ScaleEncoder()
        argument.integer(format.rawValue)
        let blob: [UInt8]? = try await runtimeCall(
            "Metadata_metadata_at_version", argument: argument.bytes, at: block
        ) { decoder throws(ScaleError) in
            try decoder.option { (decoder) throws(ScaleError) in try decoder.byteSequence() }
        }
        guard let blob else {
            throw NodeError.metadataFormatNotOffered(wanted: format.rawValue, offered: Array(offered.prefix(16)))
        }
        guard blob.count > 4, UInt32(blob[4]) == format.rawValue else {
            throw NodeError.otherMetadataFormat(wanted: format.rawValue, found: blob.count > 4 ? blob[4] : 0)
        }
        return blob
    }

    private func runtimeCall<T>(
        _ name: String, argument: [UInt8], at block: Hash256, _ read: (inout ScaleDecoder) throws(ScaleError) -> T
    ) async throws -> T {
        let answer = try await call(
            "state_call", [.string(name), .string("0x" + Hex.encode(argument)), .string("0x" + block.hex)])
        guard let bytes = Self.bytes(answer) else {
            throw NodeError.unexpectedMetadataFormat(found: Self.excerpt(answer))
        }
        do throws(ScaleError) {
            var decoder = ScaleDecoder(bytes)
            let value = try read(&decoder)
            try decoder.finish()
            return value
        } catch {
            throw NodeError.unexpectedMetadataFormat(found: "the answer of \(name) is none: \(error)")
        }
    }

    /// Metadata with the block and the genesis that they belong to.
    ///
    /// - Throws: ``NodeError``; `HotSideError.metadataBroken` for what is no metadata;
    ///   ``NodeError/genesisHashChanged(expected:found:)`` for a node that changes its word.
    package func fetchMetadata(_ format: MetadataFormat = .version14) async throws -> FetchedMetadata {
        let genesis = try await genesisHash()
        let block = try await newestBlock()
        let blob =
            switch format {
            case .version14: try await metadataBlob(at: block)
            case .version15, .version16: try await metadataBlob(format, at: block)
            }
        try await check(genesis: genesis)
        return FetchedMetadata(metadata: try Self.read(blob), blockHash: block, genesisHash: genesis)
    }

    /// What a record of the network is made of.
    public func fetchNetwork() async throws -> FetchedNetwork {
        let genesis = try await genesisHash()
        let metadata = try Self.read(try await metadataBlob(at: nil))
        let properties = try await call("system_properties", [])
        guard properties.object != nil else {
            throw NodeError.unexpectedSystemPropertiesFormat(found: Self.excerpt(properties))
        }
        try await check(genesis: genesis)
        return FetchedNetwork(metadata: metadata, genesisHash: genesis, properties: properties)
    }

    /// Metadata at a block that is named.
    package func fetchMetadata(at block: Hash256) async throws -> ChainMetadata {
        try Self.read(try await metadataBlob(at: block))
    }

    /// The name and version of the runtime, without its metadata.
    public func runtimeVersion() async throws -> MetadataName {
        let answer = try await call("state_getRuntimeVersion", [])
        guard let name = answer["specName"]?.string, let number = answer["specVersion"]?.integer,
            let version = UInt32(exactly: number), name.utf8.count <= mostNameBytes
        else { throw NodeError.unexpectedRuntimeVersionFormat(found: Self.excerpt(answer)) }
        return MetadataName(name: name, version: version)
    }

    /// Refuses a node whose genesis is another.
    package func check(genesis expected: Hash256) async throws {
        let found = try await genesisHash()
        guard found == expected else {
            throw NodeError.genesisHashChanged(expected: expected.hex, found: found.hex)
        }
    }

    // MARK: Answers

    private static func read(_ blob: [UInt8]) throws -> ChainMetadata {
        do { return try ChainMetadata(blob) } catch { throw HotSideError.metadataBroken(error) }
    }

    private static func bytes(_ answer: JSON) -> [UInt8]? {
        guard let text = answer.string, text.hasPrefix("0x") else { return nil }
        return Hex.decode(text)
    }

    private static func hash(_ answer: JSON) -> Hash256? { bytes(answer).flatMap { Hash256($0) } }

    private static func excerpt(_ answer: JSON) -> String { answer.text().cut(to: 80) }
}

/// Bytes of a runtime's name. Those of real ones are a word.
private let mostNameBytes = 256
