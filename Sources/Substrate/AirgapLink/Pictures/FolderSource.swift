/// The films and pictures of a folder, in the order of their names.
struct FolderSource: LinkSource {
    private let reader: PictureReader
    private let paths: [String]
    private var index = 0
    private var current: FilmFile?

    init(path: String, reader: PictureReader) throws(LinkError) {
        self.reader = reader
        paths = try InputFile.files(inFolder: path)
        guard !paths.isEmpty else { throw .emptyFolder(path: path) }
        if paths.count > 1 { reader.expectMoreFilms() }
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
