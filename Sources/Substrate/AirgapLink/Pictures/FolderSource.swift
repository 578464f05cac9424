import Files
import TextForms

/// The films and pictures of a folder, in the order of their names.
struct FolderSource: LinkSource {
    private let reader: PictureReader
    private let paths: [String]
    private var index = 0
    private var current: FilmFile?

    init(path: String, reader: PictureReader) throws(LinkError) {
        self.reader = reader
        paths = try Self.files(in: path)
        guard !paths.isEmpty else { throw .emptyFolder(path: path) }
        if paths.count > 1 { reader.expectMoreFilms() }
    }

    static func isFolder(_ path: String) -> Bool { (try? Stat(FilePath(path)))?.type == .directory }

    /// The files of a folder but for hidden ones, so ordered that 10 comes behind 9.
    private static func files(in path: String) throws(LinkError) -> [String] {
        do throws(FileError) {
            return try Folder(FilePath(path), followsLinks: true).names()
                .filter { !$0.hasPrefix(".") }
                .map { FilePath(path).appending($0).string }
                .filter { !isFolder($0) }
                .sorted { NumberedNames.isOrdered($0, before: $1) }
        } catch { throw LinkError(error) }
    }

    var spentShare: Double? { current?.spentShare }

    mutating func next() throws(LinkError) -> LinkItem? {
        while true {
            if let item = try current?.next() { return item }
            guard index < paths.count else { return nil }
            current = try FilmFile(path: paths[index], reader: reader)
            index += 1
        }
    }
}
