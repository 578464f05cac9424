import BasicFoundation
import SecretMemory
import Substrate
import TextForms

extension Vault {
    /// Makes a new phrase, has it shown, and only then stores it, with the default keys of every network.
    ///
    /// - Parameters:
    ///   - source: of the phrase's bytes.
    ///   - withRoots: puts the key of the seed itself into every network too.
    ///   - show: returns when the person has the words; if it throws, nothing is stored. What it waits for a person is
    ///     to be counted for autolock, see ``whileWaiting(_:)``.
    public func createSeed(
        named name: String, wordCount: Int = 24, from source: any RandomSource = MixedRandom.standard,
        withRoots: Bool = false, show: (Mnemonic) throws -> Void
    ) throws {
        // What can be refused is refused before there are words.
        let name = try checkedName(name)
        let mnemonic: Mnemonic
        do throws(MnemonicError) { mnemonic = try Mnemonic.generate(wordCount: wordCount, from: source) } catch {
            throw SignerError.invalidMnemonic(error)
        }
        try show(mnemonic)
        try addSeed(mnemonic, named: name, withRoots: withRoots)
    }

    /// Stores a phrase that the person brings.
    ///
    /// - Parameters:
    ///   - phrase: UTF-8 words.
    ///   - withRoots: puts the key of the seed itself into every network too.
    /// - Throws: ``SignerError/emptySeed``, ``SignerError/invalidMnemonic(_:)``,
    ///   ``SignerError/seedAlreadyExists(name:)``, and what is wrong with the name.
    public func recoverSeed(named name: String, phrase: SecretBytes, withRoots: Bool = false) throws {
        guard phrase.count > 0 else { throw SignerError.emptySeed }
        let mnemonic: Mnemonic
        do throws(MnemonicError) { mnemonic = try Mnemonic(phrase: phrase) } catch {
            throw SignerError.invalidMnemonic(error)
        }
        try addSeed(mnemonic, named: name, withRoots: withRoots)
    }

    /// First the sealed store, then the database; if that refuses, the seed is taken out of the store again
    /// (`signer-product` section 3.1). A crash in between leaves a sealed seed without rows, which ``finishSeeds()``
    /// completes.
    package func addSeed(_ mnemonic: Mnemonic, named name: String, withRoots: Bool = false) throws {
        let name = try checkedName(name)
        try finishSeeds()
        try seeds.add(mnemonic, named: name)
        do {
            try writeDefaultKeys(of: mnemonic, named: name, withRoots: withRoots)
        } catch {
            try seeds.remove(name)
            throw error
        }
    }

    /// A name for a new seed. Opens the sealed store, which takes a person.
    private func checkedName(_ name: String) throws -> String {
        _ = try SeedName.checked(name)
        return try SeedName.checked(name, besides: Set(seedSummaries().map(\.name) + seeds.names()))
    }

    /// The root row, and in every network its default path.
    ///
    /// - Parameter withRoots: puts the root into every network too.
    private func writeDefaultKeys(of mnemonic: Mnemonic, named name: String, withRoots: Bool = false) throws {
        let root = try Self.derive(mnemonic, path: .root, password: nil, scheme: .sr25519)
        try database.write { trees in
            guard try trees.key(root.multiSigner) == nil else { throw SignerError.seedAlreadyExists(name: name) }
            var events: [Event] = [.seedCreated(name: name)]
            try trees.put(
                StoredKey(
                    signer: root.multiSigner,
                    details: AddressDetails(
                        seedName: name, path: "", hasPassword: false, networks: [], scheme: .sr25519,
                        secretExposed: false)))
            var skipped: [String] = []
            for network in try trees.networks().map(\.specs) {
                if withRoots {
                    let root = try Self.derive(mnemonic, path: .root, password: nil, scheme: network.scheme)
                    events += try trees.enable(
                        root.multiSigner, seed: name, path: "", hasPassword: false, in: network)
                }
                do {
                    let pair = try Self.derive(
                        mnemonic, path: Self.path(network.pathID), password: nil, scheme: network.scheme)
                    events += try trees.enable(
                        pair.multiSigner, seed: name, path: network.pathID, hasPassword: false, in: network)
                } catch is SignerError {
                    skipped.append(network.title)
                }
            }
            if !skipped.isEmpty { events.append(.systemEntry("no default key: \(skipped.joined(separator: ", "))")) }
            try HistoryLog.append(events, at: now(), to: trees)
        }
    }

    /// Gives rows to sealed seeds that a crash left without, after what it left of a renaming is gone.
    package func finishSeeds() throws {
        try finishRenaming()
        let known = Set(try keys().map(\.details.seedName))
        for name in try seeds.names() where !known.contains(name) {
            try writeDefaultKeys(of: try seeds.mnemonic(named: name), named: name)
        }
    }

