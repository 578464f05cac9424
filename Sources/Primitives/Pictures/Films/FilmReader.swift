import QRCode

/// Reads films picture by picture, while they arrive: PNG and APNG, GIF, JPEG and MJPEG, PGM (several behind each other
/// too) and Y4M. A still picture is a film of one.
///
///     var film = FilmReader()
///     film.append(bytes)
///     film.finish()
///     while let picture = try film.next() { … }
///
/// MJPEG and Y4M are read as they come and may go on for ever; the other formats are files, read when all of them is
/// there. Bounded: pictures by ``PictureDecoder/pixelLimit``, files by ``fileLimit``, what waits to be read by one
/// picture and what was appended at once.
public struct FilmReader {
    /// Bytes of a file, and of one picture of a stream, at the most.
    public static let fileLimit = 256 << 20

    private enum Format {
        case unknown
        case y4m(Y4MFilm)
        case jpeg(JPEGFilm)
        case file
        case pictures(any PictureList)
        case ended
    }

    private var format = Format.unknown
    private var waiting = ByteQueue()
    private var isFinished = false

    /// Makes a reader that has no bytes yet.
    public init() {}

    /// Takes the next bytes of the film.
    public mutating func append(_ piece: some Sequence<UInt8>) {
        if case .ended = format { return }
        waiting.append(piece)
    }

    /// Says that no more bytes come.
    public mutating func finish() { isFinished = true }

    /// The next picture.
    ///
    /// - Returns: nil where more bytes are needed, or, after ``finish()``, at the end.
    /// - Throws: ``PictureError`` for a damaged picture; the next call goes on behind it where the format allows, else
    ///   the film ends.
    public mutating func next() throws(PictureError) -> LumaImage? {
        if case .unknown = format { try choose() }
        do throws(PictureError) {
            switch format {
            case .unknown, .ended: return nil
            case .y4m(var film):
                defer { format = .y4m(film) }
                return try film.next(from: &waiting, isFinished: isFinished)
            case .jpeg(var film):
                defer { format = .jpeg(film) }
                return try film.next(from: &waiting, isFinished: isFinished)
            case .file:
                guard waiting.count <= Self.fileLimit else { throw .fileTooLarge(limit: Self.fileLimit) }
                guard isFinished else { return nil }
                format = .pictures(try Self.list(waiting.takeFirst(waiting.count)))
                return try next()
            case .pictures(var list):
                defer { format = .pictures(list) }
                return try list.next()
            }
        } catch {
            if !canGoOn { format = .ended }
            throw error
        }
    }

    /// Passes over the next picture. A JPEG is not decoded for it; pictures of an animation are, since later ones are
    /// drawn over them.
    ///
    /// - Returns: false where more bytes are needed, or, after ``finish()``, at the end.
    /// - Throws: as ``next()``.
    public mutating func skip() throws(PictureError) -> Bool {
        if case .unknown = format { try choose() }
        guard case .jpeg(var film) = format else { return try next() != nil }
        defer { format = .jpeg(film) }
        return try film.nextFile(from: &waiting, isFinished: isFinished) != nil
    }

    /// Bytes from the film's begin that no later picture needs.
    public var consumed: Int { waiting.offset }

    /// Whether nothing more comes, whatever is appended: the film was damaged where it cannot go on.
    public var hasEnded: Bool { if case .ended = format { true } else { false } }

    /// Whether there is something to read behind a damaged picture.
    private var canGoOn: Bool {
        switch format {
        case .jpeg: true
        case .pictures(let list): !list.isAtEnd
        case .unknown, .y4m, .file, .ended: false
        }
    }

    /// Tells the format by the first bytes.
    private mutating func choose() throws(PictureError) {
        if waiting.starts(with: Y4MFilm.signature) {
            format = .y4m(Y4MFilm())
        } else if waiting.starts(with: JPEGFilm.signature) {
            format = .jpeg(JPEGFilm())
        } else if waiting.count >= Y4MFilm.signature.count || isFinished {
            let isKnown = [PNGReader.signature, GIFFilm.signature, [0x50, 0x32], [0x50, 0x35]].contains {
                waiting.starts(with: $0)
            }
            guard isKnown else {
                format = .ended
                throw .unknownFormat
            }
            format = .file
        }
    }

    private static func list(_ bytes: [UInt8]) throws(PictureError) -> any PictureList {
        if bytes.starts(with: PNGReader.signature) { return try PNGFilm(bytes) }
        if bytes.starts(with: GIFFilm.signature) { return try GIFFilm(bytes) }
        return PGMFilm(bytes)
    }
}

/// The pictures of a file that is there as a whole.
protocol PictureList: Sendable {
    var isAtEnd: Bool { get }
    mutating func next() throws(PictureError) -> LumaImage?
}
