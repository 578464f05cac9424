import CodeMeasurement
import Vigil

/// What a validator asks of an app, and for how long its word counts.
///
/// Source: `vigil` sections 4.4, 7.8, 9.1 and 12.1.
public struct ValidatorPolicy: Sendable {
    /// Levels without which no verdict is positive.
    public var requiredLevels: Levels = .requiredByDefault
    public var profile: HashProfile = .text2
    /// Without a word of the app for so long, the session ends.
    public var timeToLive: Duration = .seconds(90)
    /// After so long a new handshake is needed.
    public var sessionTime: Duration = .seconds(600)
    /// Between two looks at an app that nobody asked for.
    public var scanInterval: Duration = .seconds(1)
    /// Between two looks that read the files again, where they belong to the required levels.
    public var fileInterval: Duration = .seconds(600)
    /// By how much intervals vary, so that nobody knows when the next look comes.
    public var jitterPercent = 20
    /// For each step of a handshake.
    public var stateTime: Duration = .seconds(5)
    /// For each message, once it has begun.
    public var frameTime: Duration = .seconds(2)
    /// Whether the app is asked to say what it thinks of the verdict.
    public var wantsConfirmation = false
    /// Whether an app is pinned only if it has the token of its installer.
    public var requiresToken = true
    /// Whether apps that speak version 1 of the protocol are answered, where the identity has the hashes of it.
    public var allowsVersionOne = false
    /// Where they are: for how long the challenge waits, as an app of version 1 takes the first word it hears for its
    /// answer.
    public var firstWordTime: Duration = .milliseconds(200)
    public var limits = Limits()

    public init() {}

    public struct Limits: Sendable {
        public var connections = 64
        public var connectionsOfUser = 16
        /// Among them, those without a verdict yet.
        public var halfOpenOfUser = 4
        /// Besides, those of which it is not known yet what they run.
        public var knockingOfUser = 16
        /// Handshakes of one user within a second.
        public var handshakesPerSecond = 10
        /// Of one user, within sessions.
        public var revalidationsPerSecond = 50
        public var evidencePerSecond = 1
        public var pingsPerSecond = 50

        public init() {}
    }
}
