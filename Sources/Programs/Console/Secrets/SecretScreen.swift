import SecretMemory

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
