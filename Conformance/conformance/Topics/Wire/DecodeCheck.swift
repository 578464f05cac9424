import KnownAnswers
import SCALE
import Substrate

/// `[{metadata, specs, payload, method_lines, extension_lines, method_cards?, extension_cards?}]`, where the payload is
/// a length, a call and its extensions.
enum DecodeCheck: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("metadata", "specs", "payload", "method_lines")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        let types = try? TypesTable(scaleEncoded: file.bytes(of: "types/default_types.scale"))
        var blobs: [String: Result<ChainMetadata, MetadataError>] = [:]
        for item in content.array {
            // Who says so.
            item.leave("expected_from")
            let name = file.name(item["name"].string ?? "?")
            guard let path = item["metadata"].string else {
                report.fail(name, because: "no metadata")
                continue
            }
            if blobs[path] == nil, let data = try? file.bytes(of: path) {
                blobs[path] = Result { () throws(MetadataError) in try ChainMetadata(data) }
            }
            switch blobs[path] {
            case .success(let metadata): check(item, by: metadata, types: types, name: name, report: &report)
            case .failure(.versionNotReadable(let version)):
                report.skip(name, because: "metadata \(version) is not read by this build")
            case .failure(let error): report.fail(name, because: error.description)
            case nil: report.fail(name, because: "\(path) cannot be read")
            }
        }
    }

    private static func check(
        _ item: JSON, by metadata: ChainMetadata, types: TypesTable?, name: String, report: inout Report
    ) {
        guard let payload = item["payload"].hex, let network = network(item["specs"]) else {
            return report.fail(name, because: "no payload or specs")
        }
        do {
            var head = ScaleDecoder(payload)
            let call = try head.byteSequenceRange()
            let decoder = metadata.decoder(network: network, types: types)
            let method = try decoder.decodeCall(payload, in: call, cardLimit: DecodingLimits.cards)
            report.expect("\(name) method", method.map(\.line), equals: item["method_lines"].strings)
            let extensions = try decoder.decodeExtensions(
                payload, in: call.upperBound..<payload.count, cardLimit: DecodingLimits.cards
            ).cards
            report.expect("\(name) extensions", extensions.map(\.line), equals: item["extension_lines"].strings)
            for (cards, key) in [(method, "method_cards"), (extensions, "extension_cards")] where item[key] != .null {
                compare(cards, item[key].array, name: "\(name) \(key)", report: &report)
            }
        } catch {
            report.fail(name, because: "\(error)")
        }
    }

    private static func compare(_ cards: [Card], _ expected: [JSON], name: String, report: inout Report) {
        guard cards.count == expected.count else {
            return report.fail(name, because: "expected \(expected.count) cards, found \(cards.count)")
        }
        for (index, (card, expected)) in zip(cards, expected).enumerated() where card.json != expected {
            return report.fail("\(name)[\(index)]", because: "expected \(expected), found \(card.json)")
        }
        report.pass()
    }

    private static func network(_ specs: JSON) -> NetworkSpecs? {
        guard let prefix = specs["base58prefix"].int.flatMap({ UInt16(exactly: $0) }),
            let decimals = specs["decimals"].int.flatMap({ UInt8(exactly: $0) }),
            let genesis = specs["genesis_hash"].hex.flatMap({ Hash256($0) }), let name = specs["name"].string,
            let unit = specs["unit"].string
        else { return nil }
        return NetworkSpecs(
            base58Prefix: prefix, color: "", decimals: decimals, scheme: .sr25519, genesisHash: genesis, logo: "",
            name: name, pathID: "", secondaryColor: "", title: name, unit: unit)
    }
}
