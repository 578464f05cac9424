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

    private static let question = "Type yes when you have written it down (Ctrl-C: stop, nothing is changed): "
    /// Characters of an answer that are shown: more would wrap, and push the secret out at the top.
    private static let answerWidth = 8

    /// Lines below the secret: one is blank, the others have the question and its answer.
    private static func rowsBelow(columns: Int) -> Int { 1 + (question.count + answerWidth) / columns + 1 }

    /// What does not fit would go out at the top, unseen.
    private func waitForRoom(for secret: SecretBytes, heading: String) throws {
        let widths = secret.withUnsafeBytes { bytes in
            bytes.split(separator: 0x0a, omittingEmptySubsequences: false).map(\.count)
        }
        while true {
            let (columns, height) = (terminal.size.columns, terminal.size.rows)
            let rows = ([DisplayWidth.of(heading), 0] + widths).reduce(Self.rowsBelow(columns: columns)) {
                $0 + max(1, ($1 + columns - 1) / columns)
            }
            guard rows > height else { return }
            terminal.redraw(
                "This window is too small: make it \(rows) rows high, or wider, then press a key. Ctrl-C: stop ")
            guard let key = terminal.byte(), key != 3 else { throw InteractionError.cancelled }
        }
    }

    private func waitForYes() throws {
        terminal.write(Self.question)
        while try answer().lowercased() != "yes" {}
    }

    /// Reads an answer behind the question, which is not drawn anew: where it takes two rows, each time would push the
    /// secret up by one.
    private func answer() throws -> String {
        try withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { memory in
            var line = TypedLine(in: memory)
            var shown = 0
            while true {
                guard let byte = terminal.keyOfText() else { throw InteractionError.cancelled }
                let isEnd = try line.type(byte)
                let answer = isEnd ? "" : String(decoding: line.bytes, as: UTF8.self).prefix(Self.answerWidth)
                // The terminal does not echo here.
                terminal.write(String(repeating: "\u{8} \u{8}", count: shown) + answer)
                shown = answer.count
                if isEnd { return String(decoding: line.bytes, as: UTF8.self) }
            }
        }
    }
}
