import Substrate
import TextForms

extension Risk {
    /// - Returns: nil where the proof writes amounts and addresses as the stored record does.
    init?(proof: MetadataExtraInfo, differsFrom stored: NetworkSpecs) {
        let differences = [
            ("prefix", "\(proof.base58Prefix)", "\(stored.base58Prefix)"),
            ("decimals", "\(proof.decimals)", "\(stored.decimals)"),
            ("unit", ForeignName.shown(proof.tokenSymbol), ForeignName.shown(stored.unit)),
        ].filter { $0.1 != $0.2 }
        guard !differences.isEmpty else { return nil }
        let list = differences.map { "\($0.0) \($0.1), not \($0.2)" }.joined(separator: "; ")
        self.init(
            rule: .proofInfoMismatch, calls: [],
            message: "The wallet's metadata proof writes amounts and addresses otherwise than this vault's record "
                + "of the network (\(list)): what is shown here may be wrong.",
            confirmations: [])
    }
}
