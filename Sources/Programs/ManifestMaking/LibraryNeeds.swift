import ExecutableImage
import StrictJSON

/// A library of a product's own.
struct BundleLibrary {
    let file: MeasuredFile
    let image: MeasuredFile.Image
}

/// The libraries that a program loads when it starts: those of its bundle, and the names of all others, with those that
/// are loaded later by it, as it says itself, or by a library that is known to.
///
/// Source: `vigil` sections 3.7 and 6.1.
struct LibraryNeeds {
    private(set) var libraries: [BundleLibrary] = []
    private(set) var external: Set<String> = []

    /// What a library of the system opens by name once it is used, where that is installed. A TPM is reached through a
    /// library for its kind, which tpm2-tss loads (`Tss2_TctiLdr_Initialize(3)`): these are the kinds that a
    /// `TPMAddress` can have.
    private static let openedLater = [
        "libtss2-tctildr.so.0": ["libtss2-tcti-device.so.0", "libtss2-tcti-swtpm.so.0"]
    ]

    /// Follows names in the order of the loader, for which a name means one library in a process.
    ///
    /// - Parameters:
    ///   - location: the path of the program.
    ///   - libraries: of the bundle, and of the architecture of the program.
    ///   - root: of the bundle; nil where there is none.
    init(
        of linkage: Linkage, at location: String, among libraries: [BundleLibrary], root: String?,
        _ search: LibrarySearch
    ) {
        let root = root.flatMap(LibrarySearch.withoutLinks)
        let program = LibrarySearch.Object(path: LibrarySearch.withoutLinks(location) ?? location, linkage: linkage)
        var seen: Set<String> = []
        var waiting: [(name: String, object: LibrarySearch.Object)] = []
        if let interpreter = linkage.interpreter { waiting.append((Self.lastPart(interpreter), program)) }
        waiting += linkage.needed.map { ($0, program) }
        waiting += Self.opened(later: linkage).map { ($0, program) }
        var next = 0
        while next < waiting.count {
            let (name, object) = waiting[next]
            next += 1
            guard seen.insert(name).inserted else { continue }
            if let found = search.find(name, for: object) {
                if let soname = found.linkage.soname { seen.insert(soname) }
                let own = Self.libraries(at: found.path, among: libraries, root: root)
                if own.isEmpty { external.insert(Self.lastPart(name)) }
                self.libraries += own
                waiting += found.linkage.needed.map { ($0, found) }
                let later = Self.openedLater[Self.lastPart(name)] ?? []
                waiting += later.filter { search.find($0, for: found) != nil }.map { ($0, found) }
                continue
            }
            // It is not where the program will look for it, perhaps because it is not installed yet.
            let own = libraries.filter { $0.file.name == Self.lastPart(name) }
            if own.isEmpty { external.insert(Self.lastPart(name)) }
            self.libraries += own
            for library in own {
                let place = root.map { "\($0)/\(library.file.path)" } ?? library.file.path
                let found = LibrarySearch.Object(path: place, linkage: library.image.linkage, loader: object)
                waiting += found.linkage.needed.map { ($0, found) }
            }
        }
    }

    /// The library of the bundle that a path means, and those that the loader takes in its place on machines that can
    /// do more.
    private static func libraries(at path: String, among libraries: [BundleLibrary], root: String?) -> [BundleLibrary] {
        guard let root, let real = LibrarySearch.withoutLinks(path), real.hasPrefix(root + "/") else { return [] }
        let inside = String(decoding: real.utf8.dropFirst(root.utf8.count + 1), as: UTF8.self)
        let name = lastPart(inside)
        let variants = inside.dropLast(name.count) + "glibc-hwcaps/"
        return libraries.filter {
            $0.file.path == inside || $0.file.name == name && $0.file.path.hasPrefix(variants)
        }
    }

    /// The names that a program says it opens once it needs them. Those of no note are not admitted when it runs.
    private static func opened(later linkage: Linkage) -> [String] {
        linkage.openedLater.flatMap { note -> [String] in
            guard case .array(let libraries)? = try? JSONReader().read(note) else { return [] }
            return libraries.flatMap { library -> [String] in
                guard case .array(let names)? = library["soname"] else { return [] }
                return names.compactMap(\.string)
            }
        }
    }

    private static func lastPart(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}
