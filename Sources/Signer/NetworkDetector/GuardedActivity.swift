/// What brings secrets into memory, or changes what they are used for, and is refused while the detector is not safe.
///
/// Not among it: reading the log, settings, reading payloads, taking updates of networks, removing keys and seeds.
///
/// Source: `signer-product` section 5.
public enum GuardedActivity: String, CaseIterable, Sendable {
    case onboarding, newSeed, recoverSeed, splitRecovery, splitBackup, seedBackup, newKey, secretExport
    case signing, dynamicDerivation, keySetImport, wipe, selfSigning, seedRenaming, protectionChange

    /// What it is called where it is refused.
    package var name: String {
        switch self {
        case .onboarding: "Setting up a vault"
        case .newSeed: "Making a seed"
        case .recoverSeed: "Recovering a seed"
        case .splitRecovery: "Recovering a seed from shares"
        case .splitBackup: "Splitting a seed into shares"
        case .seedBackup: "Showing a phrase"
        case .newKey: "Making a key"
        case .secretExport: "Exporting a secret"
        case .signing: "Signing"
        case .dynamicDerivation: "Deriving keys"
        case .keySetImport: "Importing keys"
        case .wipe: "Wiping the vault"
        case .selfSigning: "Signing an update"
        case .seedRenaming: "Renaming a seed"
        case .protectionChange: "Changing what protects the vault"
        }
    }
}

extension NetworkDetector {
    /// Whether an activity is allowed now. A host looks at the network again before it asks.
    ///
    /// - Throws: ``DetectorError/notSafe(_:_:)``.
    public func check(_ activity: GuardedActivity) throws(DetectorError) {
        guard state == .safe else { throw .notSafe(activity, state) }
    }
}

/// Why the detector refuses something. ``code`` is stable; the text says what happened and what to do.
public enum DetectorError: Error, Equatable, Sendable {
    /// There is nothing to acknowledge in this state.
    case ackNotPossible(NetworkDetector.State?)
    /// An activity in a state that is not safe.
    case notSafe(GuardedActivity, NetworkDetector.State?)

    public var code: String {
        switch self {
        case .ackNotPossible: "AckNotPossible"
        case .notSafe: "DetectorNotSafe"
        }
    }
}

extension DetectorError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .ackNotPossible(let state):
            "There is nothing to acknowledge: \(Self.text(state))."
                + (state == .connected ? " Disconnect it; what it was connected to is acknowledged then." : "")
        case .notSafe(let activity, let state):
            "\(activity.name) was refused: \(Self.text(state)). \(Self.advice(state))"
        }
    }

    /// What a state of the detector means.
    package static func text(_ state: NetworkDetector.State?) -> String {
        switch state {
        case .safe: "this machine has no network, and had none since the last acknowledgement"
        case .connected: "this machine is connected to a network"
        case .wasOnline: "this machine was connected to a network"
        case .error: "it cannot be told whether this machine is connected to a network"
        case nil: "nobody has looked yet whether this machine is connected to a network"
        }
    }

    /// What to do in a state of the detector.
    package static func advice(_ state: NetworkDetector.State?) -> String {
        switch state {
        case .connected: "Unplug cables and switch radios off."
        case .wasOnline: "Think of what may have come in, then acknowledge it."
        case .error: "See which probe fails, and mend that."
        case .safe, nil: "Look again."
        }
    }
}
