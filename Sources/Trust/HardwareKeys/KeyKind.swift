/// Where the private half of a key lives, from the strongest place to the weakest.
///
/// Source: `vigil` section 5.
public enum KeyKind: String, CaseIterable, Sendable {
    case secureEnclave
    case tpm2
    case software

    /// Whether the key never leaves hardware.
    public var isHardware: Bool { self != .software }

    /// Whether a kind is weaker than another: ``allCases`` is from the strongest to the weakest.
    package func isWeaker(than other: KeyKind) -> Bool {
        let order = Self.allCases
        return order.firstIndex(of: self) ?? 0 > order.firstIndex(of: other) ?? 0
    }

    /// The line that the log shows when a key of this kind is taken into use; scripts match it to the letter.
    public var announcement: String {
        switch self {
        case .secureEnclave: "Key generated in SECURE ENCLAVE"
        case .tpm2: "Key generated in TPM 2.0"
        case .software: "Using SOFTWARE key"
        }
    }
}
