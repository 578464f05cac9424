import Airgap
import NetworkDetector
import SecretMemory
import Signer
import SplitBackup
import Substrate

/// An error as screens, tests and logs of a host get it: a stable code, and a text without secrets.
///
/// Source: `signer-product` section 9.
package struct CoreFailure: Hashable, Sendable, Encodable {
    /// The name by which programs tell errors apart.
    package var code: String
    /// What happened and what to do.
    package var text: String

    /// Takes code and text from the error, whichever part of the vault it is of.
    package init(_ error: any Error) {
        switch error {
        case let error as CoreError: self.init(code: error.code, text: "\(error)")
        case let error as SignerError: self.init(code: error.code, text: "\(error)")
        case let error as RefusedPayload: self.init(code: error.code, text: "\(error)")
        case let error as ShareError: self.init(code: error.code, text: "\(error)")
        case let error as DetectorError: self.init(code: error.code, text: "\(error)")
        case let error as MnemonicError: self.init(code: "InvalidMnemonic", text: "\(error)")
        case let error as SecretMemoryError: self.init(code: "Memory", text: "\(error)")
        case let error as TransferError: self.init(code: "QrTooLarge", text: "\(error)")
        default:
            self.init(code: "Internal", text: "Something went wrong that should not: \(type(of: error)). Report it.")
        }
    }

    private init(code: String, text: String) {
        self.code = code
        self.text = text
    }
}
