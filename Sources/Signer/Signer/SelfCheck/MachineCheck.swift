/// What the self check says of the machine, whose facts others find out.
///
/// Source: `signer-product` section 12.3.
package enum MachineCheck {
    // MARK: The worker's walls

    /// What a worker tried to do that nobody may do from there.
    package enum Escape: String, CaseIterable, Sendable {
        case socket = "Sandbox.socket"
        case file = "Sandbox.file"

        fileprivate var attempts: String {
            switch self {
            case .socket: "sockets of the Internet and of this machine"
            case .file: "files that every process can open"
            }
        }
    }

    /// What became of an attempt.
    package enum Outcome: Equatable, Sendable {
        /// The system refused it, in these words.
        case refused(String)
        /// It was let pass.
        case succeeded
        /// It was not made, for this reason.
        case notTried(String)

        fileprivate var reason: String? { if case .notTried(let reason) = self { reason } else { nil } }
        fileprivate var refusal: String? { if case .refused(let words) = self { words } else { nil } }
    }

    /// - Parameters:
    ///   - escape: what was tried.
    ///   - outcomes: of all attempts; all have to be refused, and none is no proof.
    package static func line(_ escape: Escape, _ outcomes: [Outcome]) -> CheckLine {
        let code = escape.rawValue
        if outcomes.contains(.succeeded) {
            return CheckLine(
                code: code, .fail,
                text:
                    "the picture reader opened \(escape.attempts): its sandbox does not hold. Read no pictures on this machine, "
                    + "and run `forcefield doctor`.")
        }
        let refusals = outcomes.compactMap(\.refusal)
        guard refusals.count == outcomes.count, !refusals.isEmpty else {
            return CheckLine(
                code: code, .fail,
                text: "the picture reader did not try to open \(escape.attempts): "
                    + (outcomes.lazy.compactMap(\.reason).first ?? "nothing was asked"))
        }
        return CheckLine(
            code: code, .ok,
            text:
                "the picture reader tried to open \(escape.attempts), and was refused: \(refusals.joined(separator: ", "))"
        )
    }

    // MARK: The network namespace

    /// What a process sees of a network namespace.
    package struct Namespace: Equatable, Sendable {
        /// Names of its interfaces.
        package var interfaces: [String]
        /// Names of what routes go through, other than the loopback.
        package var routes: [String]
        /// Whether there is nothing but a loopback, and no route.
        package var isIsolated: Bool
        /// Whether there is nothing but a loopback that is switched off, and no route.
        package var isEmpty: Bool

        /// Makes it of its parts.
        package init(interfaces: [String], routes: [String], isIsolated: Bool, isEmpty: Bool) {
            self.interfaces = interfaces
            self.routes = routes
            self.isIsolated = isIsolated
            self.isEmpty = isEmpty
        }
    }

    /// - Parameters:
    ///   - namespace: the one that this process is in.
    ///   - isAskedFor: the process was to move to one of its own: anything in it is a failure then, not a warning.
    package static func line(_ namespace: Namespace, isAskedFor: Bool) -> CheckLine {
        if namespace.isEmpty {
            return CheckLine(
                code: "Namespace", .ok, text: "this process sees a loopback that is switched off, and nothing else")
        }
        if namespace.isIsolated, !isAskedFor {
            return CheckLine(
                code: "Namespace", .ok, text: "this process sees a loopback that is switched on, and nothing else")
        }
        let seen =
            "\(namespace.interfaces.count) interfaces (\(namespace.interfaces.joined(separator: ", "))) and routes through "
            + (namespace.routes.isEmpty ? "none" : namespace.routes.joined(separator: ", "))
        return isAskedFor
            ? CheckLine(
                code: "Namespace", .fail,
                text:
                    "this process was to be isolated, and sees \(seen). Disconnect the machine before anything secret.")
            : CheckLine(
                code: "Namespace", .warn,
                text:
                    "this process is in a network namespace with \(seen). Started isolated, it is in an empty one."
            )
    }
}
