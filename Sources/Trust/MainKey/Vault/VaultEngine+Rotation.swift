import Foundation
import SecretMemory

/// A place of sealed data that a rotation covers: columns of a database, a folder of files, tokens and items.
///
/// The data tells its own state, by the epoch in each value: after a crash the same call goes on where it stopped.
public protocol RotationPlace {
    /// The name of the place, for progress and messages.
    var title: String { get }

    /// How many values there are, and how many of them are not of the active epoch.
    func count(active epoch: UInt32) throws -> (total: Int, old: Int)

    /// Seals everything anew that is not of the active epoch.
    ///
    /// - Parameter done: called with the number of values that were sealed since the last call.
    func reseal(in vault: borrowing UnlockedVault, done: (Int) throws -> Void) throws
}

/// What a rotation has done.
public struct RotationProgress: Hashable, Sendable {
    public var place: String
    public var done: Int
    public var total: Int
}

extension VaultEngine {
    /// Gives new data a new key. Old data stays readable until ``finishRotation(_:)``.
    ///
    /// A rotation that is under way goes on instead.
    package func beginRotation(by owner: String? = nil) throws(MainKeyError) {
        try checkOwner(owner)
        try exclusively { () throws(MainKeyError) in
            if try unlocked().file.flags.contains(.rotationInProgress) { return }
            CrashPoint.reach("rotate.begin")
            try change { (file, secrets) throws(MainKeyError) in
                guard file.epochs.count < KeyFile.epochCounts.upperBound else {
                    throw MainKeyError.configError(reason: "four epochs are held already: finish the rotation first")
                }
                for index in file.epochs.indices where file.epochs[index].state == .active {
                    let key = try file.epochs[index].open(under: secrets)
                    file.epochs[index] = try EpochRecord(
                        epoch: file.epochs[index].epoch, createdAt: file.epochs[index].createdAt, state: .retiring,
                        key: key, under: secrets)
                }
                let key = try secret { try SecretBytes.drawn(count: 32) }
                file.epochs.append(
                    try EpochRecord(
                        epoch: file.activeEpoch + 1, createdAt: UInt64(max(0, Date().timeIntervalSince1970)),
                        state: .active, key: key, under: secrets))
                file.flags.insert(.rotationInProgress)
            }
            CrashPoint.reach("rotate.begun")
        }
    }

    /// Refuses for a vault of another application: its data would be lost.
    ///
    /// - Parameter owner: the application that asks; nil for none in particular.
    package func checkOwner(_ owner: String?) throws(MainKeyError) {
        guard let bytes = try directory.files.read(Name.owner, limit: 256) else { return }
        let found = String(decoding: bytes, as: UTF8.self)
        guard found != owner else { return }
        throw .configError(
            reason: "\(path) is the vault of \(found), which alone can seal its data anew. Run: \(found) rotate")
    }

    /// Forgets the old keys: what is still sealed under them is lost from here on.
    ///
    /// - Parameter places: all that the application has; anything old in them refuses. Items and tokens are always
    ///   covered.
    package func finishRotation(_ places: [any RotationPlace]) throws {
        let active = try unlocked().1.keys.active
        for place in places {
            let (_, old) = try place.count(active: active)
            guard old == 0 else { throw Self.unfinished(place.title, old) }
        }
        CrashPoint.reach("rotate.finish")
        try exclusively { () throws(MainKeyError) in
            try change { (file, _) throws(MainKeyError) in
                // Another process may have begun the next rotation, and old is then something else.
                guard file.activeEpoch == active else {
                    throw .configError(reason: "another process has begun another rotation: run this one again")
                }
                // Others store items under the same lock, so that none appears behind this.
                let (_, old) = try countItems(active: active)
                guard old == 0 else { throw Self.unfinished(itemRotation.title, old) }
                file.epochs.removeAll { $0.state == .retiring }
                file.flags.remove(.rotationInProgress)
            }
        }
        CrashPoint.reach("rotate.finished")
    }

    private static func unfinished(_ place: String, _ old: Int) -> MainKeyError {
        .configError(reason: "\(place) still has \(old) values of old keys: run the rotation again")
    }

    /// Seals everything in `places` anew under a new key and forgets the old ones. Run it again after a crash.
    ///
    /// It is one use of the vault: one that locks after each use locks when this is over.
    ///
    /// - Parameters:
    ///   - owner: the application that rotates. One that says in ``VaultOptions/owner`` that it alone knows its data is
    ///     the only one.
    ///   - keepsOldEpoch: leaves the old keys, for data in places that are not known here.
    package func rotate(
        _ places: [any RotationPlace], by owner: String? = nil, keepsOldEpoch: Bool = false,
        progress: (RotationProgress) throws -> Void = { _ in }
    ) throws {
        try withUnlocked { vault in
            try beginRotation(by: owner)
            for place in places + [itemRotation] {
                let (_, old) = try place.count(active: try vault.activeEpoch)
                var done = 0
                try progress(RotationProgress(place: place.title, done: 0, total: old))
                try place.reseal(in: vault) { count in
                    CrashPoint.reach("rotate.batch")
                    done += count
                    note(.access)
                    try progress(RotationProgress(place: place.title, done: done, total: max(old, done)))
                }
            }
            if !keepsOldEpoch { try finishRotation(places) }
        }
    }
}
