import BasicFoundation
import CLinux
import Files

/// The terminal that the person sits at, reached through `/dev/tty` so that prompts work while standard input and
/// output are redirected.
package final class Terminal {
    let file: OpenFile
    /// Whether what is shown has to go, and nothing is waited for any more; asked again and again.
    private var isWithdrawn: (() -> Bool)?

    /// The number of its descriptor.
    package var descriptor: CInt { file.descriptor.rawValue }

    /// - Returns: nil where the process has no terminal.
    package init?() {
        // Not as other files are opened: a terminal is waited for.
        guard let terminal = try? FileDescriptor.open("/dev/tty", .readWrite, options: .closeOnExec) else { return nil }
        file = OpenFile(owning: terminal, path: "/dev/tty")
    }

    /// Writes nothing any more once a signal has taken the screen away.
    package func write(_ text: String) {
        guard clinux_terminal_is_given_up() == 0 else { return }
        try? file.write(Array(text.utf8))
    }

    /// Reads a line that is shown while it is typed.
    ///
    /// - Returns: nil at end of input.
    package func line() -> String? {
        var bytes: [UInt8] = []
        while let byte = byte() {
            if byte == 0x0a { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// The next byte typed, or nil at end of input, which comes also where what is shown is withdrawn.
    package func byte() -> UInt8? {
        guard isWithdrawn == nil || waits(for: nil) else { return nil }
        var byte: UInt8 = 0
        let count = withUnsafeMutableBytes(of: &byte) { try? file.read(into: $0) }
        return count == 1 ? byte : nil
    }

    /// How often is asked whether what is shown has to go.
    private static let look = Duration.milliseconds(250)

    /// Waits until something was typed or input is at its end.
    ///
    /// - Parameter time: the most that is waited; nil for no end.
    /// - Returns: false where the time is over, or what is shown is withdrawn.
    private func waits(for time: Duration?) -> Bool {
        let end = time.map { ContinuousClock.now + $0 }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while isWithdrawn?() != true {
            let left = end.map { ContinuousClock.now.duration(to: $0) }
            let pause = [left, isWithdrawn == nil ? nil : Self.look].compactMap { $0 }.min()
            let count = poll(&request, 1, pause.map { Int32(clamping: max(0, $0.milliseconds)) } ?? -1)
            if count > 0 { return true }
            // A signal is no key, and no end of the time.
            guard count == 0 || errno == EINTR, left.map({ $0 > .zero }) ?? true else { return false }
        }
        return false
    }

    /// Runs `body` with echo, line editing and signal keys off, and restores the terminal afterwards, also if a signal
    /// ends the process meanwhile. Signal keys arrive as bytes.
    package func withoutEcho<R>(_ body: () throws -> R) throws -> R {
        guard clinux_terminal_hide(descriptor) == 0 else { throw HiddenInputUnavailable() }
        defer { clinux_terminal_show() }
        return try body()
    }

    /// Runs `body` on the terminal's other screen, which is erased afterwards, also if a signal ends the process
    /// meanwhile: not every terminal has one, and some keep what was on it.
    ///
    /// - Parameters:
    ///   - secrets: whether what went out at the top of the screen is erased too. Some terminals then forget all that
    ///     went out at the top before.
    ///   - isWithdrawn: whether what is shown has to go; input is at its end then.
    package func onOtherScreen<R>(
        secrets: Bool, until isWithdrawn: (() -> Bool)? = nil, _ body: () throws -> R
    ) throws -> R {
        guard clinux_terminal_cover(descriptor, secrets ? 1 : 0) == 0 else { throw HiddenInputUnavailable() }
        self.isWithdrawn = isWithdrawn
        defer {
            self.isWithdrawn = nil
            clinux_terminal_uncover()
        }
        return try body()
    }

    /// Clears the screen and writes from its top.
    package func redraw(_ text: String) {
        write("\u{1b}[H\u{1b}[J" + text)
    }

    /// Whether a person looks at standard output, on a terminal that can be drawn on.
    package static var isDrawable: Bool {
        isatty(STDOUT_FILENO) == 1 && !["dumb", ""].contains(ProcessInfo.processInfo.environment["TERM"] ?? "")
    }

    /// Width and height in character cells.
    package struct Size: Equatable {
        package var columns: Int
        package var rows: Int

        /// Where it is not known: the least that terminals have had since there were terminals. What is wrapped by it
        /// is not wrapped again by a terminal that a file is shown on later.
        package static let usual = Size(columns: 80, rows: 24)

        /// The size of the terminal behind a descriptor; nil if there is none, or it does not know.
        init?(behind descriptor: CInt) {
            var columns: UInt16 = 0
            var rows: UInt16 = 0
            guard clinux_terminal_size(descriptor, &columns, &rows) == 0, columns > 0, rows > 0 else { return nil }
            self.init(columns: Int(columns), rows: Int(rows))
        }

        init(columns: Int, rows: Int) {
            self.columns = columns
            self.rows = rows
        }
    }

    package var size: Size { Size(behind: descriptor) ?? .usual }

    /// The size of the terminal behind standard output; nil if there is none, or it does not know.
    package static var outputSize: Size? { Size(behind: STDOUT_FILENO) }

    /// How wide lines on standard output may be.
    package static var outputWidth: Int { outputSize?.columns ?? Size.usual.columns }

    /// Forgets what was typed before it was asked for.
    package func discardTyped() { tcflush(descriptor, TCIFLUSH) }

    /// Whether the environment leaves colour on: neither `NO_COLOR` nor a dumb terminal.
    package static var environmentTakesColour: Bool {
        let environment = ProcessInfo.processInfo.environment
        return environment["NO_COLOR"] == nil && environment["TERM"] != "dumb"
    }

    /// Whether colour is wanted on standard output: only on a terminal.
    package static var outputTakesColour: Bool { isatty(STDOUT_FILENO) == 1 && environmentTakesColour }
    static var errorsTakeColour: Bool { isatty(STDERR_FILENO) == 1 && environmentTakesColour }
}

/// The terminal cannot be switched to hidden input.
package struct HiddenInputUnavailable: Error, CustomStringConvertible {
    package var description: String { "The terminal cannot be switched to hidden input." }
}

extension Terminal {
    /// The next byte typed, if one comes within the time.
    package func key(within milliseconds: Int) -> UInt8? { waits(for: .milliseconds(milliseconds)) ? byte() : nil }

    /// The next byte of text or editing: arrow and function keys, which send sequences, are passed over.
    ///
    /// - Returns: nil at end of input.
    package func keyOfText() -> UInt8? {
        while let byte = byte() {
            guard byte == 0x1b else { return byte }
            _ = takesRestOfSequence()
        }
        return nil
    }

    /// Takes what an arrow or function key sends behind its first byte, which is the Escape key's.
    ///
    /// - Returns: whether anything came: the Escape key sends no more than its byte.
    package func takesRestOfSequence() -> Bool {
        guard let lead = key(within: 100) else { return false }
        if lead == UInt8(ascii: "[") || lead == UInt8(ascii: "O") {
            while let next = byte(), !(0x40...0x7e).contains(next) {}
        }
        return true
    }
}

extension Duration {
    package var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
