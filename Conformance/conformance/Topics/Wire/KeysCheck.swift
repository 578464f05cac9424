import HotSide
import KnownAnswers
import SCALE
import Substrate

/// `{network_specs_key, network_specs_key_bad, address_key, meta_key, history_order}`: keys of the stores.
enum KeysCheck: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("network_specs_key", "address_key")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        for row in content["network_specs_key"].rows {
            let key = row["encryption"].string.flatMap(SignatureScheme.init(name:)).flatMap { scheme in
                row["genesis_hash"].hex.flatMap { Hash256($0) }.map { NetworkKey(scheme: scheme, genesisHash: $0) }
            }
            report.expect(file.name("network_specs_key"), key?.scaleEncoded, equals: row["key"].hex)
        }
        for row in content["network_specs_key_bad"].rows {
            let key = row.hex.flatMap { try? NetworkKey(scaleEncoded: $0) }
            report.expect(file.name("network_specs_key_bad"), key, equals: nil)
        }
        for row in content["address_key"].rows {
            let scheme = row["multisigner"][0].string.flatMap(SignatureScheme.init(name:))
            let signer = scheme.flatMap { MultiSigner(scheme: $0, publicKey: row["multisigner"][1].hex ?? []) }
            var key = ScaleEncoder()
            key.option(row["genesis_hash"].hex) { $0.raw($1) }
            report.expect(
                file.name("address_key"), signer.map { $0.scaleEncoded + key.bytes }, equals: row["key"].hex)
        }
        for row in content["meta_key"].rows {
            var key = ScaleEncoder()
            key.string(row["name"].string ?? "")
            report.expect(file.name("meta_key prefix"), key.bytes, equals: row["prefix"].hex ?? [])
            key.integer(row["version"].word)
            report.expect(file.name("meta_key"), key.bytes, equals: row["key"].hex ?? [])
        }
        for row in content["history_order"].rows {
            var key = ScaleEncoder()
            key.integer(row["n"].word)
            report.expect(file.name("history_order"), key.bytes, equals: row["key"].hex ?? [])
        }
        for row in content["address_book_key"].rows {
            report.expect(
                file.name("address_book_key"), BookedNode.key(title: row["title"].string ?? ""),
                equals: row["key"].hex ?? [])
        }
    }
}
