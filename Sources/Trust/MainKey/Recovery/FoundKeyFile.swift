/// What lies in the place of a key file after a crash.
struct FoundKeyFile {
    let state: RecoveryDecision.FileState
    /// The key file; nil if its structure breaks a rule, or there is none.
    let file: KeyFile?

    /// - Throws: `io` if it cannot be read, which is something else than damaged.
    init(_ name: String, in directory: VaultDirectory) throws(MainKeyError) {
        let bytes: [UInt8]?
        do throws(MainKeyError) { bytes = try directory.keyFile(name) } catch {
            guard case .malformed = error else { throw error }
            (state, file) = (.invalid, nil)
            return
        }
        guard let bytes else {
            (state, file) = (.absent, nil)
            return
        }
        do throws(MainKeyError) {
            let file = try KeyFile(parsing: bytes)
            self.file = file
            state = .valid(generation: file.generation, anchor: file.anchor.value)
        } catch {
            file = nil
            if case .truncated = error { state = .truncated } else { state = .invalid }
        }
    }

    /// The state of a new file: only one that is bound to the same counter as the key file is compared by it.
    func state(beside current: FoundKeyFile) -> RecoveryDecision.FileState {
        guard let file, let other = current.file, !file.anchor.hasCounter(of: other.anchor) else { return state }
        return .valid(generation: file.generation, anchor: nil)
    }
}

extension KeyFile.Anchor {
    fileprivate var value: UInt64? {
        switch self {
        case .absent: nil
        case .tpm(_, let value), .external(let value): value
        }
    }

    fileprivate func hasCounter(of other: KeyFile.Anchor) -> Bool {
        switch (self, other) {
        case (.tpm(let index, _), .tpm(let otherIndex, _)): index == otherIndex
        case (.external, .external): true
        default: false
        }
    }
}
