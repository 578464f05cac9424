import ExecutableImage
import Files

/// A file of the manifest whose code a process may run, as it was measured.
public struct MeasuredImage: Hashable, Sendable {
    /// The path as in the manifest, for reports.
    public var path: String

    /// The file that was measured, as memory maps show it (``FileKey/init(mapping:)``).
    public var key: FileKey

    /// What stat(2) tells of the file, where maps do not tell it from all others: mappings of ``key`` then have to be
    /// of this one.
    public var file: FileKey?

    /// What the manifest's hash covers: everything of the file that is mapped and not writable.
    public var segments: [ImageSegment]

    /// What the loader fills in and makes read-only then: addresses of functions, and constants that hold addresses.
    public var closedSegments: [ImageSegment]

    /// - Parameters: the properties of the same names.
    public init(
        path: String, key: FileKey, file: FileKey? = nil, segments: [ImageSegment], closedSegments: [ImageSegment] = []
    ) {
        self.path = path
        self.key = key
        self.file = file
        self.segments = segments
        self.closedSegments = closedSegments
    }

    /// Whether a mapping is of this file.
    func isMapped(by mapping: MemoryMapping) -> Bool { mapping.hasFile && mapping.key == key }
}

#if os(Linux)
    extension MeasuredImage {
        /// An image in an open file.
        package init(path: String, descriptor: CInt, _ image: LoadableImage) throws(Errno) {
            self.init(
                path: path, key: try FileKey(mapping: descriptor),
                file: FileSystemKind.sharesInodes(descriptor: descriptor) ? try FileKey(descriptor: descriptor) : nil,
                segments: image.coveredSegments,
                closedSegments: image.readOnlyAfterRelocation(pageSize: PageTable.systemPageSize))
        }
    }
#endif

/// What a process is measured against.
public struct MeasuredProgram: Hashable, Sendable {
    /// The program's own file, which must be mapped.
    public var main: MeasuredImage
    /// Other files of its bundle, which may be mapped.
    public var libraries: [MeasuredImage]

    /// - Parameter libraries: other files of its bundle.
    public init(main: MeasuredImage, libraries: [MeasuredImage] = []) {
        self.main = main
        self.libraries = libraries
    }

    /// Images of the process: the program, then its libraries.
    public var images: [MeasuredImage] { [main] + libraries }
}
