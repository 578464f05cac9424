import MainKey

/// A digest that is stored, sealed, beside what it is of: the name of its table.
enum StoredDigest: String, CaseIterable {
    /// Of the log, behind its last entry.
    case log = "log_digest"
    /// Of the trees that are not sealed: networks, their metadata, whom they trust, settings. Metadata with other names in it would
    /// show a transfer as something harmless.
    case publicTrees = "public_digest"

    var damage: SignerError.Damage {
        switch self {
        case .log: .log
        case .publicTrees: .publicTrees
        }
    }

    var purpose: SealedPurpose { .column(table: rawValue, column: "digest") }
}

extension Trees {
    /// - Throws: `databaseDamaged` where networks, metadata or settings are not those that were written. What is not sealed is not
    ///   compared: nobody could tell.
    func checkPublicTrees() throws {
        guard isSealed, try stored(.publicTrees) != StateDigest.publicState(self) else { return }
        throw SignerError.databaseDamaged(.publicTrees)
    }
}

extension MutableTrees {
    /// Takes what is in the trees that are not sealed for what belongs there.
    func storePublicTrees() throws { try store(.publicTrees, StateDigest.publicState(self)) }
}
