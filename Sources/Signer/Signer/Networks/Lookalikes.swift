import Substrate

/// What the title and the name of a network look like.
struct NetworkLooks: Sendable {
    private let genesisHash: Hash256
    private let forms: Set<String>

    init(_ network: NetworkSpecs) {
        genesisHash = network.genesisHash
        forms = Set([network.title, network.name].flatMap { SeedName.forms(Self.letters(of: $0)) })
    }

    /// Blanks and signs tell nothing apart.
    private static func letters(of text: String) -> String {
        let letters = text.filter { $0.isLetter || $0.isNumber }
        return letters.isEmpty ? text : letters
    }

    /// Whether they are another network's, and a person could take one for the other.
    func resemble(_ other: NetworkLooks) -> Bool {
        genesisHash != other.genesisHash && !forms.isDisjoint(with: other.forms)
    }
}

extension NetworkSpecs {
    /// Whether this is another network that a person could take for that one, by title or name.
    package func looksLike(_ other: NetworkSpecs) -> Bool { NetworkLooks(self).resemble(NetworkLooks(other)) }

    /// The title, with the name behind it where it could be another network's: vaults of before may hold such.
    package func title(among networks: [NetworkSpecs]) -> String {
        let looks = NetworkLooks(self)
        return networks.contains { looks.resemble(NetworkLooks($0)) } ? "\(title) (\(name))" : title
    }
}
