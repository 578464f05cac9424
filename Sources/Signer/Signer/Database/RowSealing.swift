import BasicFoundation
import MainKey
import SCALE
import Substrate

/// How rows lie in the file. What is private to the person is sealed below ``Trees``, which alone see the plain pairs.
enum RowSealing {
    /// Rows are stored as they are: in memory, and in vaults of the first kind.
    case clear
    case sealed(EpochKeys)
    /// The key was not asked for: only public trees can be used.
    case closed

    /// Lengths of paths, names and comments are hidden up to this.
    private static let padding = 64

    /// The keys that a pair may be stored under: first that of the active epoch, which new rows get, then, while a
    /// rotation is under way, those of the older ones.
    func storedKeys(_ tree: Tree, _ key: [UInt8]) throws -> [[UInt8]] {
        guard tree.privacy == .keysAndValues, let keys = try keys else { return [key] }
        return try onKey {
            let vault = UnlockedVault(keys: keys)
            // The newest is the active one.
            return try vault.heldEpochs.reversed().map { epoch in
                try vault.blindIndex(Data(key), table: tree.rawValue, column: "key", epoch: epoch, count: 32)
            }
        }
    }

    /// The value that is stored for a pair.
    ///
    /// - Parameter row: what ``storedKeys(_:_:)`` gave first: a value does not open in another row.
    func storedValue(_ tree: Tree, row: [UInt8], key: [UInt8], value: [UInt8]) throws -> [UInt8] {
        guard tree.privacy != .none, let keys = try keys else { return value }
        var encoder = ScaleEncoder()
        if tree.privacy == .keysAndValues { encoder.byteSequence(key) }
        encoder.raw(value)
        let content = Data(encoder.bytes)
        return try onKey {
            try UnlockedVault(keys: keys).seal(content, tree.purpose, row: RowBinding(row), padding: Self.padding)
        }
    }

    /// The plain pair of a row.
    func pair(_ tree: Tree, row: [UInt8], stored: [UInt8]) throws -> (key: [UInt8], value: [UInt8]) {
        guard tree.privacy != .none, let keys = try keys else { return (row, stored) }
        let damage = SignerError.databaseDamaged(.row(tree: tree.rawValue, key: hexText(row)))
        let content: [UInt8]
        do throws(MainKeyError) {
            content = Array(
                try UnlockedVault(keys: keys).open(stored, as: Data.self, tree.purpose, row: RowBinding(row)))
        } catch {
            throw error == .locked ? .vaultKey(.locked) : damage
        }
        guard tree.privacy == .keysAndValues else { return (row, content) }
        var decoder = ScaleDecoder(content)
        guard let key = try? decoder.byteSequence() else { throw damage }
        return (key, Array(content[decoder.position...]))
    }

    // MARK: What all rows amount to

    /// The epoch that new rows are of; 0 where they lie as they are.
    var epoch: UInt32 {
        get throws {
            guard let keys = try keys else { return 0 }
            return try onKey {
                // In one expression Swift 6.3.1 aborts while it optimises.
                let vault = UnlockedVault(keys: keys)
                return try vault.activeEpoch
            }
        }
    }

    /// What a row, as it lies in the file, adds to the ``Inventory``. Without a key it is a plain hash.
    func code(_ tree: Tree, row: [UInt8], stored: [UInt8], epoch: UInt32) throws -> RowCode {
        var encoder = ScaleEncoder()
        encoder.byteSequence(row)
        encoder.raw(Blake2b.hash(stored, size: 32))
        guard let keys = try keys else { return RowCode(Blake2b.hash(encoder.bytes, size: 32)) }
        let content = Data(encoder.bytes)
        return try onKey {
            RowCode(
                try UnlockedVault(keys: keys).blindIndex(
                    content, table: Inventory.table, column: tree.rawValue, epoch: epoch, count: 32))
        }
    }

    // MARK: Single values, which are in tables of their own

    func seal(_ value: [UInt8], _ purpose: SealedPurpose) throws -> [UInt8] {
        guard let keys = try keys else { return value }
        return try onKey { try UnlockedVault(keys: keys).seal(Data(value), purpose) }
    }

    /// - Throws: `databaseDamaged` with `damage` if it is not what was sealed there.
    func open(_ stored: [UInt8], for purpose: SealedPurpose, orThrow damage: SignerError.Damage) throws
        -> [UInt8]
    {
        guard let keys = try keys else { return stored }
        do throws(MainKeyError) {
            return Array(try UnlockedVault(keys: keys).open(stored, as: Data.self, purpose))
        } catch {
            throw error == .locked ? SignerError.vaultKey(.locked) : SignerError.databaseDamaged(damage)
        }
    }

    /// nil where rows lie as they are.
    private var keys: EpochKeys? {
        get throws {
            switch self {
            case .clear: nil
            case .sealed(let keys): keys
            case .closed: throw SignerError.vaultKey(.locked)
            }
        }
    }
}

extension Tree {
    enum Privacy { case none, values, keysAndValues }

    /// What of a tree is sealed. Keys of addresses are the person's accounts, those of contacts whom the person deals
    /// with; those of the log are numbers. The rest is public: records and metadata of chains, who signs their updates,
    /// and the version of the file, which must be read before the key is.
    var privacy: Privacy {
        switch self {
        case .addresses, .contacts: .keysAndValues
        case .history, .transaction: .values
        case .chainspecs, .metadata, .settings, .verifiers: .none
        }
    }

    fileprivate var purpose: SealedPurpose { .column(table: rawValue, column: "value") }
}
