extension Risk {
    /// What a person should know of a message before signing it.
    ///
    /// - Parameter content: without the tags around it.
    package static func ofMessage(_ content: some Collection<UInt8>) -> [Risk] {
        guard let text = String(validating: content, as: UTF8.self) else {
            let message = "The message is \(content.count) bytes that are no text: they are shown as hex digits."
            return [Risk(rule: .binaryMessage, calls: [], message: message, confirmations: [])]
        }
        guard HiddenText.hides(text) else { return [] }
        let message = "The message holds characters that hide or reorder what is shown, or push it out of sight."
        return [Risk(rule: .textInArguments, calls: [], message: message, confirmations: [])]
    }
}
