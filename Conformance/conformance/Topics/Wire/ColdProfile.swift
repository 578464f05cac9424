import Foundation
import KnownAnswers
import SCALE
import SecretMemory
import Signer
import Substrate

/// A vault in a starting state of `uos/profiles.json`, with the metadata, records and types that it names.
struct ColdProfile {
    let file: WireFile
    /// The name of the profile.
    let profile: String
    /// What a story has added.
    private var added: [StoredKey] = []

    init(file: WireFile, profile: String) {
        self.file = file
        self.profile = profile
    }

    /// - Parameter secrets: phrases by the names of the seeds that are open.
    func vault(secrets: JSON = .null) throws -> Vault {
        let profile = try json("uos/profiles.json")["profiles"][profile]
        guard let types = profile["types"].string else { throw RowError.missing("profile") }
        let bundle = NetworkBundle(
            networks: try networks(profile), generalVerifier: .none,
            types: try TypesTable(scaleEncoded: Array(file.bytes(of: types))))
        return try Vault.lookOnly(
            bundle, keys: try profile["identities"].array.map(key) + added, seeds: try PublicSeeds(secrets))
    }

    /// All stories are about one phrase; keys of it come by ``createAddress(_:)``.
    mutating func createSeed(_ step: JSON) { added = [] }

    mutating func createAddress(_ step: JSON) throws {
        let network = try NetworkKey(scaleEncoded: step["network"].hex ?? [])
        guard let signer = MultiSigner(scheme: network.scheme, publicKey: step["public_key"].hex ?? []),
            let seed = step["seed"].string, let path = step["path"].string
        else { throw RowError.missing("address") }
        added.append(
            StoredKey(
                signer: signer,
                details: AddressDetails(
                    seedName: seed, path: path, hasPassword: false, networks: [network], scheme: network.scheme,
                    secretExposed: false)))
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

/// Seeds from phrases that are publicly known.
private struct PublicSeeds: SeedVault {
    private let phrases: [String: Mnemonic]

    init(_ secrets: JSON) throws {
        phrases = try secrets.object.mapValues { phrase in
            try Mnemonic(phrase: SecretBytes(publicly: Array((phrase.string ?? "").utf8)))
        }
    }

    func mnemonic(named name: String) throws -> Mnemonic {
        guard let phrase = phrases[name] else { throw SignerError.seedNotFound(name: name) }
        return phrase
    }

    func names() throws -> [String] { phrases.keys.sorted() }
    func add(_ mnemonic: Mnemonic, named name: String) throws {}
    func remove(_ name: String) throws {}
}
