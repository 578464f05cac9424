import Foundation
import TestSupport
import Testing

@testable import NetworkDetector

@Suite("The states of the network detector")
struct DetectorTests {
    static let sequences: [JSON] = {
        let path = "Tests/Signer/NetworkDetectorTests/Fixtures/detector.json"
        return (try? JSON(contentsOf: packageRoot.appending(path: path)).array) ?? []
    }()

    @Test("there are known sequences of readings")
    func answersAreThere() { #expect(Self.sequences.count == 7) }

    @Test("a sequence of readings gives the states and the log", arguments: sequences.indices)
    func sequence(index: Int) throws {
        let sequence = Self.sequences[index]
        var detector = NetworkDetector(
            isOnboarded: sequence["onboarded"].bool == true,
            dangerousEncounter: sequence["stored"].bool == true)
        var log: [String] = []
        var states: [String] = []
        for input in sequence["events"].strings {
            if input == "ack" {
                log += ((try? detector.acknowledge()) ?? []).map(\.rawValue)
            } else {
                log += detector.take(try #require(NetworkDetector.Reading(rawValue: input))).map(\.rawValue)
            }
            states.append(detector.state?.rawValue ?? "")
        }
        #expect(states == sequence["states"].strings)
        #expect(log == sequence["log"].strings)
    }

    /// A detector in each state, set up or not.
    private static func detectors() throws -> [NetworkDetector] {
        try [true, false].flatMap { isOnboarded in
            try [[], [.down], [.up], [.up, .down], [.fail]].map { (readings: [NetworkDetector.Reading]) in
                var detector = NetworkDetector(isOnboarded: true, dangerousEncounter: false)
                for reading in readings { _ = detector.take(reading) }
                detector.isOnboarded = isOnboarded
                try #require(detector.state != nil || readings.isEmpty)
                return detector
            }
        }
    }

    @Test("something that is up connects from every state, and is logged once")
    func up() throws {
        for before in try Self.detectors() {
            var detector = before
            let events = detector.take(.up)
            #expect(detector.state == .connected)
            #expect(events == (before.isOnboarded && before.state != .connected ? [.deviceWasOnline] : []))
            #expect(detector.dangerousEncounter || !before.isOnboarded)
            #expect(detector.take(.up).isEmpty)
        }
    }

    @Test("a probe that fails is an error from every state, and is logged once")
    func fail() throws {
        for before in try Self.detectors() {
            var detector = before
            let events = detector.take(.fail)
            #expect(detector.state == .error)
            #expect(events == (before.isOnboarded && before.state != .error ? [.detectorFailed] : []))
            #expect(detector.dangerousEncounter || !before.isOnboarded)
            #expect(detector.take(.fail).isEmpty)
        }
    }

    @Test("nothing is safe again by itself once a vault was set up")
    func down() throws {
        for before in try Self.detectors() {
            var detector = before
            #expect(detector.take(.down).isEmpty)
            switch before.state {
            case nil, .safe: #expect(detector.state == .safe)
            case .wasOnline: #expect(detector.state == .wasOnline)
            case .connected, .error: #expect(detector.state == (before.isOnboarded ? .wasOnline : .safe))
            }
            #expect(detector.dangerousEncounter == before.dangerousEncounter)
        }
    }

    @Test("only what was online is acknowledged, and nothing changes where it is refused")
    func acknowledging() throws {
        for before in try Self.detectors() {
            var detector = before
            if before.state == .wasOnline {
                #expect(try detector.acknowledge() == [.resetDangerRecord])
                #expect(detector.state == .safe && !detector.dangerousEncounter)
            } else {
                #expect(throws: DetectorError.ackNotPossible(before.state)) { try detector.acknowledge() }
                #expect(detector == before)
            }
        }
    }

    @Test("what another program stored counts, and what was read stays")
    func refreshing() throws {
        for before in try Self.detectors() {
            var detector = before
            detector.refresh(isOnboarded: true, dangerousEncounter: true)
            #expect(detector.isOnboarded && detector.dangerousEncounter)
            #expect(detector.state == (before.state == .safe ? .wasOnline : before.state))
            detector.refresh(isOnboarded: true, dangerousEncounter: false)
            #expect(!detector.dangerousEncounter)
            #expect(detector.state == (before.state == .wasOnline ? .safe : before.state))
        }
    }

    @Test("a danger that was stored outlasts a restart")
    func restart() {
        var detector = NetworkDetector(isOnboarded: true, dangerousEncounter: true)
        #expect(detector.take(.down).isEmpty && detector.state == .wasOnline)
    }

    @Test("before set-up nothing is stored or logged, not even a failure")
    func beforeSetUp() {
        var detector = NetworkDetector(isOnboarded: false, dangerousEncounter: false)
        for reading in [.fail, .up, .fail, .down] as [NetworkDetector.Reading] {
            #expect(detector.take(reading).isEmpty)
        }
        #expect(detector.state == .safe && !detector.dangerousEncounter)
    }

    @Test("what brings secrets is refused in every state but the safe one", arguments: GuardedActivity.allCases)
    func guarded(activity: GuardedActivity) throws {
        for detector in try Self.detectors() {
            if detector.state == .safe {
                try detector.check(activity)
            } else {
                #expect(throws: DetectorError.notSafe(activity, detector.state)) { try detector.check(activity) }
            }
        }
    }

    @Test(
        "whatever comes: danger is stored before anything but a connection is left, and only an acknowledgement clears it"
    )
    func randomSequences() {
        var random = SplitMix64(state: 5)
        for _ in 0..<2_000 {
            var detector = NetworkDetector(isOnboarded: true, dangerousEncounter: false)
            var (logged, seen, acknowledged) = (0, false, 0)
            for _ in 0..<20 {
                if let reading = NetworkDetector.Reading.allCases.randomElement(using: &random), random.byte() > 50 {
                    let before = detector.state
                    let events = detector.take(reading)
                    seen = seen || reading != .down
                    logged += events.filter { $0 == .deviceWasOnline }.count
                    #expect(events.count <= 1)
                    #expect(events.isEmpty || detector.state != before)
                } else if (try? detector.acknowledge()) != nil {
                    acknowledged += 1
                    seen = false
                }
                #expect(detector.dangerousEncounter == seen)
                #expect(detector.state != .safe || !seen)
            }
        }
    }

    @Test("errors have the codes of the specification, and texts that say what to do")
    func errors() {
        #expect(DetectorError.ackNotPossible(.safe).code == "AckNotPossible")
        #expect(DetectorError.notSafe(.signing, .error).code == "DetectorNotSafe")
        let states: [NetworkDetector.State?] = [.safe, .connected, .wasOnline, .error, nil]
        #expect(Set(states.map { "\(DetectorError.ackNotPossible($0))" }).count == 5)
        let refusals = GuardedActivity.allCases.flatMap { activity in
            states.map { "\(DetectorError.notSafe(activity, $0))" }
        }
        #expect(Set(refusals).count == refusals.count && refusals.allSatisfy { $0.hasSuffix(".") })
    }
}

@Suite("What probes find")
struct NetworkReportTests {
    private static func report(
        interfaces: NetworkReport.Finding = .quiet, radios: NetworkReport.Finding = .quiet,
        gadgets: NetworkReport.Finding = .quiet
    ) -> NetworkReport {
        NetworkReport(
            findings: [.interfaces: interfaces, .routes: .quiet, .radios: radios, .gadgets: gadgets], isIsolated: true)
    }

    @Test("anything that is up is a connection, else any failure one")
    func readings() {
        #expect(Self.report().reading(by: .strict) == .down)
        #expect(Self.report(interfaces: .up(["eth0"])).reading(by: .strict) == .up)
        #expect(Self.report(radios: .up(["wireless LAN 0"])).reading(by: .strict) == .up)
        #expect(Self.report(gadgets: .up(["udc"])).reading(by: .strict) == .up)
        #expect(Self.report(radios: .failed("no")).reading(by: .strict) == .fail)
        #expect(Self.report(interfaces: .up(["eth0"]), radios: .failed("no")).reading(by: .strict) == .up)
        #expect(NetworkReport(findings: [:], isIsolated: nil).reading(by: .strict) == .fail)
    }

    @Test("radios and cables may be relaxed to notices, interfaces and routes may not")
    func policy() {
        let relaxed = NetworkPolicy(countsRadios: false, countsGadgets: false)
        let report = Self.report(radios: .up(["Bluetooth 0"]), gadgets: .failed("no"))
        #expect(report.reading(by: relaxed) == .down && report.notices(by: relaxed) == [.radios, .gadgets])
        #expect(report.notices(by: .strict).isEmpty)
        #expect(Self.report(interfaces: .up(["eth0"])).reading(by: relaxed) == .up)
        #expect(Self.report(interfaces: .failed("no")).reading(by: relaxed) == .fail)
    }

    @Test("what was found meanwhile comes before what is found now, whatever else is up")
    func past() {
        let radio = Self.report(radios: .up(["Bluetooth 0"]))
        #expect(radio.past([:]) == nil && radio.past([.interfaces: .quiet, .radios: .up(["wireless LAN 1"])]) == nil)
        let relaxed = NetworkPolicy(countsRadios: false, countsGadgets: false)
        let past = radio.past([.interfaces: .up(["eth0"]), .routes: .quiet])
        #expect(past?.reading(by: relaxed) == .up && past?.findings[.radios] == .up(["Bluetooth 0"]))
        #expect(Self.report().past([.routes: .failed("lost")])?.reading(by: relaxed) == .fail)
        // A radio that was free for a moment makes no end of a connection.
        let connected = Self.report(interfaces: .up(["eth0"]))
        #expect(connected.past([.radios: .up(["Bluetooth 0"])])?.reading(by: relaxed) == .up)
    }

    @Test("reports wait in order, equal ones once, and what was up is not dropped")
    func queue() throws {
        let queue = try ReportQueue()
        #expect(queue.next() == nil && !isReadable(queue.descriptor))
        let (quiet, up) = (Self.report(), Self.report(interfaces: .up(["eth0"])))
        for report in [quiet, quiet, up, quiet, quiet] { queue.add(report) }
        #expect(isReadable(queue.descriptor))
        #expect([queue.next(), queue.next(), queue.next()] == [quiet, up, quiet])
        #expect(queue.next() == nil && !isReadable(queue.descriptor))
        queue.add(quiet)
        #expect(!isReadable(queue.descriptor))
        for _ in 0..<200 { for report in [up, quiet] { queue.add(report) } }
        var taken: [NetworkReport] = []
        while let report = queue.next() { taken.append(report) }
        #expect(taken.count == ReportQueue.most && taken.contains(up) && taken.last == quiet)
    }
}

/// Whether a descriptor is readable at once.
func isReadable(_ descriptor: CInt) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) == 1
}
