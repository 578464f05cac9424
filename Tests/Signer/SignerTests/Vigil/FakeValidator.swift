import SecretMemory
import Signer
import Synchronization

/// A validator that says what the test wants, and counts how often it was asked.
final class FakeValidator: VerdictSource {
    private struct State {
        var answer: Result<SecretBytes?, VigilRefusal>
        var keyID = String(repeating: "ab", count: 32)
        var isPinned = true
        var count = 0
        var alert: VigilRefusal?
        var isOver = false
        var renewals = 0
        var lastRenewal: Int?
        var onLoss: (@Sendable () -> Void)?
        var onTimeOver: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    /// - Parameter grant: repeated to 32 bytes.
    init(grant: UInt8 = 7) throws {
        state = Mutex(State(answer: .success(try Self.grant(grant))))
    }

    static func grant(_ byte: UInt8, count: Int = 32) throws -> SecretBytes {
        try SecretBytes(count: count) { $0.initializeMemory(as: UInt8.self, repeating: byte) }
    }

    static let silence = VigilRefusal.noVerdict(reason: "no validator is running")

    func refuse(_ refusal: VigilRefusal = silence) { state.withLock { $0.answer = .failure(refusal) } }
    func give(_ grant: SecretBytes?) { state.withLock { $0.answer = .success(grant) } }
    func change(keyID: String) { state.withLock { $0.keyID = keyID } }
    func unpin() { state.withLock { $0.isPinned = false } }

    var count: Int { state.withLock(\.count) }

    /// Takes its word back in the session that is open, and not when it is asked anew.
    ///
    /// - Parameter isHeard: whether that is found out by itself.
    func alert(_ refusal: VigilRefusal = taken, isHeard: Bool = false) {
        let onLoss = state.withLock { state in
            state.alert = refusal
            return state.onLoss
        }
        if isHeard { onLoss?() }
    }

    static let taken = VigilRefusal.noVerdict(reason: "traced: the validator takes its word back")

    /// Takes its word back when it is asked within a session for the nth time from now on.
    func alert(atRenewal number: Int) { state.withLock { $0.lastRenewal = $0.renewals + number } }

    /// Lets the time of the session that is open be over.
    ///
    /// - Parameter isHeard: whether that is found out by itself.
    func expire(isHeard: Bool = false) {
        let onTimeOver = state.withLock { state in
            state.isOver = true
            return state.onTimeOver
        }
        if isHeard { onTimeOver?() }
    }

    /// How often it was asked within sessions.
    var renewals: Int { state.withLock(\.renewals) }

    func verdict() throws(VigilRefusal) -> Verdict? {
        let state = state.withLock { state in
            state.count += 1
            (state.alert, state.isOver, state.onLoss, state.onTimeOver) = (nil, false, nil, nil)
            return state
        }
        guard state.isPinned else { return nil }
        return Verdict(
            Verdict.Account(
                product: "casemate", validatorKeyID: state.keyID, levels: ["L0", "L1"], validatorLevels: ["L1"],
                isUserShared: false, isFirsthand: true,
                latency: .milliseconds(3)),
            grant: try state.answer.get(), vouching: Session(validator: self, number: state.count))
    }

    private struct Session: Vouching {
        let validator: FakeValidator
        let number: Int

        func goesOn() throws(VigilRefusal) -> Bool {
            let (alert, isOver) = validator.state.withLock { state in
                state.renewals += 1
                if state.renewals == state.lastRenewal { state.alert = FakeValidator.taken }
                return (state.alert, state.isOver)
            }
            if let alert { throw alert }
            return !isOver
        }

        func onEnd(lost: @escaping @Sendable () -> Void, over: @escaping @Sendable () -> Void) {
            validator.state.withLock { ($0.onLoss, $0.onTimeOver) = (lost, over) }
        }

        func end() {
            validator.state.withLock { state in
                // The next session has begun where an old one is ended late.
                guard state.count == number else { return }
                (state.onLoss, state.onTimeOver) = (nil, nil)
            }
        }
    }
}
