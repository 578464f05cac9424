import TextForms

/// What a person has to have read before a question: page by page where it does not fit the screen, so that nothing of
/// it has scrolled away unseen, and its end stands directly above the question.
package struct PagedReading {
    private let terminal: Terminal
    private let size: Terminal.Size
    private let pages: [ArraySlice<String>]

    /// Rows that a screen must have for a page and a question.
    static let leastRows = 6

    /// - Parameters:
    ///   - reserved: rows for what is asked below the last page.
    ///   - lines: for a width.
    /// - Throws: ``InteractionError/screenTooSmall`` where no page can be shown.
    package init(on terminal: Terminal, reserving reserved: Int, _ lines: (_ width: Int) -> [String]) throws {
        let size = terminal.size
        guard size.rows >= Self.leastRows, size.columns >= ForeignText.leastWidth else {
            throw InteractionError.screenTooSmall(columns: ForeignText.leastWidth, rows: Self.leastRows)
        }
        self.terminal = terminal
        self.size = size
        pages = Self.pages(lines(size.columns), rows: size.rows, reserved: reserved)
    }

    /// Lines in pages: each but the last leaves a row for the prompt to go on, the last one the reserved rows. It is
    /// the fullest, since what matters most stands at the end.
    package static func pages(_ lines: [String], rows: Int, reserved: Int) -> [ArraySlice<String>] {
        let last = lines.suffix(max(rows - reserved, rows / 2))
        var pages: [ArraySlice<String>] = []
        var rest = lines.prefix(upTo: last.startIndex)
        while !rest.isEmpty {
            pages.append(rest.prefix(rows - 1))
            rest = rest.dropFirst(rows - 1)
        }
        return pages + [last]
    }

    /// Shows page after page up to the last, which is left standing.
    ///
    /// - Throws: ``InteractionError/declined`` if the person leaves.
    package func show() throws {
        for (index, page) in pages.dropLast().enumerated() {
            write(page)
            var answer: String?
            repeat {
                terminal.discardTyped()
                terminal.write("Page \(index + 1) of \(pages.count). Enter to go on, q to decline: ")
                answer = terminal.line()
                guard let answer, answer.lowercased() != "q" else { throw InteractionError.declined }
            } while answer?.isEmpty == false
        }
        showEnd()
    }

    /// Shows the last page, once more where what was asked meanwhile has moved it.
    package func showEnd() { write(pages[pages.count - 1]) }

    /// Whether the screen is still as large as what was shown was made for.
    package var fits: Bool { terminal.size == size }

    private func write(_ page: ArraySlice<String>) {
        terminal.write(page.map { $0 + "\n" }.joined())
    }
}
