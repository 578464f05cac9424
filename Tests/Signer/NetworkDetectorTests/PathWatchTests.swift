import Synchronization
import Testing

@testable import NetworkDetector

@Suite("The watch of a system that can only be listened to")
struct PathWatchTests {
    /// Says what the test says.
    private final class Source: PathSource {
        private let tell = Mutex<(@Sendable (NetworkReport) -> Void)?>(nil)
        private let waiting: Mutex<[NetworkReport]>
        private let stopped = Atomic(false)

        var isStopped: Bool { stopped.load(ordering: .relaxed) }

        /// - Parameter first: said at the start.
        init(_ first: NetworkReport...) { waiting = Mutex(first) }

        func start(_ tell: @escaping @Sendable (NetworkReport) -> Void) {
            self.tell.withLock { $0 = tell }
            settle()
        }

        /// Is told when somebody looks.
        func add(_ report: NetworkReport) { waiting.withLock { $0.append(report) } }

        func settle() {
            let reports = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            for report in reports { tell.withLock(\.self)?(report) }
        }

        func stop() { stopped.store(true, ordering: .relaxed) }
    }

    private static func report(_ finding: NetworkReport.Finding) -> NetworkReport {
        NetworkReport(findings: [.interfaces: finding], isIsolated: nil)
    }

    @Test("there is no watch, and so no report, before the system has said anything")
    func silence() {
        let source = Source()
        #expect(throws: NetworkWatchError.self) { try PathWatch(source, within: .milliseconds(20)) }
        #expect(source.isStopped)
    }

    @Test("the first report is the system's own, on a connected device as on another")
    func firstWord() throws {
        for finding in [NetworkReport.Finding.up(["en0"]), .quiet] {
            let source = Source(Self.report(finding))
            let watch = try PathWatch(source)
            #expect(watch.nextReport() == Self.report(finding))
            #expect(watch.nextReport() == nil && !source.isStopped)
        }
    }

    @Test("what the system has said is known before anything guarded")
    func follows() throws {
        let source = Source(Self.report(.quiet))
        let watch = try PathWatch(source)
        var detector = NetworkDetector(isOnboarded: true, dangerousEncounter: false)
        #expect(detector.follow(watch, by: .strict) == [] && detector.state == .safe)
        source.add(Self.report(.up(["en0"])))
        source.add(Self.report(.quiet))
        #expect(detector.follow(watch, by: .strict) == [.deviceWasOnline] && detector.state == .wasOnline)
    }
}
