/// The few colours of the signer, used only where standard output is a terminal that takes them.
struct Style {
    let enabled: Bool

    static let output = Style(enabled: Terminal.outputTakesColour)

    func bold(_ text: String) -> String { wrap(text, "1") }
    func dim(_ text: String) -> String { wrap(text, "2") }
    func warning(_ text: String) -> String { wrap(text, "1;33") }
    func danger(_ text: String) -> String { wrap(text, "1;31") }
    func good(_ text: String) -> String { wrap(text, "1;32") }

    private func wrap(_ text: String, _ code: String) -> String {
        enabled ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}