    /// First the sealed store, then the rows: what is left of a crash in between is rows without a secret, never a
    /// secret that the person believes deleted.
    public func removeSeed(named name: String) throws {
        // A phrase that is believed removed is not to stay under a second name.
        try finishRenaming()
        let sealed = try seeds.names().contains(name)
        let rows = try keys().contains { $0.details.seedName == name }
        guard sealed || rows else { throw SignerError.seedNotFound(name: name) }
        if sealed { try seeds.remove(name) }
        try database.write { trees in
            try HistoryLog.append(try trees.removeKeys(ofSeed: name), at: now(), to: trees)
        }
    }

    /// The phrase, to be shown; logged before it is handed out.
    public func revealSeed(named name: String) throws -> Mnemonic {
        let mnemonic = try seeds.mnemonic(named: name)
        try key?.confirmVouched()
        try database.write { try HistoryLog.append([.seedNameWasShown(name: name)], at: now(), to: $0) }
        return mnemonic
    }

    /// The addresses that a stored phrase gives in each wallet. Nothing is written, not to the log either: no secret is
    /// shown.
    ///
    /// - Parameter password: taken for every scheme; nil or empty for none.
    package func preview(
        ofSeed name: String, password: SecretBytes?
    ) throws -> PhrasePreview {
        let mnemonic = try seeds.mnemonic(named: name)
        try key?.confirmVouched()
        do throws(MnemonicError) { return try PhrasePreview(mnemonic, password: password) } catch {
            throw SignerError.invalidMnemonic(error)
        }
    }

    /// A path that is looked at in other wallets: junctions, or one of BIP-32.
    package static func previewPath(_ text: String) throws -> PhrasePreview.Path {
        do throws(SURIError) { return try PhrasePreview.Path(parsing: text) } catch {
            throw SignerError.invalidDerivation(reason: "\(error)")
        }
    }

    // MARK: Derivation

    /// The path of a key that is made here. The same text in another form of Unicode would be another key that looks
    /// alike, so one form is taken: the composed one, which keyboards give.
    static func path(_ text: String) throws -> DerivationPath {
        guard text.utf8.count <= DerivationPath.lengthLimit else {
            throw SignerError.invalidDerivation(reason: "A path has at most \(DerivationPath.lengthLimit) bytes.")
        }
        guard DerivationText.isComposed(text) else {
            throw SignerError.invalidDerivation(
                reason:
                    "The path has letters with marks that are apart from them (Unicode NFD). Type it composed (NFC).")
        }
        do throws(SURIError) { return try DerivationPath(parsing: text) } catch {
            throw SignerError.invalidDerivation(reason: "\(error)")
        }
    }

    static func derive(
        _ mnemonic: Mnemonic, path: DerivationPath, password: SecretBytes?, scheme: SignatureScheme
    ) throws -> KeyPair {
        do throws(KeyError) {
            return try KeyPair.derive(from: mnemonic, path: path, password: password, scheme: scheme)
        } catch {
            throw SignerError.key(error)
        }
    }

    /// The keys of several paths without password: what takes time of a phrase is done once.
    static func derive(
        _ mnemonic: Mnemonic, paths: [DerivationPath], scheme: SignatureScheme
    ) throws -> [KeyPair] {
        let root = try derive(mnemonic, path: .root, password: nil, scheme: scheme)
        do throws(KeyError) {
            return try paths.map { path throws(KeyError) in try root.derive(path) }
        } catch {
            throw SignerError.key(error)
        }
    }

    /// Derives a key and enables it in a network.
    ///
    /// - Parameters:
    ///   - path: junctions, without password.
    ///   - password: part of the key, never stored; nil or empty for none.
    public func deriveKey(
        seed name: String, path text: String, password: SecretBytes?, network: NetworkSpecs
    ) throws -> StoredKey {
        let path = try Self.path(text)
        let hasPassword = (password?.count ?? 0) > 0
        let mnemonic = try seeds.mnemonic(named: name)
        let pair = try Self.derive(mnemonic, path: path, password: password, scheme: network.scheme)
        try key?.confirmVouched()
        return try database.write { trees in
            let events = try trees.enable(
                pair.multiSigner, seed: name, path: "\(path)", hasPassword: hasPassword, in: network)
            try HistoryLog.append(events, at: now(), to: trees)
            guard let stored = try trees.key(pair.multiSigner) else {
                throw SignerError.keyNotFound(Hex.encode(pair.publicKey))
            }
            return stored
        }
    }
}
