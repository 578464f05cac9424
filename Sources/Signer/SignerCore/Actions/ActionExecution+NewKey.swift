import Navigator
import SecretMemory
import Signer
import Substrate

/// New keys: their path, its password once more, further ones like another.
extension ActionExecution {
    /// What became of a key that is made.
    enum Making {
        case made
        /// The key is there already, under this public key.
        case there(MultiSigner?)
        case failed

        var isMade: Bool { if case .made = self { true } else { false } }
        var exists: Bool { if case .there = self { true } else { false } }
        var collision: MultiSigner? { if case .there(let key) = self { key } else { nil } }
    }

    func attemptMaking() -> Making {
        do {
            guard let seed = state.seed else { throw CoreError.noSeedChosen }
            guard let key = state.network, let network = try vault().networks().first(where: { $0.key == key }) else {
                throw CoreError.noNetworks
            }
            try checkPhrasesUnlessPassword(seed)
            let (path, password) = try typedPath()
            if let password { try checkRepeated(path, password) }
            do {
                _ = try vault().deriveKey(seed: seed, path: path, password: password, network: network)
                return .made
            } catch let error as SignerError {
                guard case .derivationExists = error else { throw error }
                failure = error
                return .there(
                    try shownKeys().first { key in
                        key.details.path.utf8.elementsEqual(path.utf8) && key.details.hasPassword == (password != nil)
                    }?.signer)
            }
        } catch {
            failure = error
            return .failed
        }
    }

    /// The path in the data, and its password: behind three slashes, or the secret where nothing is behind them.
    private func typedPath() throws -> (path: String, password: SecretBytes?) {
        guard let mark = data.utf8.firstRange(of: "///".utf8) else { return (data, nil) }
        let path = String(data[..<mark.lowerBound])
        var typed = Array(data.utf8[mark.upperBound...])
        if typed.isEmpty {
            guard let secret, secret.count > 0 else {
                throw SignerError.invalidDerivation(reason: "There is no password behind the three slashes.")
            }
            return (path, secret)
        }
        return (path, try SecretBytes(movingFrom: &typed))
    }

    private func checkPhrasesUnlessPassword(_ seed: String) throws {
        if data.utf8.suffix(3).elementsEqual("///".utf8) { return }
        try checkPhrases(of: [seed])
    }

    /// The password is the one that was typed before, for the same path.
    private func checkRepeated(_ path: String, _ password: SecretBytes) throws {
        guard let held = state.heldPath, held.path.utf8.elementsEqual(path.utf8), held.password == password else {
            throw CoreError.passwordConfirmMismatch
        }
    }

    func pathHasPassword() -> Bool {
        succeeds {
            let (path, password) = try typedPath()
            guard let password else { throw CoreError.passwordMissing }
            try vault().checkPath(path)
            state.heldPath = CoreState.HeldPath(path: path, password: password)
        }
    }

    /// Further keys at once, at the most.
    private static let mostAtOnce: UInt32 = 255

    func increments() -> Bool {
        guard case .swiped(let key) = state.specialty, let network = state.network else { return false }
        return succeeds {
            guard let seed = state.seed else { throw CoreError.noSeedChosen }
            guard let count = UInt32(data), 1...Self.mostAtOnce ~= count else { throw CoreError.incrementCount }
            try checkPhrases(of: [seed])
            try vault().increment(key, in: network, count: count)
        }
    }

    /// Gives the secret of the key out; from then on it counts as exposed.
    func exportSecret() throws {
        guard let key = state.key, let network = state.network else { throw CoreError.keyUnknown(key: "") }
        state.exported = try vault().exportedSecret(of: key, in: network, password: secret)
    }
}
