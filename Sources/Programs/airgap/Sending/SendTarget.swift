import Airgap
import AnimatedCodes
import BasicFoundation
import Console
import Files
import QRCode
import QRFilms
import Substrate
import TextForms

/// Where codes go.
enum SendTarget {
    case terminal
    /// Lines of hex on standard output.
    case standardOutput
    case picture(path: String)
    case film(path: String, any QRFilmWriter.Type)
    /// A picture for each frame.
    case folder(path: String)

    /// Chooses the target by the name, as `airgap send --help` says.
    init(_ name: String) throws {
        switch URL(filePath: name).pathExtension.lowercased() {
        case _ where name == "term": self = .terminal
        case _ where name == "-": self = .standardOutput
        case _ where name.hasSuffix("/") || Folder.exists(at: FilePath(name)): self = .folder(path: name)
        case "png": self = .picture(path: name)
        default:
            guard let writer = FilmOutput.writer(for: name) else { throw Failure.unknownOutput(name) }
            self = .film(path: name, writer)
        }
    }

    /// Whether a person looks, who ends it.
    var isLive: Bool { if case .terminal = self { true } else { false } }

    /// Whether there need not be an end.
    var takesEndless: Bool {
        switch self {
        case .terminal, .standardOutput: true
        case .picture, .film, .folder: false
        }
    }

    /// Bytes that one code may hold where nothing else is said.
    var singleLimit: Int {
        if case .terminal = self {
            TerminalFilm.capacity ?? TransferSender.singleLimit
        } else {
            TransferSender.singleLimit
        }
    }

    /// Bytes of a fountain symbol where nothing else is said.
    var symbolSize: Int {
        guard case .terminal = self, let capacity = TerminalFilm.capacity else { return TransferSender.usualSymbolSize }
        return max(1, min(capacity - FountainFrame.headSize, TransferSender.symbolLimit))
    }

    /// - Parameter count: how many frames; nil for as long as the person wants.
    /// - Returns: the version of the symbols.
    func write(_ sender: TransferSender, count: Int?, framesPerSecond: Int) throws -> Int {
        let first = try symbol(sender, 0)
        switch self {
        case .terminal:
            try TerminalFilm(sender, count: count, framesPerSecond: framesPerSecond).run()
        case .standardOutput:
            var number = 0
            while count.map({ number < $0 }) ?? true {
                try StandardOutput.write(line: Hex.encode(sender.content(number)))
                number += 1
            }
        case .picture(let path):
            guard count == 1 else { throw Failure.stillPicture(frames: count ?? 0) }
            try FileBytes.write(QRPicture.png(first), to: path)
        case .film(let path, let writer):
            try FilmOutput.write(
                sender, count: count ?? 0, framesPerSecond: framesPerSecond, to: PreparedFile(for: FilePath(path)),
                as: writer)
        case .folder(let path):
            try writeFolder(sender, count ?? 0, to: path)
        }
        return first.version.number
    }

    private func symbol(_ sender: TransferSender, _ number: Int) throws -> QRSymbol {
        try QRSymbol.encode(bytes: sender.content(number))
    }

    private func writeFolder(_ sender: TransferSender, _ count: Int, to path: String) throws {
        let permissions = FilePermissions(rawValue: 0o777)
        let folder = try Folder(FilePath(path), makesMissing: true, permissions: permissions, followsLinks: true)
        // Of two that fill it at once, one is first. Not every file system has locks.
        let lock = try? folder.lock()
        defer { withExtendedLifetime(lock) {} }
        guard try folder.names().isEmpty else { throw Failure.folderInUse(path: path) }
        var progress = ProgressLine(label: "code", of: count)
        let digits = String(count).count
        for number in 0..<count {
            let name = String(repeating: "0", count: digits - String(number + 1).count) + "\(number + 1).png"
            try FileBytes.write(
                QRPicture.png(symbol(sender, number)), to: URL(filePath: path).appending(path: name).path)
            progress.show(number + 1)
        }
        progress.end()
    }
}
