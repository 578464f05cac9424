import Airgap
import KnownAnswers
import Substrate
import TextForms

/// `[{order, specs, encoded, network_specs_key, verifier_key, …}]`
enum NetworksCheck: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("specs", "encoded", "network_specs_key")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        for (index, item) in content.array.enumerated() {
            let name = file.name("[\(index)] \(item["specs"]["title"].string ?? "")")
            guard let encoded = item["encoded"].hex, let specs = try? NetworkSpecs(scaleEncoded: encoded) else {
                report.fail(name, because: "the record does not decode")
                continue
            }
            report.expect("\(name) record", specs.json, equals: item["specs"])
            report.expect("\(name) encoded", specs.scaleEncoded, equals: encoded)
            report.expect("\(name) key", specs.key.scaleEncoded, equals: item["network_specs_key"].hex ?? [])
            // Only those that come with the vault have one.
            if let order = item["order"].int { report.expect("\(name) order", index, equals: order) }
            report.expect(
                "\(name) payload", UpdatePayload.payload(.specs(specs)),
                equals: item["add_specs_payload_unsigned"].hex ?? [])
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
enum AddressesCheck: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("ss58", "ss58_bad")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        for (index, item) in content["ss58"].rows.enumerated() {
            let name = file.name("ss58[\(index)]")
            guard let key = item["public_key"].hex, let prefix = item["prefix"].int.flatMap({ UInt16(exactly: $0) })
            else {
                report.fail(name, because: "no public key or prefix")
                continue
            }
            report.expect("\(name) kind", item["kind"].string, equals: key.count == 33 ? "ecdsa" : nil)
            let payload = key.count == 33 ? Blake2b.hash256(key).bytes : key
            let address = try? SS58.encode(payload, prefix: prefix)
            report.expect(name, address, equals: item["address"].string)
        }
        for bad in content["ss58_bad"].strings {
            report.expect(file.name("ss58_bad \(bad)"), (try? SS58.decode(bad)) == nil, equals: true)
        }
        report.check(content["ethereum"]) { row in
            let pair = try KeyPair(scheme: .ethereum, miniSecret: row.secret("secret"))
            row.expect("public key", pair.publicKey, equals: try row.bytes("public_key"))
            let address = pair.multiSigner.ethereumAddress.map { "0x" + Hex.encode($0) }
            row.expect("address", address, equals: try row.text("address"))
        }
    }
}
