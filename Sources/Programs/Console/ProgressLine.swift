import BasicFoundation
import TextForms

/// A line on standard error that says how far long work has come; nothing where standard error is no terminal, or where
/// the work takes no time.
package struct ProgressLine {
    private let label: String
    private let total: Int
    private var last = ContinuousClock.now
    private var isShown = false

    package init(label: String, of total: Int) {
        self.label = ScreenText.escape(label)
        self.total = total
    }

    package mutating func show(_ done: Int) {
        guard isatty(STDERR_FILENO) == 1, last.duration(to: .now) > .milliseconds(200) else { return }
        last = .now
        isShown = true
        StandardError.write("\r\(label) \(done) of \(total)\u{1b}[K")
    }

    package mutating func end() {
        if isShown { StandardError.write("\r\u{1b}[K") }
    }
}
