import BasicFoundation
import MainKey

extension Vault {
    /// What a rotation did.
    package struct Rotation: Sendable {
        /// The epoch that everything is sealed in now.
        package var epoch: UInt32
        /// How many values were sealed anew, by their place.
        package var sealed: [String: Int]
        /// Whether the MainKey is new too.
        package var isRekeyed: Bool
    }

    /// How far a rotation is.
    package struct RotationStatus: Sendable {
        package struct Place: Sendable {
            package var title: String
            package var total: Int
            /// Entries that are not of the active epoch.
            package var old: Int
        }

        package var isUnderWay: Bool
        /// The number of the active epoch.
        package var epoch: UInt32
        package var places: [Place]
    }

    /// Seals all that is private in a vault anew under a new key of the data, and forgets the old key.
    ///
    /// Content, log and its digests stay what they are. Others can look at the vault meanwhile. Killed at any moment
    /// nothing is lost, and the next call goes on where this one stopped.
    ///
    /// - Parameters:
    ///   - unlocking: a person is asked, whatever session there is.
    ///   - renewal: makes a new MainKey first, so that an old copy of the key file and an old PIN open nothing new; nil
    ///     keeps it.
    /// - Throws: ``SignerError``; `vaultBusy` while another program has the vault open for changes.
    package static func rotate(
        _ folder: URL, unlocking: Unlocking, renewal: KeyRenewal? = nil,
        progress: (RotationProgress) throws -> Void = { _ in }
    ) throws -> Rotation {
        guard !VaultMigration.isNeeded(in: folder) else { throw SignerError.firstKind(folder: folder.path) }
        var credential = Credential.none
        let vault = try open(
            folder, for: .write, unlocking: unlocking, now: { Date() },
            first: { credential = try $0.reopened().credential })
        return try vault.rotate(renewal, authenticatedBy: credential, progress)
    }

    /// The same of a vault that is open, after the person showed to be allowed to.
    ///
    /// - Parameter renewal: makes a new MainKey first; nil keeps it.
    package func rotate(renewal: KeyRenewal? = nil) throws -> Rotation {
        guard let key else { throw SignerError.firstKind(folder: folder.path) }
        return try rotate(renewal, authenticatedBy: try key.reopened().credential) { _ in }
    }

    private func rotate(
        _ renewal: KeyRenewal?, authenticatedBy credential: Credential, _ progress: (RotationProgress) throws -> Void
    ) throws -> Rotation {
        guard let key else { throw SignerError.firstKind(folder: folder.path) }
        var sealed: [String: Int] = [:]
        func rotate() throws {
            try self.rotate(key) {
                sealed[$0.place] = $0.done
                try progress($0)
            }
        }
        if let renewal {
            // The key of a rotation that is under way may be in a copy already.
            if try key.status().isRotating { try rotate() }
            try key.rekey(renewal, authenticatedBy: credential)
        }
        try rotate()
        return Rotation(
            epoch: try key.status().activeEpoch, sealed: sealed, isRekeyed: renewal != nil)
    }

    func rotate(_ key: VaultKey, _ progress: (RotationProgress) throws -> Void) throws {
        // What cannot be read now would not be there afterwards, so it is found out before anything is begun.
        let before = try content()
        try key.rotate(
            rotationPlaces(key),
            check: {
                guard try content() == before else {
                    throw SignerError.databaseDamaged(.file(path: folder.path, reason: "it was sealed wrongly"))
                }
            }, progress: progress)
    }

    /// Everything private, in short: the digest of all rows, after the log was checked, and the names of the seeds.
    private func content() throws -> [[UInt8]] {
        let (log, state) = try database.read { trees in
            try trees.check()
            return (try HistoryLog.stored(trees), try StateDigest.state(trees))
        }
        try log.verified()
        return [state] + (try seeds.names().map { Array($0.utf8) })
    }

    /// How many values are of which epoch. Needs no key.
    package func rotationStatus() throws -> RotationStatus {
        guard let key else { throw SignerError.firstKind(folder: folder.path) }
        let status = try key.status()
        let epoch = status.activeEpoch
        let places = try (rotationPlaces(key) + [key.engine.itemRotation]).map { place in
            let (total, old) = try place.count(active: epoch)
            return RotationStatus.Place(title: place.title, total: total, old: old)
        }
        return RotationStatus(isUnderWay: status.isRotating, epoch: epoch, places: places)
    }

    /// Everything of a vault that is sealed, but for what the key keeps itself.
    private func rotationPlaces(_ key: VaultKey) -> [any RotationPlace] {
        [RowRotation(database: database), SealedSeeds(path: Self.seedsPath(folder), key: key)]
    }
}

extension VaultStatus {
    fileprivate var activeEpoch: UInt32 { epochs.first { $0.isActive }?.number ?? 0 }
}
