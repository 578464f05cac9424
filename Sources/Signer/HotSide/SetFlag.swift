/// What a command does: whether it asks a node, whether it changes the database, and whether it writes a file to be
/// signed.
///
/// Source: `signer-wire` section 8.2.
public enum SetFlag: String, CaseIterable, Sendable {
    /// `-f`: writes files from the database, and asks nobody.
    case fromDatabase = "f"
    /// `-d`: asks and writes files, and leaves the database alone.
    case direct = "d"
    /// `-k`: asks, updates the database, and writes files of what is new.
    case known = "k"
    /// `-p`: asks and updates the database, and writes no file.
    case populate = "p"
    /// `-t`: asks, updates the database, and writes files. What a command does where nothing is said.
    case total = "t"

    /// Whether nodes are asked.
    var fetches: Bool { self != .fromDatabase }
    /// Whether the database is changed.
    var stores: Bool { [.known, .populate, .total].contains(self) }

    /// Whether a file is written.
    ///
    /// - Parameter isNew: whether the content was not in the database.
    func writes(isNew: Bool) -> Bool {
        switch self {
        case .fromDatabase, .direct, .total: true
        case .known: isNew
        case .populate: false
        }
    }
}

/// Which networks a command is about.
public enum Reference: Hashable, Sendable {
    /// `-a`: every network of the address book.
    case all
    /// `-n`: one, by its name for metadata and by its title for records.
    case name(String)
    /// `-u`: the one at an address.
    case url(NodeURL)
}
