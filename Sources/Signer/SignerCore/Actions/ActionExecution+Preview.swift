import BasicFoundation
import SecretMemory
import Signer
import Substrate

/// The keys that other wallets make of the words of a seed, or of words that were typed and are not stored.
extension ActionExecution {
    /// What a page asks for.
    private struct PreviewWish: Decodable {
        /// Paths with blanks between, beside the root.
        var paths = ""
        /// A network or a prefix; empty for the usual ones.
        var network = ""
        var accounts = "3"
    }

    /// What is shown first: the root, and the network's own path where keys of one were looked at.
    func firstPreview() throws -> KeyPreviewData {
        var wish = PreviewWish()
        if state.seed != nil {
            let network = try vault().shownNetwork(state.network)
            (wish.network, wish.paths) = (network.title, network.pathID)
        }
        return try preview(wish, password: nil)
    }

    func previews() -> Bool {
        succeeds {
            guard let wish = try? JSONDecoder().decode(PreviewWish.self, from: Data(data.utf8)) else {
                throw CoreError.previewMalformed(reason: "Say which paths, which network, and how many accounts.")
            }
            state.preview = try preview(wish, password: secret.flatMap { $0.count > 0 ? $0 : nil })
        }
    }

    private func preview(_ wish: PreviewWish, password: SecretBytes?) throws -> KeyPreviewData {
        let paths = try [.junctions(.root)] + Self.paths(wish.paths).map(Vault.previewPath)
        guard let accounts = Int(wish.accounts), 1...PhrasePreview.accountLimit ~= accounts else {
            throw CoreError.previewMalformed(
                reason: "Between 1 and \(PhrasePreview.accountLimit) accounts can be shown.")
        }
        let prefix = try prefix(wish.network)
        let (name, preview) = try looking(with: password)
        return KeyPreviewData(
            seed: name, paths: wish.paths, network: wish.network, accounts: accounts, hasPassword: password != nil,
            isPasswordAmbiguous: password?.withUnsafeBytes { $0.contains { $0 >= 0x80 } } ?? false,
            rows: try preview.rows(paths: paths, accounts: accounts, prefix: prefix).map { PreviewRow($0) })
    }

    /// Whose words are looked at.
    private func looking(with password: SecretBytes?) throws -> (name: String, PhrasePreview) {
        if let draft = state.draft {
            guard let phrase = try draft.phrase() else { throw MnemonicError.badWordCount(draft.wordCount) }
            return (state.newName ?? "", try PhrasePreview(phrase, password: password))
        }
        guard let seed = state.seed else { throw CoreError.noSeedChosen }
        return (seed, try vault().preview(ofSeed: seed, password: password))
    }

    /// A path begins with a slash, or with m for one of BIP-32; a blank before anything else belongs to the path.
    private static func paths(_ text: String) -> [String] {
        var paths: [String] = []
        for part in text.split(separator: " ") {
            if part.hasPrefix("/") || part.hasPrefix("m/") || paths.isEmpty {
                paths.append(String(part))
            } else {
                paths[paths.count - 1] += " " + part
            }
        }
        return paths
    }

    private func prefix(_ text: String) throws -> UInt16? {
        guard !text.isEmpty else { return nil }
        guard text.allSatisfy(\.isNumber) else {
            return try vault().network(named: text, forAnyScheme: true).base58Prefix
        }
        guard let prefix = UInt16(text), SS58.isPrefix(prefix) else {
            throw CoreError.previewMalformed(reason: "Prefixes of addresses are below 16384, without 46 and 47.")
        }
        return prefix
    }
}
