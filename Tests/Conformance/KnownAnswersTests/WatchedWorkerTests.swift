import Foundation
import Scheduling
import TestSupport
import Testing

@testable import ForceFieldWatch

@Suite("A watched worker")
struct WatchedWorkerTests {
    /// The hostile worker's program, which floods standard output under this name.
    private static let flood = Bundle.main.bundleURL.appending(path: "HostileWorker")

    @Test(
        "a program that floods does not stop the clock of its deadline",
        .enabled(if: FileManager.default.fileExists(atPath: flood.path)), .timeLimit(.minutes(30)))
    func flooding() throws {
        let folder = try TemporaryFolder()
        let link = folder.url.appending(path: "plain-floods")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: Self.flood)
        var plan = WorkerPlan()
        plan.target = link.path
        plan.hasChannel = false
        plan.strictness = .bestEffort
        let worker = try WatchedWorker(plan)
        // The processor time that it may use is far more than this.
        let deadline = SteadyInstant.now + .milliseconds(200)
        var happening = worker.next(before: deadline)
        while happening != .timeout, happening != .ended { happening = worker.next(before: deadline) }
        #expect(happening == .timeout)
        worker.kill(.reason(.deadline))
        while worker.next(before: deadline) != .ended {}
        #expect(worker.report.termination == .killedByHost(.deadline))
    }

    @Test(
        "whenever stage 0 is killed, also before it has told of its warden, no child is left", .timeLimit(.minutes(30)))
    func unannounced() throws {
        var plan = WorkerPlan()
        plan.program = Self.flood.path
        plan.role = "HostileWorker"
        plan.strictness = .bestEffort
        for number in 0..<60 as Range<Int64> {
            let worker = try WatchedWorker(plan)
            let end = SteadyInstant.now + .microseconds(50 * number)
            while .now < end, worker.next(before: end) != .timeout {}
            kill(worker.launcher, SIGKILL)
            worker.kill(.reason(.cancelled))
            while worker.next(before: nil) != .ended {}
            #expect(waitpid(-worker.launcher, nil, WNOHANG) == -1 && errno == ECHILD)
        }
    }
}
