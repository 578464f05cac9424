import Substrate
import TextForms

extension Risk {
    static let exposedKeyMessage = "The secret of this key may have left the vault: others may be able to use it."

    /// What a person should know of a key that signs a message, or for other vaults, by the address that is shown of
    /// it.
    static func ofExposedKey(_ address: String) -> Risk {
        var confirmation = Confirmation.signer(address, .exposedKey)
        confirmation.message = exposedKeyMessage
        return Risk(rule: .exposedKey, calls: [], message: exposedKeyMessage, confirmations: [confirmation])
    }

    /// What a person should know of a message before signing it.
    ///
    /// - Parameter content: without the tags around it.
    package static func ofMessage(_ content: some Collection<UInt8>) -> [Risk] {
        func warning(_ message: String) -> Risk {
            Risk(rule: .textInArguments, calls: [], message: message, confirmations: [])
        }
        guard let text = String(validating: content, as: UTF8.self) else {
            let message = "The message is \(content.count) bytes that are no text: they are shown as hex digits."
            let limit = ForeignText.Limits.messageByteCount
            return [Risk(rule: .binaryMessage, calls: [], message: message, confirmations: [])]
                + (content.count > limit ? [warning("Only the first \(limit) bytes of the message are shown.")] : [])
        }
        var risks: [Risk] = []
        if HiddenText.hides(text) {
            risks.append(
                warning("The message holds characters that hide or reorder what is shown, or push it out of sight."))
        }
        if ForeignText.Limits.message.cuts(text) {
            risks.append(warning("The message is longer than what is shown of it: its end stands nowhere."))
        }
        return risks
    }
}
