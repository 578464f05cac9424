import KnownAnswers
import Substrate

/// `[{order, specs, encoded, network_specs_key, verifier_key, …}]`
enum NetworksCheck: WireCheck {
    static func recognises(_ content: JSON) -> Bool {
        content.has("specs", "encoded", "network_specs_key")
    }

    static func run(_ content: JSON, file: WireFile, report: inout Report) {
        for (index, item) in content.array.enumerated() {
            let name = file.name("[\(index)] \(item["specs"]["title"].string ?? "")")
            guard let encoded = item["encoded"].hex, let specs = try? NetworkSpecs(scaleEncoded: encoded) else {
                report.fail(name, because: "the record does not decode")
                continue
            }
            report.expect("\(name) record", specs.json, equals: item["specs"])
            report.expect("\(name) encoded", specs.scaleEncoded, equals: encoded)
            report.expect("\(name) key", specs.key.scaleEncoded, equals: item["network_specs_key"].hex ?? [])
            report.expect("\(name) verifier key", specs.genesisHash.bytes, equals: item["verifier_key"].hex ?? [])
        }
    }
}

extension NetworkSpecs {
    var json: JSON {
        [
            "base58prefix": .integer(Int64(base58Prefix)), "color": .string(color),
            "decimals": .integer(Int64(decimals)),
            "encryption": .string(scheme.name), "genesis_hash": .string(genesisHash.hex), "logo": .string(logo),
            "name": .string(name), "path_id": .string(pathID), "secondary_color": .string(secondaryColor),
            "title": .string(title), "unit": .string(unit),
        ]
    }
}

/// `{"ss58": [{public_key, prefix, address}], "ss58_bad": […], "ethereum": […]}`
enum AddressesCheck: WireCheck {
    static func recognises(_ content: JSON) -> Bool {
        content.has("ss58", "ss58_bad")
    }

    static func run(_ content: JSON, file: WireFile, report: inout Report) {
        for (index, item) in content["ss58"].array.enumerated() {
            let name = file.name("ss58[\(index)]")
            guard let key = item["public_key"].hex, let prefix = item["prefix"].int.flatMap({ UInt16(exactly: $0) })
            else {
                report.fail(name, because: "no public key or prefix")
                continue
            }
            let payload = key.count == 33 ? Blake2b.hash256(key).bytes : key
            let address = try? SS58.encode(payload, prefix: prefix)
            report.expect(name, address, equals: item["address"].string)
        }
    }
}
