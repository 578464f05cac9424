import Files
import Substrate
import TextForms

extension Portal {
    private static let pictureMagic: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    /// For whatever serves the folder.
    private static let permissions: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead]

    /// Writes the pages and copies the films beside them: HTML and one style sheet, nothing that runs, nothing from
    /// elsewhere. The same portal gives the same bytes.
    ///
    /// Each file is replaced in one step, films before the pages that show them and the list of networks last: whoever
    /// reads meanwhile, or after a crash, finds the old page or the new one, whole. What else lies in the folder stays.
    ///
    /// - Parameter path: the folder, which is made if it is missing.
    /// - Returns: the names of the files that were written, in their order.
    /// - Throws: ``PortalError``. Nothing is written before all films were read.
    @discardableResult
    package func write(to path: FilePath) throws(PortalError) -> [String] {
        guard !networks.isEmpty else { throw .noNetworks }
        // Films are read one by one, twice, rather than held all at a time.
        for network in networks { for film in network.films { _ = try Self.content(of: film) } }
        let folder = try Self.file { () throws(FileError) in
            try Folder(
                path, makesMissing: true,
                permissions: [.ownerReadWriteExecute, .groupReadExecute, .otherReadExecute], followsLinks: true)
        }
        var names: [String] = []
        func put(_ bytes: [UInt8], as name: String) throws(PortalError) {
            try Self.file { () throws(FileError) in
                try folder.replace(name, with: bytes, permissions: Self.permissions)
            }
            names.append(name)
        }
        var placed: [[PlacedFilm]] = []
        for (number, network) in networks.enumerated() {
            var films: [PlacedFilm] = []
            for film in network.films {
                let bytes = try Self.content(of: film)
                let hash = Blake2b.hash256(bytes).bytes
                let name = "\(slug(number))-\(film.content.label)-\(Hex.encode(hash.prefix(8))).png"
                try put(bytes, as: name)
                films.append(PlacedFilm(content: film.content, name: name, hash: hash))
            }
            placed.append(films)
        }
        try put(Array(Self.style.utf8), as: Self.styleName)
        for number in networks.indices {
            try put(Array(page(number, films: placed[number]).source.utf8), as: pageName(number))
        }
        try put(Array(index.source.utf8), as: Self.indexName)
        return names
    }

    private static func file<Value>(_ body: () throws(FileError) -> Value) throws(PortalError) -> Value {
        do throws(FileError) { return try body() } catch { throw .file(error) }
    }

    private static func content(of film: Film) throws(PortalError) -> [UInt8] {
        let bytes = try file { () throws(FileError) in
            try InputFile.content(of: film.file, limit: Film.byteLimit)
        }
        guard bytes.starts(with: pictureMagic) else { throw .noPicture(path: ScreenText.escape(film.file.string)) }
        return bytes
    }
}

extension Portal.Content {
    /// For names of files.
    fileprivate var label: String {
        switch self {
        case .specs: "specs"
        case .metadata(let version): "metadata-\(version)"
        case .types: "types"
        }
    }
}
