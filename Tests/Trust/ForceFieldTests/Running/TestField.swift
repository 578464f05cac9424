import Foundation
import Synchronization
import TestSupport

@testable import ForceField
@testable import ForceFieldTestMethods
@testable import ForceFieldWire

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

    /// Calls, and returns when a worker has the call or it has ended without one.
    func begin(_ act: HostileAct) async throws -> Task<[UInt8], any Error> {
        let field = field
        let isOver = Flag()
        let before = field.summary.openCalls
        let call = Task {
            defer { isOver.set() }
            return try await field.call(Hostile.act, [act.rawValue])
        }
        try await until { $0.openCalls > before || isOver.isSet }
        return call
    }

    /// Waits, but not longer than a test may take.
    func until(_ isSo: (FieldSummary) -> Bool) async throws {
        while !isSo(field.summary) { try await Task.sleep(for: .milliseconds(1)) }
    }
}

final class Flag: Sendable {
    private let state = Atomic(false)

    var isSet: Bool { state.load(ordering: .relaxed) }
    func set() { state.store(true, ordering: .relaxed) }
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
    private let reports = Mutex<[TerminationReport]>([])

    func add(_ report: TerminationReport) { reports.withLock { $0.append(report) } }

    /// The next that nobody has asked for; waits for it.
    func next() async throws -> TerminationReport {
        while true {
            let next = reports.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let next { return next }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    /// The reports that were not asked for.
    var rest: [TerminationReport] { reports.withLock { $0 } }
}
