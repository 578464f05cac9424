import Screens
import SignerCore

extension FieldVerdict {
    /// What is said of the path of a new key while it is typed.
    init(_ check: DerivationCheckData) {
        if let error = check.error {
            self.init(severity: .refusal, text: Text(own: error.text))
        } else if let collision = check.collision {
            self.init(
                severity: .refusal, text: "There is a key with this path already: \(Text(address: collision.address)).")
        } else if check.asksPassword {
            self.init(severity: .notice, text: "A key can be made. Its password is asked for once more.")
        } else {
            self.init(severity: .good, text: "A key can be made.")
        }
    }
}
