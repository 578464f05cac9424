import Foundation

/// A line on standard error that says how far long work has come; nothing where nobody looks, or where it takes no time.
package struct ProgressLine {
    private let label: String
    private let total: Int
    private var last = ContinuousClock.now
    private var isShown = false

    package init(label: String, of total: Int) {
        self.label = label
        self.total = total
    }

    package mutating func show(_ done: Int) {
        guard isatty(STDERR_FILENO) == 1, last.duration(to: .now) > .milliseconds(200) else { return }
        last = .now
        isShown = true
        FileHandle.standardError.write(Data("\r\(label) \(done) of \(total)\u{1b}[K".utf8))
    }

    package mutating func end() {
        if isShown { FileHandle.standardError.write(Data("\r\u{1b}[K".utf8)) }
    }
}
