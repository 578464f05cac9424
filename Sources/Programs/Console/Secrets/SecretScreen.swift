import SecretMemory
import TextForms

/// Shows a secret on the terminal's other screen, of which nothing stays in the scroll-back.
package struct SecretScreen {
    package enum Ending {
        /// The person types yes.
        case confirmation
        /// A key, or the time.
        case seconds(Int)
    }

    private let terminal: Terminal
    private let isWithdrawn: (() -> Bool)?

    /// - Parameter isWithdrawn: whether the secret has to go from the screen, as the person has gone; nil for never.
    package init(on terminal: Terminal, until isWithdrawn: (() -> Bool)? = nil) {
        self.terminal = terminal
        self.isWithdrawn = isWithdrawn
    }

    /// - Parameters:
    ///   - heading: what it is and what to do with it.
    ///   - secret: lines of it, without a line break at the end.
    /// - Throws: ``InteractionError/cancelled`` for Ctrl-C, where the terminal goes away, and where it is withdrawn;
    ///   ``InteractionError/terminalLost``.
    package func show(_ secret: SecretBytes, heading: String, until ending: Ending) throws {
        try terminal.onOtherScreen(secrets: true, until: isWithdrawn) {
            try terminal.withoutEcho {
                try waitForRoom(for: secret, heading: heading)
                terminal.redraw("\(heading)\n\n")
                try terminal.write(secret: secret)
                terminal.write("\n\n")
                switch ending {
                case .confirmation: try waitForYes()
                case .seconds(let seconds):
                    terminal.write("Any key goes on; after \(seconds) seconds it is gone by itself. ")
                    _ = terminal.key(within: seconds * 1000)
                }
            }
        }
    }

    /// Lines below the secret: one is blank, and the question may take two.
    private static let rowsBelow = 3

    /// What does not fit would go out at the top, unseen.
    private func waitForRoom(for secret: SecretBytes, heading: String) throws {
        let widths = secret.withUnsafeBytes { bytes in
            bytes.split(separator: 0x0a, omittingEmptySubsequences: false).map(\.count)
        }
        while true {
            let (columns, height) = (terminal.size.columns, terminal.size.rows)
            let rows = ([DisplayWidth.of(heading), 0] + widths).reduce(Self.rowsBelow) {
                $0 + max(1, ($1 + columns - 1) / columns)
            }
            guard rows > height else { return }
            terminal.redraw(
                "This window is too small: make it \(rows) rows high, or wider, then press a key. Ctrl-C: stop ")
            guard let key = terminal.byte(), key != 3 else { throw InteractionError.cancelled }
        }
    }

    private func waitForYes() throws {
        let question = "Type yes when you have written it down (Ctrl-C: stop, nothing is changed): "
        while try answer(to: question).lowercased() != "yes" {}
    }

    private func answer(to question: String) throws -> String {
        try withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { memory in
            var line = TypedLine(in: memory)
            while true {
                // The terminal does not echo here.
                terminal.write("\r\u{1b}[K\(question)\(String(decoding: line.bytes, as: UTF8.self))")
                guard let byte = terminal.byte() else { throw InteractionError.cancelled }
                guard try !line.type(byte) else { return String(decoding: line.bytes, as: UTF8.self) }
            }
        }
    }
}
