import Pictures
import QRCode

/// What comes in over the link.
public enum LinkItem: Sendable {
    case picture(LumaImage)
    /// The content of one QR symbol, as hex lines bring it.
    case content([UInt8])
    /// A picture that cannot be read; those behind it are.
    case damaged(path: String, PictureError)
    /// Nothing came within the time that cameras are waited for.
    case nothing
}

/// Gives what comes in, piece by piece.
public protocol LinkSource {
    /// - Returns: nil at the end.
    mutating func next() throws(LinkError) -> LinkItem?
}

/// Several sources one after the other, told by their names: cameras (`/dev/video0`), folders of pictures, films and pictures, text
/// files with a content in hex on each line (`.hex`, `.txt`), and `-` for such lines on standard input.
public struct LinkInput: LinkSource {
    private let names: [String]
    private var index = 0
    private var current: (any LinkSource)?

    public init(_ names: [String]) {
        self.names = names
    }

    /// A file with a content in hex on each line, whatever its name is.
    public init(hexLines path: String) throws(LinkError) {
        names = []
        current = try HexLines(path: path)
    }

    public mutating func next() throws(LinkError) -> LinkItem? {
        while true {
            if let item = try current?.next() { return item }
            current = nil
            guard index < names.count else { return nil }
            current = try Self.source(names[index])
            index += 1
        }
    }

    static func source(_ name: String) throws(LinkError) -> any LinkSource {
        if name == "-" { return HexLines(standardInput: ()) }
        if name.hasPrefix("/dev/") { return CameraSource(camera: try Camera(path: name)) }
        if InputFile.isFolder(name) { return try FolderSource(path: name) }
        if name.hasSuffix(".hex") || name.hasSuffix(".txt") { return try HexLines(path: name) }
        return try FilmFile(path: name)
    }
}

/// The pictures of a camera, for ever.
struct CameraSource: LinkSource {
    let camera: Camera
    /// How long a picture is waited for before the caller is asked what to do.
    private static let patience = 500

    mutating func next() throws(LinkError) -> LinkItem? {
        try camera.next(milliseconds: Self.patience).map { .picture($0) } ?? .nothing
    }
}

/// The pictures of a file, read as it is needed.
struct FilmFile: LinkSource {
    private let file: InputFile
    private var film = FilmReader()
    private var isOver = false

    init(path: String) throws(LinkError) {
        file = try InputFile(path: path)
    }

    mutating func next() throws(LinkError) -> LinkItem? {
        while !isOver {
            do throws(PictureError) {
                if let picture = try film.next() { return .picture(picture) }
            } catch {
                isOver = film.hasEnded
                return .damaged(path: file.path, error)
            }
            let piece = try file.read()
            if piece.isEmpty {
                isOver = file.isAtEnd
                film.finish()
                if isOver, let item = rest() { return item }
            } else {
                film.append(piece)
            }
        }
        return rest()
    }

    private mutating func rest() -> LinkItem? {
        do throws(PictureError) { return try film.next().map { .picture($0) } } catch {
            return .damaged(path: file.path, error)
        }
    }
}

/// The films and pictures of a folder, in the order of their names.
struct FolderSource: LinkSource {
    private let paths: [String]
    private var index = 0
    private var current: FilmFile?

    init(path: String) throws(LinkError) {
        paths = try InputFile.files(inFolder: path)
        guard !paths.isEmpty else { throw .emptyFolder(path: path) }
    }

    mutating func next() throws(LinkError) -> LinkItem? {
        while true {
            if let item = try current?.next() { return item }
            guard index < paths.count else { return nil }
            current = try FilmFile(path: paths[index])
            index += 1
        }
    }
}
