/// The few colours of the programs, used only where what is written to is a terminal that takes them.
package struct Style {
    package let enabled: Bool

    /// How a piece of text stands out.
    package enum Emphasis: String {
        case bold = "1"
        case dim = "2"
        case warning = "1;33"
        case danger = "1;31"
        case good = "1;32"
    }

    package init(enabled: Bool) {
        self.enabled = enabled
    }

    package static let output = Style(enabled: Terminal.outputTakesColour)
    package static let errors = Style(enabled: Terminal.errorsTakeColour)

    package func bold(_ text: String) -> String { apply(.bold, to: text) }
    package func dim(_ text: String) -> String { apply(.dim, to: text) }
    package func warning(_ text: String) -> String { apply(.warning, to: text) }
    package func danger(_ text: String) -> String { apply(.danger, to: text) }
    package func good(_ text: String) -> String { apply(.good, to: text) }

    package func apply(_ emphasis: Emphasis?, to text: String) -> String {
        guard enabled, let emphasis else { return text }
        return "\u{1b}[\(emphasis.rawValue)m\(text)\u{1b}[0m"
    }
}
