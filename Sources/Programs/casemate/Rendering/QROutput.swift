import Airgap
import AnimatedCodes
import BasicFoundation
import Console
import Files
import QRCode
import QRFilms

/// Puts an answer's QR code on the terminal and into a file.
enum QROutput {
    /// Shows the codes: one, or moving ones until the person has enough.
    static func show(_ codes: TransferSender) throws {
        if codes.isEndless { try TerminalFilm(codes).run() } else { show(try QRSymbol.encode(bytes: codes.content(0))) }
    }

    /// Refuses a terminal on which codes cannot be shown.
    ///
    /// - Throws: `TerminalTooSmall`.
    static func requireRoom(for codes: TransferSender) throws {
        guard !codes.isEndless else { return try TerminalFilm(codes).requireRoom() }
        let needed = QRText.size(of: try QRSymbol.encode(bytes: codes.content(0)))
        guard let size = Terminal.outputSize, size.columns < needed.columns else { return }
        throw TerminalTooSmall(columns: needed.columns, rows: needed.rows)
    }

    /// Writes and shows an answer that is signed and logged already. Where that fails, its text is printed, so that it
    /// is not lost.
    ///
    /// - Parameter text: in hex.
    static func handOver(_ codes: TransferSender, text: String, into file: PreparedFile?) throws {
        let written = Result { if let file { try write(codes, to: file) } }
        let shown = Result {
            try requireRoom(for: codes)
            try show(codes)
        }
        guard case .failure(let error) = file == nil ? shown : written else {
            // It has its place.
            if case .failure(let error) = shown { print(error) }
            return
        }
        print("\nThe answer in hex:\n\(text)")
        throw error
    }

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

    static func write(_ codes: TransferSender, to path: String) throws {
        try write(codes, to: PreparedFile(for: FilePath(path)))
    }

    /// Writes the codes: one as a picture, moving ones as an animated PNG, or what the name's ending asks for.
    ///
    /// - Parameter file: opened before there was an answer, where nothing must be done whose answer has no place.
    static func write(_ codes: TransferSender, to file: PreparedFile) throws {
        try FilmOutput.write(
            codes, count: codes.usualCount, to: file, as: FilmOutput.writer(for: file.path.string) ?? APNGWriter.self)
    }
}
