import Files
import PictureService

/// What comes in over the link.
public enum LinkItem: Sendable {
    /// What was seen in a picture: an outside value.
    case picture(SeenPicture)
    /// The content of one QR symbol, as hex lines bring it.
    case content([UInt8])
    /// A picture in which nothing was read; those behind it are, unless the failure says that there are none.
    case unread(path: String, PictureFailure)
    /// Nothing came within the time that cameras are waited for.
    case nothing
}

/// Gives what comes in, piece by piece.
public protocol LinkSource {
    /// - Returns: nil at the end.
    mutating func next() throws(LinkError) -> LinkItem?
    /// The part of the budget of the film that is used up, 0 to 1; nil where no film is read.
    var spentShare: Double? { get }
}

extension LinkSource {
    /// Nil: most sources read no film.
    public var spentShare: Double? { nil }
}

/// Several sources one after the other, told by their names: cameras (`/dev/video0`), folders of pictures, films and
/// pictures, text files with a content in hex on each line (`.hex`, `.txt`), and `-` for such lines on standard input.
public struct LinkInput: LinkSource {
    private let names: [String]
    private let reader: PictureReader
    private var index = 0
    private var current: (any LinkSource)?
    /// Gets each frame of a camera before it is read.
    var onFrame: ((CameraFrame) -> Void)?
    /// Opens a camera by its path.
    var openCamera: (String) throws(LinkError) -> Camera = { path throws(LinkError) in try Camera(path: path) }

    /// - Parameter reader: of the pictures, if there are any.
    public init(_ names: [String], reader: PictureReader = PictureReader()) {
        self.names = names
        self.reader = reader
        if names.count > 1 { reader.expectMoreFilms() }
    }

    /// A file with a content in hex on each line, whatever its name is.
    public init(hexLines path: String) throws(LinkError) {
        names = []
        reader = PictureReader()
        current = try HexLines(path: path)
    }

    /// - Returns: nil when there are no more names.
    public mutating func next() throws(LinkError) -> LinkItem? {
        while true {
            if let item = try current?.next() { return item }
            current = nil
            guard index < names.count else { return nil }
            current = try source(names[index])
            index += 1
        }
    }

    /// The part of the budget of the film that is read now.
    public var spentShare: Double? { current?.spentShare }

    /// Whether a name is that of a camera, which gives pictures for ever. Files may lie among devices, too.
    package static func isCamera(_ name: String) -> Bool {
        guard name.hasPrefix("/dev/") else { return false }
        // Of one that is not there, such as a camera that is not plugged in, the camera's own error is told.
        guard let type = try? Stat(FilePath(name)).type else { return true }
        return type == .characterSpecial
    }

    private func source(_ name: String) throws(LinkError) -> any LinkSource {
        if name == "-" { return HexLines(standardInput: ()) }
        if Self.isCamera(name) { return CameraSource(try openCamera(name), reader: reader, onFrame: onFrame) }
        if FolderSource.isFolder(name) { return try FolderSource(path: name, reader: reader) }
        if name.hasSuffix(".hex") || name.hasSuffix(".txt") { return try HexLines(path: name) }
        return try FilmFile(path: name, reader: reader)
    }
}
