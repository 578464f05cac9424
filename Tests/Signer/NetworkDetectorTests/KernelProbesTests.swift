#if os(Linux)
    import Files
    import Foundation
    import Glibc
    import TestSupport
    import Testing

    @testable import NetworkDetector

    extension KernelProbes.Places {
        /// No radios, no cables.
        static let nowhere = KernelProbes.Places(
            radioDevice: "/nonexistent/rfkill", radioList: "/nonexistent/radios", gadgetList: "/nonexistent/udc")
    }

    extension KernelProbes {
        /// Looks, and takes everything that was reported.
        func taken() -> [NetworkReport] {
            look()
            var taken: [NetworkReport] = []
            while let report = reports.next() { taken.append(report) }
            return taken
        }

        /// Looks until something is so, since the kernel gives up the state of a link after the call that ended it.
        ///
        /// - Returns: the last report, whatever it says where a minute was not enough.
        func settled(_ isSo: (NetworkReport) -> Bool) -> NetworkReport? {
            let end = ContinuousClock.now + .seconds(60)
            var last = taken().last
            while last.map(isSo) == false, ContinuousClock.now < end {
                usleep(10_000)
                last = taken().last
            }
            return last
        }
    }

    @Suite(
        "Links and routes of a network namespace",
        .enabled(if: FreshNamespace.isPossible, "\(FreshNamespace.reason)"))
    struct KernelProbesTests {
        @Test("a fresh namespace is isolated, also with its loopback up")
        func isolated() async throws {
            let reports = try await FreshNamespace.run {
                let probes = try KernelProbes(.nowhere)
                let first = probes.taken()
                try FreshNamespace.ip("link set lo up")
                return [first, probes.taken()]
            }
            #expect(reports[0].map(\.isIsolated) == [true])
            #expect(reports[0].map { $0.reading(by: .strict) } == [.down])
            #expect(reports[0].first?.findings.values.allSatisfy { $0 == .quiet } == true)
            #expect(reports[1].isEmpty)
        }

        @Test("a fresh namespace is empty as its own process sees it, until anything is switched on or added")
        func ownNamespace() async throws {
            let seen = try await FreshNamespace.run {
                var seen = [try SystemNetwork.ownNamespace()]
                for command in ["link set lo up", "link set lo down", "link add left type veth peer name right"] {
                    try FreshNamespace.ip(command)
                    seen.append(try SystemNetwork.ownNamespace())
                }
                return try seen.map { try #require($0) }
            }
            #expect(seen.map(\.isEmpty) == [true, false, true, false])
            #expect(seen.map(\.isIsolated) == [true, true, true, false])
            #expect(seen[0].interfaces == ["lo"] && seen[3].interfaces == ["left", "lo", "right"])
        }

        @Test("a route is seen from inside")
        func ownRoutes() async throws {
            let seen = try await FreshNamespace.run {
                for command in [
                    "link add left type veth peer name right", "link set left up", "link set right up",
                    "address add 10.1.1.1/24 dev left",
                ] { try FreshNamespace.ip(command) }
                return try SystemNetwork.ownNamespace()
            }
            #expect(seen?.routes.contains("left") == true && seen?.isEmpty == false)
        }

        /// Entries that fit no answer of the kernel's, which leaves them out with all that stand behind them. It says
        /// so of routes, and of links it does not.
        enum Oversized: CaseIterable, Sendable {
            case link, route

            func make() throws {
                switch self {
                case .link:
                    let padding = String(repeating: "n", count: 110)
                    let names = (0..<300).map { "link property add dev right altname \(padding)\($0)\n" }.joined()
                    try FreshNamespace.ip("-batch -", input: names)
                case .route: try FreshNamespace.addOversizedRoute(through: "left")
                }
            }
        }

        @Test("a list that the kernel gives up is a failure", arguments: Oversized.allCases)
        func givenUp(entry: Oversized) async throws {
            let reports = try await FreshNamespace.run {
                for command in [
                    "link add left type veth peer name right", "link set left up", "link set right up",
                    "address add 10.1.1.1/16 dev left",
                ] { try FreshNamespace.ip(command) }
                try entry.make()
                return try KernelProbes(.nowhere).taken()
            }
            let last = try #require(reports.last)
            #expect(last.isIsolated == nil && last.reading(by: .strict) == .fail)
            for probe in [NetworkReport.Probe.interfaces, .routes] {
                guard case .failed? = last.findings[probe] else {
                    Issue.record("\(probe): \(String(describing: last.findings[probe]))")
                    continue
                }
            }
        }

        @Test("the table of a process is read as the kernel writes it")
        func table() throws {
            let folder = try TemporaryFolder()
            let text = "Inter-| Receive\n face |bytes\n    lo:       0 0\nverylongname0: 1 2\n  eth0:12 3\n"
            let file = FilePath(try folder.write(text, to: "dev"))
            #expect(try LinkQuestions.names(in: OpenFile(file)) == ["eth0", "lo", "verylongname0"])
            #expect(throws: NetworkWatchError.self) { try LinkQuestions.table("/nonexistent/dev") }
        }

        @Test("a link is up once it is switched on at both ends, and down again with either")
        func links() async throws {
            let reports = try await FreshNamespace.run {
                let probes = try KernelProbes(.nowhere)
                var reports = probes.taken()
                for command in [
                    "link add left type veth peer name right", "link set left up", "link set right up",
                ] {
                    try FreshNamespace.ip(command)
                    reports += probes.taken().suffix(1)
                }
                try FreshNamespace.ip("link set left down")
                if let last = probes.settled({ $0.findings[.interfaces] == .quiet }) { reports.append(last) }
                return reports
            }
            #expect(reports.map { $0.findings[.interfaces] }.last == .quiet)
            #expect(reports.map { $0.findings[.interfaces] }.contains(.up(["left", "right"])))
            #expect(reports.first?.isIsolated == true && reports.dropFirst().allSatisfy { $0.isIsolated == false })
            #expect(reports.map { $0.reading(by: .strict) }.prefix(2) == [.down, .down])
        }

        @Test("a route through a link without a carrier counts")
        func routes() async throws {
            let reports = try await FreshNamespace.run {
                let probes = try KernelProbes(.nowhere)
                try FreshNamespace.ip("link add left type veth peer name right")
                try FreshNamespace.ip("link set left up")
                _ = probes.taken()
                try FreshNamespace.ip("address add 10.1.1.1/24 dev left")
                return probes.taken()
            }
            #expect(reports.last?.findings[.interfaces] == .quiet)
            #expect(reports.last?.findings[.routes] == .up(["left"]))
            #expect(reports.last?.reading(by: .strict) == .up)
        }

        @Test("routes that lead nowhere, and those of the loopback, are none")
        func deadRoutes() async throws {
            let reports = try await FreshNamespace.run {
                let probes = try KernelProbes(.nowhere)
                try FreshNamespace.ip("link set lo up")
                try FreshNamespace.ip("address add 10.1.1.1/24 dev lo")
                try FreshNamespace.ip("route add blackhole 10.2.0.0/16")
                try FreshNamespace.ip("route add unreachable 10.3.0.0/16")
                return probes.taken()
            }
            #expect(reports.map { $0.reading(by: .strict) } == [.down])
            #expect(reports.last?.isIsolated == true)
        }

        @Test("a link that was up for a moment between two looks is reported as up, then as down")
        func moment() async throws {
            let reports = try await FreshNamespace.run {
                let probes = try KernelProbes(.nowhere)
                try FreshNamespace.ip("link add left type veth peer name right")
                _ = probes.taken()
                for command in [
                    "link set left up", "link set right up", "link set right down", "link set left down",
                    "link delete left",
                ] {
                    try FreshNamespace.ip(command)
                }
                return probes.taken()
            }
            #expect(reports.map { $0.reading(by: .strict) } == [.up, .down])
            #expect(reports.last?.isIsolated == true)
        }

        @Test("news that the kernel could not keep are a failure, since nobody knows what they were")
        func lostNews() async throws {
            let reports = try await FreshNamespace.run {
                let probes = try KernelProbes(.nowhere)
                _ = probes.taken()
                let changes = (0..<20_000).map { index in
                    "address \(index % 2 == 0 ? "add" : "delete") 10.9.0.1/32 dev lo"
                }
                try FreshNamespace.ip("-batch -", input: changes.joined(separator: "\n") + "\n")
                return probes.taken()
            }
            #expect(reports.map { $0.reading(by: .strict) } == [.fail, .down])
        }

        @Test("a watch pushes what changes, and the detector goes from safe over connected to what was online")
        func pushing() async throws {
            let (states, log) = try await FreshNamespace.run {
                let watch = try KernelWatch(.nowhere)
                var detector = NetworkDetector(isOnboarded: true, dangerousEncounter: false)
                var log = detector.follow(watch, by: .strict)
                var states = [detector.state]
                // Nobody looks from here on: the kernel tells the thread, and the thread tells by the descriptor.
                func follow(until state: NetworkDetector.State) throws {
                    while detector.state != state {
                        var request = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
                        guard poll(&request, 1, 600_000) == 1 else { throw POSIXError(.ETIMEDOUT) }
                        while let report = watch.nextReport() { log += detector.take(report.reading(by: .strict)) }
                    }
                    states.append(state)
                }
                try FreshNamespace.ip("link add left type veth peer name right")
                try FreshNamespace.ip("link set left up")
                try FreshNamespace.ip("link set right up")
                try follow(until: .connected)
                try FreshNamespace.ip("link delete left")
                try follow(until: .wasOnline)
                log += try detector.acknowledge()
                log += detector.follow(watch, by: .strict)
                states.append(detector.state)
                return (states, log)
            }
            #expect(states == [.safe, .connected, .wasOnline, .safe])
            #expect(log == [.deviceWasOnline, .resetDangerRecord])
        }

        @Test("a watch stays with the namespace of the thread that made it")
        func namespaceOfItsOwn() async throws {
            let watch = try await FreshNamespace.run { try KernelWatch(.nowhere) }
            watch.look()
            var reports: [NetworkReport] = []
            while let report = watch.nextReport() { reports.append(report) }
            #expect(reports.map(\.isIsolated) == [true])
        }
    }
#endif
