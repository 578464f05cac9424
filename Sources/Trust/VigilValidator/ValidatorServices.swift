import BasicFoundation
import CodeMeasurement
import HardwareKeys
import Synchronization
import Vigil

/// What the conversations of one validator share.
///
/// Clock, calendar and chance come from outside, so that tests decide them.
struct ValidatorServices: Sendable {
    let identity: ValidatorIdentity
    let policy: ValidatorPolicy
    let pins: any PinStore
    let window: any ProvisioningWindow
    /// What evidence says beside what was measured; nil where none is given.
    let evidence: EvidenceSource?
    let calendar: @Sendable () -> Date
    /// A random number between 0 and 1.
    let chance: @Sendable () -> Double
    let rates: SessionRates
    let inspections: AppInspections

    /// The levels of looks that the validator takes unasked: what the kernel tells without reading files.
    var scanLevels: Levels {
        policy.requiredLevels.intersection([.mapShape, .codePages, .contents, .behaviour])
    }

    /// Nil where version 1 is not spoken.
    var versionOneHashes: VersionOne.Hashes? { policy.allowsVersionOne ? identity.versionOneHashes : nil }

    /// The time until the next look, varied so that it cannot be foretold.
    var nextInterval: Duration {
        let share = Double(policy.jitterPercent) / 100
        return policy.scanInterval * (1 - share + 2 * share * chance())
    }

    func handshake() throws(Refusal) -> ValidatorHandshake {
        var capabilities: Capabilities = [.wantsHandles]
        if policy.wantsConfirmation { capabilities.insert(.wantsConfirmation) }
        if identity.grant != nil { capabilities.insert(.givesGrants) }
        if evidence != nil { capabilities.insert(.givesEvidence) }
        if window.isOpen { capabilities.insert(.isProvisioning) }
        return ValidatorHandshake(
            try .init(key: identity.key, hash: identity.hash, epoch: identity.epoch), profile: policy.profile,
            capabilities: capabilities, deadline: policy.stateTime, handles: identity.handleMask)
    }
}

/// What evidence is about, beside what the validator knows of itself.
public struct SessionFacts: Sendable {
    /// The public key by which the app is known.
    public let app: PublicKey
    /// Where the app's key lives.
    public let appKind: KeyKind
    /// What was looked at in the app.
    public let measured: Levels
    /// Digest of the session's handshake.
    public let transcript: Bytes32
}

/// Writes and signs evidence for a remote verifier.
public typealias EvidenceSource =
    @Sendable (EvidenceRequest, SessionFacts) throws(Refusal) -> EvidenceResponse

/// The time in which an app may be pinned.
///
/// Source: `vigil` section 6.3.
public protocol ProvisioningWindow: Sendable {
    var isOpen: Bool { get }

    /// Closes the window, for an app was pinned.
    ///
    /// - Throws: ``Refusal``: `internal` where it stays open.
    func close() throws(Refusal)
}

#if os(Linux)
    /// The window of a state directory.
    struct SharedWindow: ProvisioningWindow {
        private let window: StoredWindow

        init(_ window: StoredWindow) {
            self.window = window
        }

        var isOpen: Bool { window.isOpen }

        func close() throws(Refusal) {
            do throws(HardwareKeyError) { try window.close() } catch {
                throw Refusal(.internal, "the window for provisioning cannot be closed: \(error)")
            }
        }
    }
#endif

/// A window of this process alone.
public final class TimedWindow: ProvisioningWindow {
    private let end: Mutex<Deadline?>

    /// - Parameter end: nil for a closed one.
    public init(until end: Deadline? = nil) {
        self.end = Mutex(end)
    }

    /// Whether it is open now.
    public var isOpen: Bool { end.withLock { $0.map { SuspendingClock().now < $0 } ?? false } }

    /// Opens it from now on.
    public func open(for time: Duration) { end.withLock { $0 = SuspendingClock().now.advanced(by: time) } }

    /// Closes it.
    public func close() { end.withLock { $0 = nil } }
}
