import Airgap
import AnimatedCodes
import ArgumentParser
import Console
import Files
import QRCode
import QRFilms

/// How codes are shown.
struct FilmOptions: ParsableArguments {
    @Flag(help: "Show the codes in this terminal.")
    var show = false

    @Option(help: ArgumentHelp("Codes a second, 1 to 60.", valueName: "number"))
    var fps = 15

    func validate() throws {
        guard 1...60 ~= fps else { throw ValidationError("--fps is 1 to 60.") }
    }

    /// Shows codes, until the person has enough where they move.
    func play(_ sender: TransferSender) throws {
        try TerminalFilm(sender, count: sender.isEndless ? nil : 1, framesPerSecond: fps).run()
    }

    /// Writes codes to a file: one as a picture, several as a film of the kind that the name's ending says.
    @discardableResult
    func write(_ sender: TransferSender, to path: String) throws -> Film {
        guard let writer = FilmOutput.writer(for: path) else { throw Failure.notAFilm(path: path) }
        let count = sender.usualCount
        try FilmOutput.write(
            sender, count: count, framesPerSecond: fps, to: PreparedFile(for: FilePath(path)), as: writer)
        return Film(path: path, codes: count, needed: sender.sourceCount, framesPerSecond: fps)
    }
}

/// A film that was written, for people and machines.
struct Film: Encodable {
    let path: String
    /// Codes in it.
    let codes: Int
    /// Codes that a reader needs who misses none.
    let needed: Int
    let framesPerSecond: Int

    var text: String {
        guard codes > 1 else { return "\(path): one code" }
        let tenths = (needed * 10 + framesPerSecond - 1) / framesPerSecond
        return
            "\(path): \(codes) codes, \(needed) needed: \(tenths / 10).\(tenths % 10) s at \(framesPerSecond) a second"
    }
}
