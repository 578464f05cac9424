/// The few colours of the programs, used only where standard output is a terminal that takes them.
package struct Style {
    package let enabled: Bool

    package init(enabled: Bool) {
        self.enabled = enabled
    }

    package static let output = Style(enabled: Terminal.outputTakesColour)

    package func bold(_ text: String) -> String { wrap(text, "1") }
    package func dim(_ text: String) -> String { wrap(text, "2") }
    package func warning(_ text: String) -> String { wrap(text, "1;33") }
    package func danger(_ text: String) -> String { wrap(text, "1;31") }
    package func good(_ text: String) -> String { wrap(text, "1;32") }

    private func wrap(_ text: String, _ code: String) -> String {
        enabled ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}
