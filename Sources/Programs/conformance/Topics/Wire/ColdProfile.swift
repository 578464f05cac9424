import Foundation
import KnownAnswers
import SCALE
import Signer
import Substrate

/// Vaults in the starting states of `uos/profiles.json`, with the metadata, records and types that these name.
struct ColdProfile {
    let file: WireFile

    func vault(_ profile: String) throws -> Vault {
        let profile = try json("uos/profiles.json")["profiles"][profile]
        guard let types = profile["types"].string else { throw RowError.missing("profile") }
        let bundle = NetworkBundle(
            networks: try networks(profile), generalVerifier: .none,
            types: try TypesTable(scaleEncoded: Array(file.bytes(of: types))))
        return try Vault.lookOnly(bundle, keys: try profile["identities"].array.map(key))
    }

    private func json(_ path: String) throws -> JSON {
        try JSON(contentsOf: file.folder.appending(path: path))
    }

    /// Records by the names that the profile gives, each with the metadata of its name.
    private func networks(_ profile: JSON) throws -> [NetworkBundle.Network] {
        let records = try json("networks/networks.json").array
        let blobs = try profile["metadata"].strings.map { name in
            try ChainMetadata(Array(file.bytes(of: "metadata/\(name).scale")))
        }
        return try profile["networks"].strings.map { name in
            guard let record = records.first(where: { $0["specs"]["name"].string == name })?["encoded"].hex else {
                throw RowError.missing(name)
            }
            return NetworkBundle.Network(
                specs: try NetworkSpecs(scaleEncoded: record),
                metadata: blobs.filter { $0.specName == name }.map(\.blob))
        }
    }

    private func key(_ identity: JSON) throws -> StoredKey {
        guard let scheme = identity["multisigner"][0].string.flatMap(SignatureScheme.init(name:)),
            let signer = MultiSigner(scheme: scheme, publicKey: identity["multisigner"][1].hex ?? []),
            let seed = identity["seed"].string, let path = identity["path"].string
        else { throw RowError.missing("identity") }
        return StoredKey(
            signer: signer,
            details: AddressDetails(
                seedName: seed, path: path, hasPassword: false,
                networks: try identity["network"].hex.map { [try NetworkKey(scaleEncoded: $0)] } ?? [],
                scheme: scheme, secretExposed: false))
    }
}
