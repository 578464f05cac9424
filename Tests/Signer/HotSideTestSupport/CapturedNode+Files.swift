import Foundation
import HotSideKnownAnswers
import SCALE
import StrictJSON
import TextForms

/// Nodes that answer with files of the known answers.
extension CapturedNode {
    /// - Parameters:
    ///   - file: the path below `folder`.
    ///   - folder: that of the data, which answers name other files by.
    package init(file: String, in folder: URL) throws {
        let bytes: (String) throws -> [UInt8] = { Array(try Data(contentsOf: folder.appending(path: $0))) }
        let content = try JSONReader(maximumBytes: 1 << 20).read(bytes(file))
        try self.init(calls: content["calls"] ?? .null, bytesOf: bytes)
    }

    /// The genesis of the Polkadot Asset Hub.
    package static let assetHubGenesis = "68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f"

    /// A node of the Polkadot Asset Hub 2000000, whose chain checks the metadata hash.
    ///
    /// - Parameter folder: that of the data.
    package static func assetHub(in folder: URL) throws -> CapturedNode {
        let blob = try Data(contentsOf: folder.appending(path: "metadata/statemint2000000_v15.scale"))
        return CapturedNode(blob: Array(blob), genesis: assetHubGenesis, prefix: 0, token: (10, "DOT"))
    }

    /// A node that has one metadata 15, in the form of 14 too.
    init(blob: [UInt8], genesis: String, prefix: Int, token: (decimals: Int, unit: String)) {
        let block = JSON.string("0x" + String(repeating: "cc", count: 32))
        let metadata = JSON.string("0x" + Hex.encode(blob))
        var option = ScaleEncoder()
        option.option(blob) { $0.byteSequence($1) }
        let properties: [(String, JSON)] = [
            ("ss58Format", .integer(prefix)), ("tokenDecimals", .integer(token.decimals)),
            ("tokenSymbol", .string(token.unit)),
        ]
        let answers: [(method: String, parameters: [JSON], result: JSON)] = [
            ("chain_getBlockHash", [.integer(0)], .string("0x" + genesis)), ("chain_getBlockHash", [], block),
            ("state_getMetadata", [], metadata), ("state_getMetadata", [block], metadata),
            (
                "state_call", [.string("Metadata_metadata_versions"), .string("0x")],
                .string("0x080e0000000f000000")
            ),
            (
                "state_call", [.string("Metadata_metadata_at_version"), .string("0x0f000000")],
                .string("0x" + Hex.encode(option.bytes))
            ),
            ("system_properties", [], .object(properties.map { .init(name: $0.0, value: $0.1) })),
        ]
        self.init(calls: answers.map { Call(method: $0.method, parameters: $0.parameters, result: $0.result) })
    }
}
