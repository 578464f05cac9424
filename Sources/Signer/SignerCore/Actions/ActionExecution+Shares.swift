import Navigator
import SecretMemory
import Signer
import SplitBackup
import Substrate

/// Split backups: making shares, and putting a seed together from them.
extension ActionExecution {
    // MARK: Recovering

    /// Whether the share that was scanned belongs to the set.
    ///
    /// - Parameter completing: whether it is asked if the share is the last that is needed.
    func sharesAreTaken(completing: Bool) -> Bool {
        taken && (!completing || state.shares?.isComplete ?? false)
    }

    /// Takes the share into the set.
    func attemptTaking() -> Bool {
        succeeds {
            guard detector.permitsSecrets else { throw CoreError.detectorNotSafe }
            let share = try BackupShare(reading: Array(data.utf8))
            if var shares = state.shares {
                try shares.add(share)
                state.shares = shares
            } else {
                state.shares = try ShareSet(share)
            }
        }
    }

    /// Recovers the phrase and stores it under the name in the data, or under what the title of the split amounts to.
    ///
    /// - Returns: the name.
    func attemptRecovering() -> Outcome<String> {
        do {
            guard var shares = state.shares else { throw CoreError.notPending }
            defer { state.shares = shares }
            let title = shares.title
            let name = try vault().checkedSeedName(data.isEmpty ? SeedName.proposed(for: title) ?? title : data)
            guard let secret else { throw ShareError.decodingFailed(attemptsLeft: shares.attemptsLeft) }
            try vault().recoverSeed(named: name, from: &shares, passphrase: secret, withRoots: true)
            return .done(name)
        } catch ShareError.decodingFailed(let left) {
            failure = ShareError.decodingFailed(attemptsLeft: left)
            return .wrong(attemptsLeft: left)
        } catch {
            failure = error
            return .failed
        }
    }

    func takeRecoveredSeed() {
        guard case .done(let name) = recovering else { return }
        try? chooseSeed(name)
    }

    // MARK: Splitting

    /// Splits the seed as the data say: how many shares, a comma, how many are needed.
    func splits() -> Bool {
        succeeds {
            guard let seed = state.seed else { throw CoreError.noSeedChosen }
            try checkPhrases(of: [seed])
            let numbers = data.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
            guard 1...2 ~= numbers.count, let total = numbers[0], let required = numbers.last else {
                throw CoreError.splitNumbers
            }
            let plan = try SplitPlan(total: total, required: numbers.count == 2 ? required : nil)
            let split = try vault().split(seed: seed, plan: plan, from: host.random)
            // The words are shown behind the shares here, so nobody can have typed them back yet.
            let shares = try vault().shares(of: split, confirming: split.passphrase)
            state.split = CoreState.ShownSplit(split: split, shares: shares)
        }
    }

    func allSharesWereShown() -> Bool {
        guard let split = state.split else { return false }
        let left = split.shares.count - split.shown.count
        guard left == 0 else {
            failure = CoreError.sharesNotShown(left: left)
            return false
        }
        return true
    }

    /// Ends a split, or a recovery. A passphrase that is typed back is the one that was shown.
    func wipeShares() throws {
        if action == .goForward, let split = state.split, let secret {
            try split.split.confirm(secret)
        }
        (state.shares, state.split) = (nil, nil)
    }
}
