import HardwareKeys

extension KeyKind {
    /// The number of a kind in messages.
    var wireCode: UInt8 {
        switch self {
        case .software: 0
        case .tpm2: 1
        case .secureEnclave: 2
        }
    }

    init?(wireCode: UInt8) {
        switch wireCode {
        case 0: self = .software
        case 1: self = .tpm2
        case 2: self = .secureEnclave
        default: return nil
        }
    }
}
