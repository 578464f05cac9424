import Navigator
import SecretMemory
import Signer
import Substrate

/// Signing what was scanned.
///
/// Source: `signer-product` section 7.2.
extension ActionExecution {
    /// What became of something that a password opens.
    enum Outcome<Value> {
        case done(Value)
        /// The password fits, and the next item needs one too.
        case needsNext
        case wrong(attemptsLeft: Int)
        case failed

        var isDone: Bool { if case .done = self { true } else { false } }
        var needsNext: Bool { if case .needsNext = self { true } else { false } }
        /// Nil unless the password was wrong.
        var attemptsLeft: Int? { if case .wrong(let left) = self { left } else { nil } }
    }

    // MARK: Dangers

    /// The dangers that are still to be confirmed.
    var openConfirmations: [Confirmation] {
        guard let transaction = state.transaction else { return [] }
        return transaction.proposal?.answer.confirmations.missing(from: transaction.confirmations) ?? []
    }

    func riskIsOpen() -> Bool {
        guard host.confirmsDangers else { return false }
        return state.position.screen == .signSufficientCrypto ? contentRiskIsOpen() : !openConfirmations.isEmpty
    }

    func acknowledges() -> Bool {
        succeeds {
            let isOfContent = state.position.screen == .signSufficientCrypto
            let open = try isOfContent ? openContentConfirmations() : openConfirmations
            guard open.contains(where: { $0.text == data }) else { throw CoreError.riskNotAcknowledged }
        }
    }

    func acknowledge() {
        if state.position.screen == .signSufficientCrypto {
            state.signing?.confirmations.append(data)
        } else {
            state.transaction?.confirmations.append(data)
        }
    }

    // MARK: Signatures

    func nextNeedsPassword() -> Bool {
        guard let (transaction, proposal) = try? pending(), transaction.nextWithPassword != nil else { return false }
        // What keeps it from being signed anyway is an error before a password is asked for.
        return succeeds {
            try checkPhrases(of: proposal.answer.requests.map(\.key.details.seedName))
            try Vault.checkComment(data)
        }
    }

    func attemptSigning() -> Outcome<SignedAnswer> {
        do { return try signStep() } catch let error as SignerError {
            failure = error
            guard case .wrongPassword(let left) = error else { return .failed }
            state.transaction?.attempts += 1
            return .wrong(attemptsLeft: left)
        } catch {
            failure = error
            return .failed
        }
    }

    /// The password of a key that has one. An empty one would only cost an attempt.
    func typedPassword() throws -> SecretBytes {
        let password = try secretOrData()
        guard password.count > 0 else { throw CoreError.passwordEmpty }
        return password
    }

    private func signStep() throws -> Outcome<SignedAnswer> {
        guard var (transaction, proposal) = Optional(try pending()) else { return .failed }
        // A wrong password binds what waits to the vault's new state.
        defer { state.transaction = transaction }
        defer { transaction.proposal = proposal }
        var asked: MultiSigner?
        if state.position.modal == .enterPassword {
            guard let next = transaction.nextWithPassword else { throw CoreError.notPending }
            let password = try typedPassword()
            try vault().checkPassword(password, ofItem: next.index, in: &proposal, comment: transaction.comment)
            asked = next.request.key.signer
            transaction.passwords[next.request.key.signer] = password
            if transaction.nextWithPassword != nil { return .needsNext }
        } else {
            try checkPhrases(of: proposal.answer.requests.map(\.key.details.seedName))
            transaction.comment = data
        }
        let texts =
            host.confirmsDangers ? transaction.confirmations : proposal.answer.confirmations.map(\.text)
        do {
            let signed = try vault().sign(
                &proposal, passwords: transaction.passwords, confirmations: texts, comment: transaction.comment)
            transaction.answer = CodeData(signed)
            return .done(signed)
        } catch {
            // The page stays, and asks for a password: for the one that it has taken last.
            if let asked { transaction.passwords[asked] = nil }
            throw error
        }
    }

    /// The answer is kept to be shown; passwords are not.
    func takeSignature() {
        guard signing.isDone else { return }
        state.transaction?.passwords = [:]
    }
}
