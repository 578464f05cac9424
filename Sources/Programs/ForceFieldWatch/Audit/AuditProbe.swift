import CForceField
import ForceField

/// An attempt to get out, made by one raw system call that does no harm if it succeeds.
///
/// Source: `forcefield` section 19.
package struct AuditProbe: Hashable, Sendable {
    package let index: Int
    package let name: String
    package let expected: Expectation

    /// What profile `compute` answers.
    package enum Expectation: Hashable, Sendable {
        case killed
        case error(Int32)
    }

    /// The probes that this architecture has.
    package static let all: [AuditProbe] = (0..<cforcefield_audit_count()).compactMap { index in
        guard let probe = cforcefield_audit_at(index)?.pointee, probe.exists == 1 else { return nil }
        return AuditProbe(
            index: index, name: String(cString: probe.name),
            expected: probe.expected == 0 ? .killed : .error(probe.expected))
    }

    /// The names of all probes, also of those that only another architecture has.
    package static let allNames: Set<String> = Set(
        (0..<cforcefield_audit_count()).compactMap { cforcefield_audit_at($0).map { String(cString: $0.pointee.name) } }
    )
}

/// What came of an attempt.
package enum AuditOutcome: Hashable, Sendable {
    /// The worker was killed for it; nil where the kernel did not say for which call.
    case killed(call: String?)
    case refused(errno: Int32)
    case allowed
    /// The attempt was not made: the worker was in no namespace of its own.
    case notRun
    /// There was no worker to make the attempt in.
    case failed(Termination)

    package func meets(_ expected: AuditProbe.Expectation) -> Bool {
        switch (self, expected) {
        case (.killed, .killed): true
        case (.refused(let found), .error(let wanted)): found == wanted
        default: false
        }
    }

    package var isBlocked: Bool {
        switch self {
        case .killed, .refused: true
        case .allowed, .notRun, .failed: false
        }
    }
}

extension AuditOutcome: CustomStringConvertible {
    package var description: String {
        switch self {
        case .killed(let call): "blocked (killed\(call.map { ": \($0)" } ?? ""))"
        case .refused(let errno): "blocked (\(ErrorNumber.name(errno)))"
        case .allowed: "ALLOWED"
        case .notRun: "not run"
        case .failed(let termination): "\(termination)"
        }
    }
}

extension AuditProbe.Expectation: CustomStringConvertible {
    package var description: String {
        switch self {
        case .killed: "killed"
        case .error(let errno): ErrorNumber.name(errno)
        }
    }
}
