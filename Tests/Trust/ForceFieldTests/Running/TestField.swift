import Foundation
import Synchronization
import TestSupport

@testable import ForceField
@testable import ForceFieldWire
@testable import HostileActs

/// A field of hostile workers, whose ends can be waited for.
struct TestField: ~Copyable {
    let field: ForceField
    let ends: Ends

    /// More than any machine needs.
    static let patience = Duration.seconds(300)

    init(
        _ start: HostileStart? = nil, program: WorkerProgram? = nil, services: HostServices = HostServices(),
        _ change: (inout Policy) -> Void = { _ in }
    ) throws {
        try self.init(start, program: program, services: services, onSurface: nil, change)
    }

    init(
        _ start: HostileStart? = nil, program: WorkerProgram? = nil, services: HostServices = HostServices(),
        onSurface: (@Sendable (SurfaceFrame) -> Void)?, _ change: (inout Policy) -> Void
    ) throws {
        let ends = Ends()
        self.ends = ends
        field = try ForceField(
            worker: program ?? Self.program(start?.rawValue),
            policy: Policy {
                $0.startTimeout = Self.patience
                $0.shutdownGrace = Self.patience
                $0.maxWorkers = 1
                change(&$0)
            },
            interface: Hostile.interface(), services: services, onTermination: { ends.add($0) }, onSurface: onSurface)
    }

    /// - Parameter name: of a link to the program, which chooses what it does.
    static func program(_ name: String? = nil) throws -> WorkerProgram {
        let program = Bundle.main.bundleURL.appending(path: "HostileWorker")
        guard let name else { return .path(program.path) }
        let folder = try TemporaryFolder.shared()
        let link = folder.appending(path: name)
        if !FileManager.default.fileExists(atPath: link.path) {
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: program)
        }
        return .path(link.path)
    }

    func act(
        _ act: HostileAct, _ rest: [UInt8] = [], deadline: Duration? = nil, options: CallOptions = CallOptions()
    ) async throws(ForceFieldError) -> [UInt8] {
        try await field.call(Hostile.act, [act.rawValue] + rest, deadline: deadline, options: options)
    }
}

/// Where links to the worker lie.
private enum TemporaryFolder {
    private static let folder = Mutex<URL?>(nil)

    static func shared() throws -> URL {
        try folder.withLock { folder in
            if let folder { return folder }
            let made = FileManager.default.temporaryDirectory.appending(path: "forcefield-tests-\(getpid())")
            try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
            folder = made
            return made
        }
    }
}

/// Ends of workers in the order in which they were told.
final class Ends: Sendable {
    private let state = Mutex<(reports: [TerminationReport], waiting: [CheckedContinuation<TerminationReport, Never>])>(
        ([], []))

    func add(_ report: TerminationReport) {
        let waiting = state.withLock { state in
            if !state.waiting.isEmpty { return Optional(state.waiting.removeFirst()) }
            state.reports.append(report)
            return nil
        }
        waiting?.resume(returning: report)
    }

    /// The next that nobody has asked for; waits for it.
    func next() async -> TerminationReport {
        await withCheckedContinuation { continuation in
            let report = state.withLock { state -> TerminationReport? in
                if !state.reports.isEmpty { return state.reports.removeFirst() }
                state.waiting.append(continuation)
                return nil
            }
            if let report { continuation.resume(returning: report) }
        }
    }

    /// That nobody has asked for.
    var rest: [TerminationReport] { state.withLock { $0.reports } }
}
