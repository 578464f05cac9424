import Console
import Foundation
import NetworkDetector
import Signer
import Synchronization

/// Whether this machine may have secrets in its memory now: looked at before a vault is opened for them, and again
/// right before they are used. What was up for a moment in between counts.
///
/// Source: `signer-product` section 5.
enum NetworkGate {
    private struct State: Sendable {
        var detector: NetworkDetector
        /// Nil where nothing can be watched.
        var watch: (any NetworkWatch)?
        var failure: String?
        var hasWarned = false
    }

    /// One program uses one vault.
    private static let state = Mutex<State?>(nil)

    /// Looks before anything is asked of a person. What the vault lets pass is read without its key here, and
    /// ``check(_:in:)`` asks again.
    ///
    /// - Throws: ``Refusal``.
    static func check(_ activity: GuardedActivity, in folder: URL, allowing: NetworkAllowance = .strict) throws {
        guard Vault.exists(in: folder) else { return try check(activity, folder: nil, facts: nil, allowing: allowing) }
        let facts = try Vault.networkFacts(in: folder)
        try check(activity, folder: folder, facts: facts, allowing: facts.allowance)
    }

    /// Looks with what the key of the vault vouches for: when it is opened, and right before secrets are used.
    ///
    /// - Throws: ``Refusal``, `databaseDamaged` where somebody changed what the vault lets pass.
    static func check(_ activity: GuardedActivity, in vault: Vault) throws {
        try check(
            activity, folder: vault.folder, facts: vault.networkFacts(), allowing: vault.networkAllowance())
    }

    private static func check(
        _ activity: GuardedActivity, folder: URL?, facts: Vault.NetworkFacts?, allowing: NetworkAllowance
    ) throws {
        let (detector, found, isFirst) = try look(folder, facts: facts, allowing: allowing)
        do throws(DetectorError) { try detector.check(activity) } catch {
            guard allowing.allowsNetwork else { throw Refusal(error: error, found: found, hasVault: folder != nil) }
            if isFirst { Warning.show(Refusal.warning(error, found)) }
        }
    }

    /// Looks, and notes what is new for the vault in the folder.
    ///
    /// - Returns: also what was found, in words, and whether nothing was said of it yet.
    private static func look(
        _ folder: URL?, facts: Vault.NetworkFacts?, allowing: NetworkAllowance
    ) throws -> (NetworkDetector, found: [String], isFirst: Bool) {
        try state.withLock { state in
            var now = state ?? begin(facts)
            // What was acknowledged, or noted by another program, since this one began.
            let policy = NetworkPolicy(
                countsRadios: !allowing.ignoresRadios, countsGadgets: !allowing.ignoresGadgets)
            var events: [NetworkDetector.Event] = []
            var found: [String] = now.failure.map { [$0] } ?? []
            if let watch = now.watch {
                watch.look()
                while let report = watch.nextReport() {
                    events += now.detector.take(report.reading(by: policy))
                    for line in report.lines(by: policy) where !found.contains(line) { found.append(line) }
                }
            } else {
                events = now.detector.take(.fail)
            }
            let isFirst = !now.hasWarned
            now.hasWarned = now.hasWarned || now.detector.state != .safe
            state = now
            if let folder {
                // A refusal needs no note; what goes on does.
                let last = now.detector.state.flatMap(Vault.Encounter.init(state:))
                do {
                    try Vault.noteNetwork(events.compactMap(Vault.Encounter.init(event:)), in: folder, last: last)
                } catch  where !allowing.allowsNetwork && now.detector.state != .safe {}
            }
            return (now.detector, found, isFirst)
        }
    }

    private static func begin(_ facts: Vault.NetworkFacts?) -> State {
        let detector = NetworkDetector(
            isOnboarded: facts != nil, dangerousEncounter: facts?.wasOnline ?? false,
            continuing: facts?.last.map { $0 == .wasOnline ? .connected : .error })
        do throws(NetworkWatchError) {
            return State(detector: detector, watch: try SystemNetwork.watch(), failure: nil)
        } catch {
            return State(detector: detector, watch: nil, failure: "\(error)")
        }
    }

    /// Takes the acknowledgement of a person, who opened the vault for changes.
    ///
    /// - Throws: ``Refusal`` where something is up, or nothing was.
    static func acknowledge(in vault: Vault) throws {
        let (detector, found, _) = try look(
            vault.folder, facts: vault.networkFacts(), allowing: vault.networkAllowance())
        var acknowledged = detector
        do throws(DetectorError) { _ = try acknowledged.acknowledge() } catch {
            throw Refusal(error: error, found: found, hasVault: true)
        }
        try vault.acknowledgeOnline()
    }
}

extension Vault.Encounter {
    init?(state: NetworkDetector.State) {
        switch state {
        case .connected: self = .wasOnline
        case .error: self = .detectorFailed
        case .safe, .wasOnline: return nil
        }
    }

    init?(event: NetworkDetector.Event) { self.init(rawValue: event.rawValue) }
}

extension NetworkReport {
    /// What counts of it and is not quiet, a line for each probe.
    func lines(by policy: NetworkPolicy) -> [String] {
        let notices = notices(by: policy)
        return Probe.allCases.filter { !notices.contains($0) }.compactMap { probe in
            switch findings[probe] {
            case .up(let names): "\(probe.rawValue): \(names.joined(separator: ", "))"
            case .failed(let reason): "\(probe.rawValue) cannot be read: \(reason)"
            case .quiet, nil: nil
            }
        }
    }
}
