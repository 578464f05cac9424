import Navigator
import NetworkDetector
import SecretMemory
import Signer
import Substrate

/// Replays a recorded flow against a core, and says where the two differ.
///
///     var runner = FlowRunner(host: host, files: files, shares: shares)
///     for step in try FlowStep.steps(json) { report(try runner.run(step)) }
///
/// Source: `signer-product` section 12.4.
package struct FlowRunner {
    /// A set of shares with what opens it.
    package struct ShareRecord: Sendable {
        package var shares: [String]
        package var passphrase: String

        package init(shares: [String], passphrase: String) {
            self.shares = shares
            self.passphrase = passphrase
        }
    }

    /// What a step came to.
    package struct Outcome: Sendable {
        package var step: Int
        /// What is shown; nil behind a call of the host.
        package var result: ActionResult?
        /// Each difference in words; empty where there is none.
        package var differences: [String]
    }

    /// What is not in a flow.
    package enum Fault: Error, CustomStringConvertible {
        case unknownAction(String)
        case unknownCall(String)
        case unknownPlaceholder(String)
        case unknownDetector(String)

        package var description: String {
            switch self {
            case .unknownAction(let name): "There is no action \(name)."
            case .unknownCall(let name): "There is no call \(name)."
            case .unknownPlaceholder(let text): "Nothing stands for \(text)."
            case .unknownDetector(let name): "A detector does not say \(name)."
            }
        }
    }

    /// What the flow is replayed against.
    package let core: Core
    let host: MemoryHost
    let files: @Sendable (String) throws -> String
    let shares: [String: ShareRecord]
    /// Phrases that were shown, by the name of their seed.
    var phrases: [String: String] = [:]
    /// The credential under which the vault was set up.
    private var credential: String?
    /// The passphrase of the shares that were taken last.
    var passphrase: String?
    private var position = Position.start

    /// - Parameters:
    ///   - host: keeps the vault.
    ///   - files: gives the text of a payload by its name.
    ///   - shares: by the name of their set.
    package init(
        host: MemoryHost, files: @escaping @Sendable (String) throws -> String, shares: [String: ShareRecord] = [:]
    ) {
        self.host = host
        self.files = files
        self.shares = shares
        core = Core(host: host)
    }

    /// Does a step.
    package mutating func run(_ step: FlowStep) throws -> Outcome {
        if let call = step.call { return try run(call: call, step) }
        let name = step.action ?? ""
        guard let action = UserAction(rawValue: name) else { throw Fault.unknownAction(name) }
        host.setDetector(try detector(of: step))
        let data = try filled(step.data ?? "")
        let secret = try step.secret.map { try filled($0) } ?? secret(for: action, step)
        let result = try core.action(action, data: data, secret: secret.map { try Self.secret($0) })
        note(result, data: data)
        return Outcome(step: step.n, result: result, differences: Self.differences(step, result))
    }

    private mutating func run(call: String, _ step: FlowStep) throws -> Outcome {
        var differences: [String] = []
        switch call {
        case "updateSeedNames":
            let wanted = (step.names ?? []).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            let found = try core.seedNames()
            if found != wanted { differences.append("seeds: \(found), not \(wanted)") }
        case "seedWasShown": _ = try core.backupPhrase()
        default: throw Fault.unknownCall(call)
        }
        return Outcome(step: step.n, result: nil, differences: differences)
    }

    private func detector(of step: FlowStep) throws -> NetworkDetector.State {
        guard case .named(let name)? = step.conditions?["detector"] else { return .safe }
        guard let state = NetworkDetector.State(rawValue: name) else { throw Fault.unknownDetector(name) }
        return state
    }

    /// The secrets that a flow leaves to its conditions.
    private func secret(for action: UserAction, _ step: FlowStep) -> String? {
        guard action == .goForward, step.conditions != nil else { return nil }
        let isWrong = step.says("wrong") == true
        switch (position.screen, position.modal) {
        case (.unlock, _): return isWrong ? "none of the words" : credential
        case (.splitRecover, .splitPassphrase?): return isWrong ? "none-of-the-words" : passphrase
        default: return nil
        }
    }

    /// Remembers what later steps refer to.
    private mutating func note(_ result: ActionResult, data: String) {
        if case .newSeedBackup(let seed)? = result.modal {
            phrases[seed.name] = seed.phrase.bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
        if position.screen == .airgapCheck, result.position.screen == .seedSelector { credential = data }
        position = result.position
    }

    private static func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }
}
