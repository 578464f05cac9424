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
    /// The title of the place.
    public var place: String
    /// How many values were sealed anew.
    public var done: Int
    /// How many there are to seal anew.
    public var total: Int
}
