import BasicFoundation
import SecretMemory

/// The beginning of an epoch.
extension KeyFile {
    /// Whether a rotation was begun and is not finished.
    var isRotating: Bool { flags.contains(.rotationInProgress) }

    /// - Parameter program: the application that alone rotates the vault; nil where anybody may.
    /// - Throws: `configError` where no epoch can be begun before the old ones are forgotten.
    func checkRoomForEpoch(program: String?) throws(MainKeyError) {
        guard epochs.count < Self.epochCounts.upperBound else {
            let rotation = program.map { "a rotation of \($0)" } ?? "a rotation"
            throw .configError(
                reason:
                    "\(epochs.count) keys of the data are held already by \(rotation)"
                    + MainKeyError.Situation.rotationUnfinished.rawValue)
        }
    }

    /// Gives new data a new key: the others retire, and a rotation is under way until they are forgotten.
    ///
    /// - Parameter secrets: those that the epochs are wrapped under.
    mutating func beginEpoch(under secrets: MainKeySecrets) throws(MainKeyError) {
        for index in epochs.indices where epochs[index].state == .active {
            let old = epochs[index]
            epochs[index] = try EpochRecord(
                epoch: old.epoch, createdAt: old.createdAt, state: .retiring, key: try old.open(under: secrets),
                under: secrets)
        }
        epochs.append(
            try EpochRecord(
                epoch: activeEpoch + 1, createdAt: UInt64(max(0, Date().timeIntervalSince1970)), state: .active,
                key: try secret { try SecretBytes.drawn(count: 32) }, under: secrets))
        flags.insert(.rotationInProgress)
    }
}
