import BasicFoundation
import NetworkDetector
import Signer
import Synchronization

/// Looks at the network of this machine for one vault, and notes in its folder what belongs in its log. Commands that
/// live for a moment and hosts that live for long look through it; what was up for a moment in between counts.
///
/// Source: `signer-product` section 5.
package final class NetworkLookout: Sendable {
    /// What a look found.
    package struct Sighting: Sendable {
        /// What follows from it.
        package var detector: NetworkDetector
        /// What each probe found, in words; empty where nothing is up any more.
        package var found: [String]
        /// Whether the machine is not safe for the first time since this began.
        package var isFirst: Bool
    }

    private struct State: Sendable {
        /// Nil before the first look.
        var detector: NetworkDetector?
        var hasWarned = false
        /// Whether something was found that could not be noted.
        var hasUnnoted = false
        /// What was found last, and what counted of it.
        var report: NetworkReport?
        var policy: NetworkPolicy?
    }

    /// What is watched, or why nothing can be.
    private let watch: Result<any NetworkWatch, NetworkWatchError>
    private let state = Mutex(State())

    /// Begins to watch the network of this machine.
    package convenience init() {
        self.init(Result { () throws(NetworkWatchError) in try SystemNetwork.watch() })
    }

    /// - Parameter watch: what is watched; a failure counts as a probe that cannot be read.
    package init(_ watch: Result<any NetworkWatch, NetworkWatchError>) { self.watch = watch }

    /// Readable as long as something changed that nobody looked at yet; nil where nothing can be watched.
    package var descriptor: CInt? { try? watch.get().descriptor }

    /// Looks, and notes what is new for the vault in the folder.
    ///
    /// - Parameters:
    ///   - folder: of the vault; nil before there is one.
    ///   - facts: what the vault knew before; nil before there is one.
    ///   - allowing: what the vault lets pass.
    package func look(
        for folder: URL?, knowing facts: Vault.NetworkFacts?, allowing: NetworkAllowance
    ) throws -> Sighting {
        try state.withLock { state in
            let wasOnline = facts?.wasOnline ?? false || state.hasUnnoted
            var detector =
                state.detector
                ?? NetworkDetector(
                    isOnboarded: facts != nil, dangerousEncounter: wasOnline,
                    continuing: facts?.last.map { $0 == .wasOnline ? .connected : .error })
            // What another program acknowledged or noted since the last look counts here too. The watch tells what
            // changed, and nothing where nothing did: what was read before stays.
            detector.refresh(isOnboarded: facts != nil, dangerousEncounter: wasOnline)
            let (events, found) = read(into: &detector, allowing: allowing, &state)
            let isFirst = !state.hasWarned
            state.hasWarned = state.hasWarned || detector.state != .safe
            state.detector = detector
            if let folder {
                // A refusal needs no note; what goes on does.
                let last = detector.state.flatMap(Vault.Encounter.init(state:))
                do {
                    try Vault.noteNetwork(events.compactMap(Vault.Encounter.init(event:)), in: folder, last: last)
                } catch  where !allowing.allowsNetwork && detector.state != .safe {
                    state.hasUnnoted = true
                }
            }
            return Sighting(detector: detector, found: found, isFirst: isFirst)
        }
    }

    /// - Returns: what is to be logged, and what was found in words.
    private func read(
        into detector: inout NetworkDetector, allowing: NetworkAllowance, _ state: inout State
    ) -> (events: [NetworkDetector.Event], found: [String]) {
        let policy = NetworkPolicy(countsRadios: !allowing.ignoresRadios, countsGadgets: !allowing.ignoresGadgets)
        var events: [NetworkDetector.Event] = []
        var found: [String] = []
        switch watch {
        case .failure(let error): return (detector.take(.fail), [error.description])
        case .success(let watch):
            watch.look()
            // What is reported are changes. Where other things count than before, what was found last is judged anew.
            var next = state.policy == policy ? nil : state.report
            next = next ?? watch.nextReport()
            state.policy = policy
            while let report = next {
                defer { next = watch.nextReport() }
                state.report = report
                events += detector.take(report.reading(by: policy))
                for line in report.lines(by: policy) where !found.contains(line) { found.append(line) }
            }
            // Where nothing changed, what is up still is.
            if found.isEmpty, let last = state.report { found = last.lines(by: policy) }
        }
        return (events, found)
    }

    /// There is nothing to acknowledge, with what was found.
    package struct NothingToAcknowledge: Error {
        package var error: DetectorError
        package var found: [String]
    }

    /// There is more to acknowledge than a person was shown; nothing was acknowledged, and the log has it.
    package struct MoreToAcknowledge: Error {}

    /// Moves what is to be acknowledged into the log, where a person can be shown it.
    ///
    /// - Returns: how many entries the log has then, for ``acknowledge(in:shown:)``.
    /// - Throws: ``NothingToAcknowledge`` where something is up, or nothing was.
    package func beginAcknowledgement(in vault: Vault) throws -> Int {
        _ = try acknowledgedDetector(for: vault)
        try vault.takeUpEncounters()
        return try vault.logCount()
    }

    /// Takes the acknowledgement of a person for a vault that is open for changes: one transaction of the vault.
    ///
    /// - Parameter shown: how many entries the log had when it was shown; nil where the log was not.
    /// - Throws: ``NothingToAcknowledge`` where something is up, or nothing was; ``MoreToAcknowledge`` where something
    ///   was up since then.
    package func acknowledge(in vault: Vault, shown: Int? = nil) throws {
        let detector = try acknowledgedDetector(for: vault)
        if let shown {
            try vault.takeUpEncounters()
            guard try vault.logCount() == shown else { throw MoreToAcknowledge() }
        }
        try vault.acknowledgeOnline()
        state.withLock { ($0.detector, $0.hasUnnoted) = (detector, false) }
    }

    /// Looks.
    ///
    /// - Returns: the detector as it is once a person has acknowledged what it knows of now.
    private func acknowledgedDetector(for vault: Vault) throws -> NetworkDetector {
        let sighting = try look(
            for: vault.folder, knowing: vault.networkFacts(), allowing: vault.networkAllowance())
        var acknowledged = sighting.detector
        do throws(DetectorError) { _ = try acknowledged.acknowledge() } catch {
            throw NothingToAcknowledge(error: error, found: sighting.found)
        }
        return acknowledged
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
    fileprivate func lines(by policy: NetworkPolicy) -> [String] {
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
