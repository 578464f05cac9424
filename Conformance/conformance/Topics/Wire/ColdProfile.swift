import KnownAnswers
import SCALE
import SecretMemory
import Signer
import Substrate
import Synchronization

/// A vault in a starting state of `uos/profiles.json`, with the metadata, records and types that it names.
struct ColdProfile {
    let file: AnswerFile
    /// The name of the profile.
    let profile: String

    /// - Parameters:
    ///   - general: the name of a general verifier; null for none.
    ///   - seeds: phrases that are open.
    func vault(general: JSON = .null, seeds: PublicSeeds = PublicSeeds()) throws -> Vault {
        let profiles = try json("uos/profiles.json")
        let profile = profiles["profiles"][profile]
        guard let words = profile["network_verifiers"].string, Self.verifiers.contains(words) else {
            throw RowError.missing("network_verifiers")
        }
        guard let types = profile["types"].string else { throw RowError.missing("profile") }
        let verifier = general.string ?? "none"
        guard profiles["general_verifiers"].has(verifier) else { throw RowError.missing("verifier \(verifier)") }
        let key = profiles["general_verifiers"][verifier]
        let bundle = NetworkBundle(
            networks: try networks(profile), generalVerifier: Verifier(key.isNull ? nil : try signer(key)),
            types: try TypesTable(scaleEncoded: file.bytes(of: types)))
        return try Vault.lookOnly(bundle, keys: try profile["identities"].array.map(self.key), seeds: seeds)
    }

    /// The phrase of the seed that stories are about.
    func phrase() throws -> Mnemonic {
        guard let phrase = try json("uos/profiles.json")["seed_phrase_alice"].string else {
            throw RowError.missing("seed_phrase_alice")
        }
        return try Mnemonic(phrase: SecretBytes(copying: Array(phrase.utf8)))
    }

    /// What a vault does by itself: the general verifier for each network that it has one for.
    private static let verifiers = ["general for each network", "general for the first three", "none"]

    private func json(_ path: String) throws -> JSON { try file.folder.file(path).content() }

    /// Records by the names that the profile gives, each with the metadata of its name.
    private func networks(_ profile: JSON) throws -> [NetworkBundle.Network] {
        let records = try json("networks/networks.json").array
        let blobs = try profile["metadata"].strings.map { name in
            try ChainMetadata(file.bytes(of: "metadata/\(name).scale"))
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
        let signer = try signer(identity["multisigner"])
        guard let seed = identity["seed"].string, let path = identity["path"].string else {
            throw RowError.missing("identity")
        }
        return StoredKey(
            signer: signer,
            details: AddressDetails(
                seedName: seed, path: path, hasPassword: false,
                networks: try identity["network"].hex.map { [try NetworkKey(scaleEncoded: $0)] } ?? [],
                scheme: signer.scheme, secretExposed: false))
    }

    /// A scheme and a public key.
    private func signer(_ json: JSON) throws -> MultiSigner {
        guard let scheme = json[0].string.flatMap(SignatureScheme.init(name:)),
            let signer = MultiSigner(scheme: scheme, publicKey: json[1].hex ?? [])
        else { throw RowError.missing("public key") }
        return signer
    }
}

/// `{profiles, general_verifiers, seed_phrase_alice}`: the states that stories start from. Each can be made.
enum ProfileCheck: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("profiles", "general_verifiers") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        for name in content["profiles"].object.keys.sorted() {
            for verifier in content["general_verifiers"].object.keys.sorted() {
                do {
                    _ = try ColdProfile(file: file, profile: name).vault(general: .string(verifier))
                    report.pass()
                } catch {
                    report.fail(file.name("\(name), \(verifier)"), because: "\(error)")
                }
            }
        }
    }
}

/// Seeds from phrases that are publicly known.
final class PublicSeeds: SeedVault {
    private let phrases = Mutex<[String: Mnemonic]>([:])

    /// - Parameter secrets: phrases by the names of their seeds.
    func open(_ secrets: JSON) throws {
        for (name, phrase) in secrets.object {
            let mnemonic = try Mnemonic(phrase: SecretBytes(copying: Array((phrase.string ?? "").utf8)))
            try add(mnemonic, named: name)
        }
    }

    func mnemonic(named name: String) throws -> Mnemonic {
        guard let phrase = phrases.withLock({ $0[name] }) else { throw SignerError.seedNotFound(name: name) }
        return phrase
    }

    func names() throws -> [String] { phrases.withLock { $0.keys.sorted() } }
    func add(_ mnemonic: Mnemonic, named name: String) throws { phrases.withLock { $0[name] = mnemonic } }
    func copy(_ name: String, to newName: String) throws { try add(mnemonic(named: name), named: newName) }
    func remove(_ name: String) throws { phrases.withLock { $0[name] = nil } }
}
