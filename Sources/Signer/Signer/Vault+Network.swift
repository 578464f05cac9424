import BasicFoundation
import MainKey

/// What a network detector found, and what the vault lets pass of it.
///
/// The detector is another library: a vault takes its findings as ``Encounter``, of which the texts are those of its
/// events, and knows nothing of probes.
///
/// Source: `signer-product` section 5.
extension Vault {
    /// What belongs in the log.
    public enum Encounter: String, CaseIterable, Sendable {
        /// The machine was connected.
        case wasOnline = "DeviceWasOnline"
        /// A probe could not be read.
        case detectorFailed = "network detector failed"

        var event: Event {
            switch self {
            case .wasOnline: .deviceWasOnline
            case .detectorFailed: .systemEntry(rawValue)
            }
        }
    }

    /// What can be told of the network without the key of the vault.
    ///
    /// Nobody vouches for it until the vault is opened; ``Vault/networkAllowance()`` then asks again.
    package struct NetworkFacts: Equatable, Sendable {
        /// Whether the machine was connected since the last acknowledgement, or nobody knows.
        package var wasOnline: Bool
        /// What the last look found; nil if nothing was up. A connection that goes on is not logged again.
        package var last: Encounter?
        /// When the vault was closed and something was found that its log does not hold yet; oldest first.
        package var waiting: [Date]
        /// What the vault lets pass.
        package var allowance: NetworkAllowance
    }

    /// What can be told of the network without the key of the vault.
    package static func networkFacts(in folder: URL) throws -> NetworkFacts {
        let nobody = Unlocking { _ in throw SignerError.vaultKey(.locked) }
        return try open(folder, for: .publicData, unlocking: nobody).networkFacts()
    }

    /// What can be told of the network without the key of the vault.
    package func networkFacts() throws -> NetworkFacts {
        let note = try networkNote()
        return try database.readPublic { trees in
            NetworkFacts(
                wasOnline: try trees.dangerousEncounter() || !note.lines.isEmpty, last: note.last,
                waiting: note.lines.map(\.date), allowance: try NetworkAllowance.read(trees))
        }
    }

    /// Whether the machine was connected since the last acknowledgement, or nobody knows.
    public func wasOnline() throws -> Bool { try networkFacts().wasOnline }

    /// Notes what was found, also while the vault is locked or open elsewhere: it counts at once, and is in the log
    /// when the vault is next opened for changes. Writes nothing where nothing is new.
    ///
    /// - Parameters:
    ///   - encounters: what belongs in the log, oldest first.
    ///   - folder: of the vault.
    ///   - last: what the last look found; nil if nothing is up.
    package static func noteNetwork(
        _ encounters: [Encounter], in folder: URL, last: Encounter?, now: Date = Date()
    ) throws {
        let before = try NetworkNote.read(in: folder, at: now)
        guard !encounters.isEmpty || before.last != last else { return }
        try NetworkNote.file(in: folder).whileFolderIsLocked {
            var note = try NetworkNote.read(in: folder, at: now)
            note.last = last
            note.lines += encounters.map { NetworkNote.Line(time: NetworkNote.seconds(now), encounter: $0) }
            note.lines.removeLast(max(0, note.lines.count - NetworkNote.most))
            try note.write(in: folder)
        }
    }

    /// Logs what a detector found, once for each connection, and keeps that it has to be acknowledged: one transaction.
    ///
    /// - Parameter encounters: oldest first; none changes nothing.
    public func note(_ encounters: Encounter...) throws {
        guard !encounters.isEmpty else { return }
        try database.write { trees in
            try trees.setDangerousEncounter(true)
            try HistoryLog.append(encounters.map(\.event), at: now(), to: trees)
        }
    }

    /// A person has seen that the machine was connected, and goes on: one transaction. The host asks its detector
    /// first, which takes this in one state alone.
    public func acknowledgeOnline() throws {
        try logWaitingEncounters()
        try database.write { trees in
            try trees.setDangerousEncounter(false)
            try HistoryLog.append([.resetDangerRecord], at: now(), to: trees)
        }
    }

    /// Moves what was noted while the vault was locked into its log, each with its time. Killed in between it is moved
    /// again: nothing is lost, and a line may be there twice.
    func logWaitingEncounters() throws {
        guard key != nil, try !networkNote().lines.isEmpty else { return }
        try NetworkNote.file(in: folder).whileFolderIsLocked {
            var note = try networkNote()
            try database.write { trees in
                try trees.setDangerousEncounter(true)
                // The order of the log is that in which it was written.
                let events = note.lines.flatMap { line in
                    [line.encounter.event, .systemEntry("seen \(Timestamp.text(line.date))")]
                }
                try HistoryLog.append(events, at: now(), to: trees)
            }
            CrashPoint.reach("network.logged")
            note.lines = []
            try note.write(in: folder)
        }
    }

    private func networkNote() throws -> NetworkNote {
        // A vault in memory has no folder.
        guard folder.path != Self.noFolder.path else { return NetworkNote() }
        return try NetworkNote.read(in: folder, at: now())
    }

    // MARK: What passes

    /// What the vault lets pass, after its settings were compared with what the key vouches for.
    ///
    /// - Throws: `databaseDamaged` where somebody changed them.
    public func networkAllowance() throws -> NetworkAllowance {
        try database.read { trees in
            try trees.checkPublicTrees()
            return try NetworkAllowance.read(trees)
        }
    }

    /// Changes what the vault lets pass, and logs it: one transaction. Asks a person, also within a session.
    public func setNetworkAllowance(_ allowance: NetworkAllowance) throws {
        try key?.confirm()
        guard try networkAllowance() != allowance else { return }
        try database.write { trees in
            try allowance.write(to: trees)
            try HistoryLog.append([allowance.entry], at: now(), to: trees)
        }
    }
}

extension TreeReader {
    /// Whether the machine was connected since the last acknowledgement.
    func dangerousEncounter() throws -> Bool {
        let key = Setting.dangerousEncounter.key
        switch try value(.settings, key) {
        case [0]: return false
        case [1]: return true
        case nil: throw SignerError.databaseDamaged(.missingSetting(Setting.dangerousEncounter.rawValue))
        default: throw SignerError.databaseDamaged(.row(tree: Tree.settings.rawValue, key: hexText(key)))
        }
    }
}

extension MutableTrees {
    func setDangerousEncounter(_ isThere: Bool) throws {
        try put(.settings, key: Setting.dangerousEncounter.key, value: [isThere ? 1 : 0])
    }
}
