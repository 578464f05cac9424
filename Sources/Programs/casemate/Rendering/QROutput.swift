import Foundation
import QRCode

/// Puts an answer's QR code on the terminal and into a file.
enum QROutput {
    /// Prints the code if the terminal is large enough for it, else says how large it must be.
    static func show(_ symbol: QRSymbol) {
        let needed = QRText.size(of: symbol)
        if let size = Terminal.outputSize, size.columns < needed.columns {
            print(
                "The QR code needs \(needed.columns) columns and \(needed.rows) rows; this terminal has \(size.columns)."
            )
            print("Make the window larger, or write the code to a picture with --out FILE.png.")
            return
        }
        print(QRText.lines(symbol, style: Style.output.enabled ? .coloured : .plain), terminator: "")
    }

    /// Prints codes that belong together, each when the person asks for it.
    static func show(_ symbols: [QRSymbol]) {
        for (index, symbol) in symbols.enumerated() {
            if symbols.count > 1 { print("Code \(index + 1) of \(symbols.count):\n") }
            show(symbol)
            if index + 1 < symbols.count, let terminal = Terminal() {
                terminal.write("Press Return for the next code. ")
                _ = terminal.line()
            }
        }
    }

    /// Writes one code to `path`, several beside it with their numbers in the names.
    ///
    /// - Returns: the files.
    static func write(_ symbols: [QRSymbol], to path: String) throws -> [String] {
        guard symbols.count > 1 else {
            for symbol in symbols { try write(symbol, to: path) }
            return [path]
        }
        let url = URL(filePath: path)
        return try symbols.enumerated().map { index, symbol in
            let name = "\(url.deletingPathExtension().lastPathComponent)-\(index + 1)"
            let file = url.deletingLastPathComponent().appending(path: name).appendingPathExtension("png").path
            try write(symbol, to: file)
            return file
        }
    }

    static func write(_ symbol: QRSymbol, to path: String) throws {
        do {
            try Data(QRPicture.png(symbol)).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw Failure.cannotWrite(path: path, reason: error.localizedDescription)
        }
    }
}
