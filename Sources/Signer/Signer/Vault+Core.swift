import SecretMemory
import Substrate

/// What the core asks of a vault between two screens.
extension Vault {
    /// The name for a new seed, as it is stored. The sealed store stays closed.
    package func checkedSeedName(_ name: String) throws -> String {
        _ = try SeedName.checked(name)
        return try SeedName.checked(name, besides: seedSummaries().map(\.name))
    }

    /// Stores a phrase whose words a person has, with the default keys of every network.
    ///
    /// - Parameter withRoots: whether the key of the seed itself is in every network too.
    package func storeSeed(_ mnemonic: Mnemonic, named name: String, withRoots: Bool) throws {
        try addSeed(mnemonic, named: name, withRoots: withRoots)
    }

    /// Whether a phrase is the one of a seed: entropies are compared, in a time that tells nothing.
    ///
    /// - Parameter phrase: UTF-8 words.
    package func hasPhrase(_ phrase: SecretBytes, ofSeed name: String) throws -> Bool {
        let given: Mnemonic
        do throws(MnemonicError) { given = try Mnemonic(phrase: phrase) } catch {
            throw SignerError.invalidMnemonic(error)
        }
        return try given.entropy == seeds.mnemonic(named: name).entropy
    }

    /// How many entries the log has.
    package func logCount() throws -> Int { try database.read { try $0.count(.history) } }

    /// The newest entries of the log, newest first. The chain of digests is walked by ``log()`` and
    /// ``verifyLog(contains:)``.
    ///
    /// - Parameters:
    ///   - limit: how many at the most.
    ///   - end: the order behind the newest of them; nil for the newest of all.
    /// - Returns: also how many entries there are.
    package func newestEntries(
        _ limit: Int, before end: Int? = nil
    ) throws -> (count: Int, entries: [(order: Int, entry: HistoryEntry)]) {
        try database.read { trees in
            let count = try trees.count(.history)
            let end = min(max(0, end ?? count), count)
            let entries = try (max(0, end - limit)..<end).reversed().map { order in
                let place = UInt32(clamping: order)
                guard let bytes = try HistoryLog.entryBytes(place, trees) else {
                    throw SignerError.databaseDamaged(.historyEntry(order: place))
                }
                return (order: order, entry: try HistoryLog.decode(bytes, order: place))
            }
            return (count, entries)
        }
    }

    // MARK: Passwords

    /// Checks the password of one item before all are signed. A wrong one is logged and counted, and binds what waits
    /// to the vault's new state.
    ///
    /// - Parameters:
    ///   - password: of the item's key.
    ///   - index: of the item in ``Answer/requests``.
    ///   - proposal: what was shown.
    ///   - comment: kept in the log.
    /// - Throws: ``SignerError/wrongPassword(attemptsLeft:)``; ``SignerError/commentTooLong(limit:)`` and
    ///   ``SignerError/commentInvalid``, before anything is counted.
    package func checkPassword(
        _ password: SecretBytes, ofItem index: Int, in proposal: inout Proposal, comment: String
    ) throws {
        try Self.checkComment(comment)
        let pending = try checkedPending(proposal)
        let requests = proposal.answer.requests
        guard requests.indices.contains(index) else { throw SignerError.nothingPending }
        let request = requests[index]
        let mnemonic = try seeds.mnemonic(named: request.key.details.seedName)
        let pair = try Self.derive(
            mnemonic, path: Self.path(request.key.details.path), password: password,
            scheme: request.scheme)
        guard pair.multiSigner == request.key.signer else {
            throw try countWrongPassword(for: pending, in: request, comment: comment, proposal: &proposal)
        }
    }

    /// A digest of everything that is stored, beside what waits for a decision.
    package func contentDigest() throws -> [UInt8] { try database.read { try StateDigest.state($0) } }
}
