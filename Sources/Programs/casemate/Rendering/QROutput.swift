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

    static func write(_ symbol: QRSymbol, to path: String) throws {
        do {
            try Data(QRPicture.png(symbol)).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw Failure.cannotWrite(path: path, reason: error.localizedDescription)
        }
    }
}
