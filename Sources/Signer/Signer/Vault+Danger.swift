import Substrate

/// Whether the machine was online since the person last said that this is known.
///
/// Source: `signer-product` section 5.
extension Vault {
    /// What a vault notes of the network.
    public enum Encounter: Sendable {
        /// Something was up.
        case wasOnline
        /// Nobody can tell.
        case detectorFailed
    }

    /// Whether the machine was online, or nobody could tell, since that was last acknowledged.
    ///
    /// - Throws: `databaseDamaged` where the vault does not say.
    public func wasOnline() throws -> Bool {
        try database.readPublic { trees in
            guard let value = try trees.value(.settings, Setting.dangerousEncounter.key), value.count == 1 else {
                throw SignerError.databaseDamaged(.missingSetting(Setting.dangerousEncounter.rawValue))
            }
            return value != [0]
        }
    }

    /// Notes that the machine was online, or that nobody could tell; once for each connection.
    public func note(_ encounter: Encounter) throws {
        let event: Event =
            switch encounter {
            case .wasOnline: .deviceWasOnline
            case .detectorFailed: .systemEntry("network detector failed")
            }
        try noteDanger(true, event)
    }

    /// Notes that the person knows.
    public func acknowledgeOnline() throws { try noteDanger(false, .resetDangerRecord) }

    private func noteDanger(_ isThere: Bool, _ event: Event) throws {
        try database.write { trees in
            try trees.put(.settings, key: Setting.dangerousEncounter.key, value: [isThere ? 1 : 0])
            try HistoryLog.append([event], at: now(), to: trees)
        }
    }
}
