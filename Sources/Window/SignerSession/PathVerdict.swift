import Screens
import SignerCore

extension FieldVerdict {
    /// What is said of the path of a new key while it is typed.
    init(_ check: DerivationCheckData, of path: String) {
        if TypedPath.hasPassword(path) {
            self.init(severity: .refusal, text: "No password here: open \"With a password\" below, and type it there.")
        } else if let error = check.error {
            self.init(severity: .refusal, text: Text(own: error.text))
        } else if let collision = check.collision {
            self.init(
                severity: .refusal, text: "There is a key with this path already: \(Text(address: collision.address)).")
        } else {
            self.init(severity: .good, text: "A key can be made.")
        }
    }
}
