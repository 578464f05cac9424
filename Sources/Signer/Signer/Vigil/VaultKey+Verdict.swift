import MainKey
import SecretMemory

extension VaultKey {
    /// What the validator that the vault needs, or that is pinned, says of this program, asked if it was not since the
    /// program last waited for a person.
    ///
    /// - Returns: nil where none is pinned and the vault needs none, or the recovery code opened it, which is what
    ///   remains without one.
    /// - Throws: ``SignerError/vigil(_:)`` where it does not vouch, or is another one.
    @discardableResult
    public func verdict() throws -> Verdict.Account? {
        let (known, isRecovered, required) = state.withLock { ($0.verdict, $0.isRecovered, $0.requiredValidator) }
        guard !isRecovered else { return nil }
        let account: Verdict.Account?
        if let known { account = known } else { account = try freshVerdict()?.account }
        guard let required, required != account?.validatorKeyID else { return account }
        guard let account else { throw SignerError.vigil(.noValidator(bound: required)) }
        throw SignerError.vigil(.otherValidator(bound: required, answering: account.validatorKeyID))
    }

    /// Asks the validator now; nil where none is pinned.
    ///
    /// - Throws: ``SignerError/vigil(_:)``, also where it took back what it said before, for which the vault locks.
    func freshVerdict() throws -> Verdict? {
        guard let source = unlocking.vigil else { return nil }
        try endVouching()
        do throws(VigilRefusal) {
            let verdict = try source.verdict()
            let number = state.withLock { state in
                state.verdict = verdict?.account
                return state.take(verdict?.vouching)
            }
            watch(verdict, number)
            return verdict
        } catch {
            throw SignerError.vigil(error)
        }
    }

    /// Locks the vault when the validator takes its word back, or gives no other one when the session's time is over.
    private func watch(_ verdict: Verdict?, _ number: Int) {
        guard let verdict, let vouching = verdict.vouching else { return }
        vouching.onEnd(
            lost: { [weak engine] in engine?.lock() },
            over: { [weak self] in self?.renewVouching(number, by: verdict.account.validatorKeyID) })
    }

    /// Has the validator look on in another session, for as long as the vault is open.
    ///
    /// What was said counts no longer by that: who waits for a person asks anew behind it all the same.
    ///
    /// - Parameters:
    ///   - number: of the session whose time is over.
    ///   - validator: the key by which its word was given.
    private func renewVouching(_ number: Int, by validator: String) {
        guard engine.state == .unlocked, state.withLock({ $0.vouchings == number }) else { return }
        guard let verdict = try? unlocking.vigil?.verdict(), verdict.account.validatorKeyID == validator else {
            return engine.lock()
        }
        let (renewed, old) = state.withLock { state -> (Int?, (any Vouching)?) in
            // Somebody has asked meanwhile, for whom another session goes on.
            guard state.vouchings == number else { return (nil, verdict.vouching) }
            let old = state.vouching
            return (state.take(verdict.vouching), old)
        }
        old?.end()
        if let renewed { watch(verdict, renewed) }
    }

    /// Has the validator asked again before seeds are opened. Its session stays: what the validator says in it
    /// meanwhile is taken up then.
    func forgetVerdict() { state.withLock { $0.verdict = nil } }

    /// Makes sure, before anything leaves that came of seeds, that the validator still vouches for the program that
    /// opened them.
    ///
    /// - Throws: ``SignerError/vigil(_:)``; the vault locks then, and nothing secret stays in memory.
    func confirmVouched() throws {
        let (vouching, isAsked) = state.withLock { ($0.vouching, $0.verdict != nil && !$0.isRecovered) }
        guard isAsked else { return }
        do {
            // Without a session, or in one whose time is over, it is asked from the beginning.
            if let vouching, try Self.goesOn(vouching) { return }
            forgetVerdict()
            try verdict()
        } catch {
            // It was said now, and is not said once more when the vault is opened next.
            state.withLock { state in
                state.verdict = nil
                state.take(nil)
            }
            engine.lock()
            throw error
        }
    }

    /// Ends the session with the validator, after taking what it has to say.
    ///
    /// - Throws: ``SignerError/vigil(_:)`` where it took its word back; the vault locks then.
    func endVouching() throws {
        let vouching = state.withLock { state in
            defer {
                state.verdict = nil
                state.take(nil)
            }
            return state.vouching
        }
        guard let vouching else { return }
        defer { vouching.end() }
        do { _ = try Self.goesOn(vouching) } catch {
            engine.lock()
            throw error
        }
    }

    private static func goesOn(_ vouching: any Vouching) throws -> Bool {
        do throws(VigilRefusal) { return try vouching.goesOn() } catch { throw SignerError.vigil(error) }
    }

    // MARK: Opening

    /// What follows from what the vault itself says of validators, as soon as it is open.
    ///
    /// - Throws: what keeps it closed; it is locked again then.
    func checkValidator() throws {
        let isRecovered = state.withLock { state in
            state.requiredValidator = nil
            return state.isRecovered
        }
        // The recovery code is what opens a vault whose validator is lost.
        guard !isRecovered else { return }
        do {
            let mark = try checkedMark()
            state.withLock { $0.requiredValidator = mark.validatorKeyID }
            guard let account = try verdict(), mark.validatorKeyID == nil, !mark.isReleased else { return }
            try require(account)
            state.withLock { $0.requiredValidator = account.validatorKeyID }
        } catch {
            engine.lock()
            throw error
        }
    }
}

extension VaultKey.OpeningState {
    /// - Returns: the number of the session that goes on from now on.
    @discardableResult
    fileprivate mutating func take(_ vouching: (any Vouching)?) -> Int {
        self.vouching = vouching
        vouchings += 1
        return vouchings
    }
}
