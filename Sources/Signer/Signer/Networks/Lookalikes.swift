import Substrate

extension NetworkSpecs {
    /// What title and name look like; blanks tell nothing apart.
    private var looks: Set<String> {
        Set([title, name].flatMap { SeedName.forms(String($0.filter { !$0.isWhitespace })) })
    }

    /// Whether this is another network that a person could take for that one, by title or name.
    package func looksLike(_ other: NetworkSpecs) -> Bool {
        genesisHash != other.genesisHash && !looks.isDisjoint(with: other.looks)
    }

    /// The title, with the name behind it where it could be another network's: vaults of before may hold such.
    package func title(among networks: [NetworkSpecs]) -> String {
        networks.contains(where: looksLike) ? "\(title) (\(name))" : title
    }
}
