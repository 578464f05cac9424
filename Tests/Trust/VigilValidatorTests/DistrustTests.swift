import CodeMeasurement
import Foundation
import Synchronization
import Testing

@testable import Vigil
@testable import VigilValidator

@Suite("What follows from distrust")
struct DistrustTests {
    private static let time = Duration.seconds(600)

    @Test("grants are erased, then the handler is called, then the process ends")
    func order() throws {
        let grant = try #require(try Pair(grant: [1, 2, 3]).client().validate(within: Self.time).report.grant)
        var trusted = VigilReport(.valid, .ok)
        trusted.grant = grant
        let events = Mutex<[String]>([])
        let response = DistrustResponse(
            DistrustPolicy(exitDelay: .milliseconds(250)) { report in
                events.withLock { $0.append("\(report.result), grant revoked: \(grant.isRevoked)") }
            },
            exit: { code, delay in events.withLock { $0.append("exit \(code) after \(delay)") } })
        response.take(trusted, since: response.generation)
        #expect(grant.withUnsafeBytes { Array($0) } == [1, 2, 3])
        #expect(events.withLock { $0 }.isEmpty)
        response.take(VigilReport(.timeout, .expired), since: response.generation)
        #expect(grant.withUnsafeBytes { Array($0) } == nil)
        #expect(events.withLock { $0 } == ["timeout, grant revoked: true", "exit 70 after 0.25 seconds"])
    }

    @Test("what was found while a validation went on takes its grant back, and none that begins later")
    func race() throws {
        let pair = try Pair(grant: [1])
        let response = DistrustResponse(DistrustPolicy())
        let began = response.generation
        let overtaken = pair.client().validate(within: Self.time).report
        response.take(VigilReport(.tampered, .codeModified), since: response.generation)
        response.take(overtaken, since: began)
        #expect(try #require(overtaken.grant).isRevoked)
        let again = response.generation
        let later = pair.client().validate(within: Self.time).report
        response.take(later, since: again)
        #expect(try !#require(later.grant).isRevoked)
    }

    @Test("everything but valid is distrust", arguments: VigilResult.allCases)
    func failClosed(result: VigilResult) {
        #expect(VigilPolicy.failClosed.acts(on: VigilReport(result, .internal)) == (result != .valid))
    }

    @Test("the configuration's time counts where the policy has none of its own")
    func configured() {
        let delays = Mutex<[Duration]>([])
        for own: Duration? in [nil, .milliseconds(250)] {
            let response = DistrustResponse(
                DistrustPolicy(exitDelay: own), exit: { _, delay in delays.withLock { $0.append(delay) } })
            response.configure(exitDelay: .seconds(3))
            response.take(VigilReport(.tampered, .traced), since: response.generation)
        }
        #expect(delays.withLock { $0 } == [.seconds(3), .milliseconds(250)])
    }

    @Test("without a delay the process goes on")
    func noExit() {
        let exits = Mutex(0)
        let response = DistrustResponse(DistrustPolicy(), exit: { _, _ in exits.withLock { $0 += 1 } })
        response.take(VigilReport(.tampered, .traced), since: response.generation)
        #expect(exits.withLock { $0 } == 0)
    }

    #if DEBUG
        @Test("in a build for debugging it may be only told")
        func auditOnly() {
            #expect(!VigilPolicy.auditOnly.acts(on: VigilReport(.tampered, .traced)))
        }
    #endif

    @Test("the actor takes its grant back when a later validation fails, and when it is not initialised")
    func actor() async throws {
        let pair = try Pair(grant: [9])
        let told = Mutexed<[Reason]>([])
        let vigil = Vigil(distrust: DistrustPolicy { told.set(told.value + [$0.reason]) }) { () throws(VigilError) in
            pair.client()
        }
        #expect(await vigil.validate() == .error)
        try await vigil.initialize()
        let grant = try #require(await vigil.report(timeout: Self.time).grant)
        #expect(!grant.isRevoked)
        pair.atApp.change { $0.refusal = Refusal(.codeModified, "patched") }
        #expect(await vigil.validate(timeout: Self.time) == .tampered)
        #expect(grant.isRevoked)
        #expect(told.value == [.internal, .codeModified])
    }

    @Test("who listens to all reports holds no grant by that")
    func completions() async throws {
        let pair = try Pair(grant: [9])
        let vigil = Vigil { () throws(VigilError) in pair.client() }
        try await vigil.initialize()
        #expect(await vigil.report(timeout: Self.time).grant != nil)
        var reports = vigil.validationDidComplete.makeAsyncIterator()
        let told = try #require(await reports.next())
        #expect(told.result == .valid && told.grant == nil)
    }

    @Test("a monitor ends with the actor that has started it")
    func released() async throws {
        let pair = try Pair()
        var vigil: Vigil? = Vigil { () throws(VigilError) in pair.client() }
        let stream = try #require(vigil).validationDidComplete
        try await vigil?.initialize()
        try await vigil?.startMonitoring { _ in }
        vigil = nil
        // Ends only if the stream does, which the actor finishes.
        for await _ in stream {}
    }

    @Test("a monitor takes it back before it tells")
    func monitor() throws {
        let pair = try Pair(grant: [9])
        var policy = MonitorPolicy()
        policy.interval = .milliseconds(30)
        (policy.timeout, policy.sessionTime) = (.seconds(600), .seconds(3_600))
        let grant = Mutexed<GrantedSecret?>(nil)
        let revoked = Mutexed<Bool?>(nil)
        let arrived = DispatchSemaphore(value: 0)
        let monitor = Monitor(pair.client(), policy: policy, distrust: DistrustResponse(DistrustPolicy())) { report in
            if report.result == .valid {
                if grant.value == nil { grant.set(report.grant) }
            } else {
                revoked.set(grant.value?.isRevoked)
            }
            arrived.signal()
        }
        #expect(monitor.start())
        arrived.wait()
        #expect(grant.value?.isRevoked == false)
        pair.atApp.change { $0.refusal = Refusal(.codeModified, "patched") }
        arrived.wait()
        monitor.stop()
        #expect(revoked.value == true)
    }
}
