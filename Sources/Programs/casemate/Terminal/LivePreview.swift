import Console
import SecretMemory
import Substrate
import TextForms

/// The preview while it is typed: first the words, which are not shown and stay in locked memory, then a path. What
/// they give is drawn anew with each key.
struct LivePreview {
    let terminal: Terminal
    let password: SecretBytes?
    /// What a phrase gives at a typed path, which may be empty.
    let table: (PhrasePreview, String) throws -> String

    /// How far the words have come.
    private enum Words {
        case incomplete(PhraseProgress)
        case wrong(MnemonicError)
        case complete(PhrasePreview)
    }

    private enum Field { case words, path }

    /// - Returns: what was drawn last.
    func run() throws -> String {
        try terminal.onOtherScreen(secrets: true) {
            try terminal.withoutEcho {
                var drawn = ""
                let half = SecretInput.limit
                _ = try SecretBytes(
                    count: 2 * half,
                    attempting: { memory in
                        drawn = try edit(
                            words: TypedLine(in: UnsafeMutableRawBufferPointer(rebasing: memory[..<half])),
                            path: TypedLine(in: UnsafeMutableRawBufferPointer(rebasing: memory[half...])))
                    })
                return drawn
            }
        }
    }

    private func edit(words line: TypedLine, path: TypedLine) throws -> String {
        var (line, path) = (line, path)
        var words = try read(line)
        var field = Field.words
        while true {
            let result = result(words, path)
            draw(result, words: words, path: path, field: field)
            guard let key = terminal.keyOfText() else { throw InteractionError.cancelled }
            switch (field, key) {
            case (_, 0x09):
                field = field == .words ? .path : .words
            case (.words, _):
                if try line.type(key) { field = .path }
                words = try read(line)
            case (.path, _):
                if try path.type(key) {
                    if case .success(let text) = result { return text }
                    if result == nil { field = .words }
                }
            }
        }
    }

    // MARK: What is known

    private func read(_ line: TypedLine) throws -> Words {
        let phrase = try SecretBytes(copying: line.bytes)
        let progress = PhraseProgress(of: phrase)
        guard progress.unknownWord == nil, !progress.isWithinWord, Mnemonic.wordCounts.contains(progress.knownWords)
        else { return .incomplete(progress) }
        do throws(MnemonicError) {
            return .complete(try PhrasePreview(Mnemonic(phrase: phrase), password: password))
        } catch {
            return .wrong(error)
        }
    }

    private func result(_ words: Words, _ path: TypedLine) -> Result<String, any Error>? {
        guard case .complete(let preview) = words else { return nil }
        return Result { try table(preview, Self.text(path)) }
    }

    // MARK: Screen

    private func draw(_ result: Result<String, any Error>?, words: Words, path: TypedLine, field: Field) {
        let body =
            switch result {
            case .success(let text): text
            case .failure(let error): "\(error)"
            case nil: "The addresses appear here when the phrase is complete."
            }
        let wordsLine = "Recovery phrase (not shown): \(Self.state(words))"
        let pathLine = "Path: \(ScreenText.escape(Self.text(path)))"
        // The line that is typed comes last, where the cursor is.
        let lines = field == .words ? [pathLine, wordsLine] : [wordsLine, pathLine]
        terminal.redraw(
            """
            \(body)

            Tab: words or path · Enter: go on · Ctrl-U: clear the line · Ctrl-C: leave
            \(lines.joined(separator: "\n"))
            """)
    }

    private static func state(_ words: Words) -> String {
        switch words {
        case .complete: "complete "
        // Any phrase but the longest is also the beginning of others.
        case .wrong(.badChecksum): "\(MnemonicError.badChecksum) Or more words follow. "
        case .wrong(let error): "\(error) "
        case .incomplete(let progress):
            if let index = progress.unknownWord {
                "\(MnemonicError.unknownWord(index)) "
            } else {
                "words known: \(progress.knownWords)\(progress.isWithinWord ? ", one begun" : "") "
            }
        }
    }

    private static func text(_ path: TypedLine) -> String { String(decoding: path.bytes, as: UTF8.self) }
}
