import CodeMeasurement
import Vigil

/// What a validator asks of an app, and for how long its word counts.
///
/// Source: `vigil` sections 4.4, 7.8, 9.1 and 12.1.
public struct ValidatorPolicy: Sendable {
    /// Levels without which no verdict is positive.
    public var requiredLevels: Levels = .requiredByDefault
    /// The digests that the two sides compare.
    public var profile: HashProfile = .text2
    /// The time without a word of the app after which the session ends.
    public var timeToLive: Duration = .seconds(90)
    /// The time after which a new handshake is needed.
    public var sessionTime: Duration = .seconds(600)
    /// The time between two looks at an app that the validator takes unasked.
    public var scanInterval: Duration = .seconds(1)
    /// The time between two looks that read the files again, where they belong to the required levels.
    public var fileInterval: Duration = .seconds(600)
    /// The percentage by which intervals vary, so that it cannot be foretold when the next look comes.
    public var jitterPercent = 20
    /// The time that each step of a handshake may take.
    public var stateTime: Duration = .seconds(5)
    /// The time that each message may take, once it has begun.
    public var frameTime: Duration = .seconds(2)
    /// Whether the app is asked to say what it thinks of the verdict.
    public var wantsConfirmation = false
    /// Whether an app is pinned only if it has the token of its installer.
    public var requiresToken = true
    /// Whether apps that speak version 1 of the protocol are answered, where the identity has the hashes of it.
    public var allowsVersionOne = false
    /// How long the challenge waits where version 1 is allowed: an app of version 1 takes the first message that it
    /// gets for its answer.
    public var firstWordTime: Duration = .milliseconds(200)
    /// How much of it one user may take up.
    package var limits = Limits()

    /// Makes a policy with the values that are named at each property.
    public init() {}

    /// How many connections and questions are answered.
    package struct Limits: Sendable {
        /// Connections of all users.
        package var connections = 64
        /// Connections of one user.
        package var connectionsOfUser = 16
        /// Connections of one user that have no verdict yet; they count among ``connectionsOfUser``.
        package var halfOpenOfUser = 4
        /// Connections of one user of which it is not known yet what they run; they count beside ``connectionsOfUser``.
        package var pendingOfUser = 16
        /// Handshakes of one user within a second.
        package var handshakesPerSecond = 10
        /// Revalidations of one user's sessions within a second.
        package var revalidationsPerSecond = 50
        /// Evidence for one user within a second.
        package var evidencePerSecond = 1
        /// Pings of one user within a second.
        package var pingsPerSecond = 50

        /// Makes limits with the values that are named at each property.
        package init() {}
    }
}
