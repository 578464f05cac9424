extension MainKeyError {
    /// What happened where the case of an error does not tell it, for programs that know what to type then. The texts
    /// name no commands: windows show them as well, and other programs than the one that has the command.
    ///
    /// The raw value is how the reason of such an error ends, so that none is made without its words.
    package enum Situation: String, CaseIterable, Sendable {
        case softwareTPM = "if that is meant, it has to be allowed when the vault is protected by it"
        case otherTPM = "If it was replaced or cleared, it can be accepted; else somebody may be between"
        case noRecovery = "add a recovery code, or allow the hardware as the only way in"
        case rotationUnfinished = ", which has to be finished first"
        case otherOwner = ", which alone can seal its data anew"
        /// A mark of a wipe lies in the folder that nobody acts on.
        case falseWipeMark = "nothing was removed. To keep the vault, remove that file"
        case wipeUnfinished = "a wipe of it was begun and is not finished"
        case itemsPutBack = "restore all of the folder from one backup"
        case itemListLost = ", which lists the items, is missing or damaged"
        case filePutBack = "one that you restored yourself can be listed as it is"
        case fileNotListed = "It has to be listed first"
    }

    /// Nil where the case of the error says all.
    package var situation: Situation? {
        switch self {
        case .badMagic(.wipeMark), .unsupportedVersion(.wipeMark, found: _), .malformed(.wipeMark, reason: _),
            .truncated(.wipeMark):
            .falseWipeMark
        // Others end with a path, which says what its owner likes.
        case .notFound(let what) where what.hasPrefix("vault in "):
            Situation.wipeUnfinished.isEnd(of: what) ? .wipeUnfinished : nil
        case .notFound(let what) where what.hasPrefix("file that "):
            Situation.fileNotListed.isEnd(of: what) ? .fileNotListed : nil
        case .configError(let reason), .hardwareUnavailable(let reason), .tampered(let reason),
            .rolledBack(let reason):
            Situation.allCases.first { $0.isEnd(of: reason) }
        default: nil
        }
    }

    /// The program that alone rotates the vault, where a rotation is in the way; nil where any may.
    package var rotatingProgram: String? {
        guard case .configError(let reason) = self, let situation,
            situation == .rotationUnfinished || situation == .otherOwner
        else { return nil }
        let words = reason.dropLast(situation.rawValue.count).split(separator: " ")
        guard words.count > 1, words[words.count - 2] == "of" else { return nil }
        return String(words[words.count - 1])
    }
}

extension MainKeyError.Situation {
    fileprivate func isEnd(of reason: String) -> Bool { reason.hasSuffix(rawValue) }
}
