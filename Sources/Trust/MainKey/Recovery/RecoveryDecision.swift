/// What to do about a vault's folder when it is opened, which a crash may have left in between two states.
///
/// Nothing that a key might still be in is ever deleted on a guess. Source: `mainkey` section 14.
package enum RecoveryDecision: Equatable, Sendable {
    case useKeyFile
    /// Delete the new file and use the key file.
    case discardNew
    /// Rename the new file to the key file: the hardware's counter has moved already.
    case promoteNew
    /// There is no vault.
    case notFound
    /// The creation of the vault was never completed: delete the new file.
    case discardNewThenNotFound
    case finishWipeThenNotFound
    /// Report why the key file cannot be parsed.
    case reportKeyFile
    /// The key file is not whole, and what lies beside it may hold the key: a person has to choose.
    case recoverable
    /// The counter says which of two files is meant, and cannot be read now. Both stay.
    case counterNeeded
    case rolledBack
    case tampered

    package enum FileState: Equatable, Sendable {
        case absent
        /// The end of the file is missing, as when its writing was interrupted.
        case truncated
        /// The structure of the file breaks a rule.
        case invalid
        /// - Parameter anchor: the value of the rollback counter that it is bound to, if it is.
        case valid(generation: UInt64, anchor: UInt64?)
    }

    /// - Parameters:
    ///   - keyFile: the state of `keyring.mk`.
    ///   - new: the state of `keyring.mk.new`.
    ///   - counter: what the rollback counter gives, the hardware's or the application's; nil where there is none or it
    ///     cannot be read. The unlocking checks a file's anchor again.
    package init(isWiping: Bool, keyFile: FileState, new: FileState, counter: UInt64?) {
        if isWiping {
            self = .finishWipeThenNotFound
            return
        }
        self =
            switch (keyFile, new) {
            case (.absent, .absent): .notFound
            case (.absent, .valid(generation: 1, _)), (.absent, .truncated): .discardNewThenNotFound
            case (.absent, .valid), (.absent, .invalid), (.invalid, .valid), (.truncated, .valid): .recoverable
            case (.invalid, _), (.truncated, _): .reportKeyFile
            case (.valid(_, let anchor), .absent): Self.check(anchor, against: counter) ?? .useKeyFile
            case (.valid(_, let anchor?), .valid(_, let next?)) where anchor != .max && next == anchor + 1:
                Self.choose(anchor, counter)
            case (.valid(_, let anchor), _): Self.check(anchor, against: counter) ?? .discardNew
            }
    }

    /// - Returns: nil if the anchored file is the counter's, or that is not known yet.
    private static func check(_ anchor: UInt64?, against counter: UInt64?) -> RecoveryDecision? {
        guard let anchor, let counter, anchor != counter else { return nil }
        return counter > anchor ? .rolledBack : .tampered
    }

    /// Decides between a file anchored at a value and one anchored at the next.
    private static func choose(_ anchor: UInt64, _ counter: UInt64?) -> RecoveryDecision {
        guard let counter else { return .counterNeeded }
        return switch counter {
        case anchor: .discardNew
        case anchor + 1: .promoteNew
        default: counter > anchor ? .rolledBack : .tampered
        }
    }
}
