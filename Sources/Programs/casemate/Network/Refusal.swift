import NetworkDetector

extension NetworkGate {
    /// Why secrets are not used now, with what was found and what to do.
    struct Refusal: Error, CustomStringConvertible {
        let error: DetectorError
        /// What each probe found, in words; empty where nothing is up any more.
        let found: [String]
        /// Whether a vault's policy could allow it.
        let hasVault: Bool

        var code: String { error.code }

        /// Whether this refuses an acknowledgement on a machine that is safe already.
        var hasNothingToAcknowledge: Bool { error == .ackNotPossible(.safe) }

        var description: String {
            let seen = found.isEmpty ? "" : " Found: \(found.joined(separator: "; "))."
            guard case .notSafe(_, let state) = error else { return "\(error)\(seen)" }
            if state == .wasOnline {
                return "\(error)\(seen) See what happened, and go on, with: casemate acknowledge"
            }
            return
                "\(error)\(seen) Or keep casemate alone away from the network, which the machine stays connected to: casemate --isolated, "
                + "before the command. \(policy)"
        }

        private var policy: String {
            hasVault
                ? "Or let this vault be used on a connected machine, which its log will say: casemate network-policy --network-allowed"
                : "Or make a vault that may be used on a connected machine, which its log will say: casemate init --network-allowed"
        }

        static func warning(_ error: DetectorError, _ found: [String]) -> String {
            let seen = found.isEmpty ? "" : " (\(found.joined(separator: "; ")))"
            guard case .notSafe(_, let state) = error else { return "\(error)" }
            return switch state {
            case .wasOnline:
                "This machine was connected to a network\(seen). The vault's policy allows it; its log says so."
            case .error:
                "It cannot be told whether this machine is connected to a network\(seen). The vault's policy allows it; its log says so."
            default: "This machine is connected to a network\(seen). The vault's policy allows it; its log says so."
            }
        }
    }
}
