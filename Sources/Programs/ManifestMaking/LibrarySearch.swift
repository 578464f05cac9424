import CodeMeasurement
import ExecutableImage

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Finds the libraries of a program as the dynamic loader does: `DT_RPATH` of who asks and of who loaded it, or
/// `DT_RUNPATH` of who asks, then the loader's cache and its folders. `LD_LIBRARY_PATH` is left out, since it is not
/// known beforehand.
///
/// Source: ld.so(8); glibc's `_dl_map_object`.
struct LibrarySearch {
    let architecture: String
    /// Nil to look only where programs say.
    let system: SystemLibraries?

    /// A program or library, and by whom it was asked for.
    final class Object {
        /// The path as it was found, links not followed: `$ORIGIN` is the folder of this.
        let path: String
        let linkage: Linkage
        private let loader: Object?

        init(path: String, linkage: Linkage, loader: Object? = nil) {
            self.path = path
            self.linkage = linkage
            self.loader = loader
        }

        fileprivate var folder: String {
            let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
            return folder.isEmpty ? "/" : String(folder)
        }

        /// This object, the one that loaded it, and so on up to the program.
        fileprivate var chain: some Sequence<Object> { sequence(first: self) { $0.loader } }
    }

    /// - Returns: nil where there is no file of the architecture in any of the places.
    func find(_ name: String, for object: Object) -> Object? {
        for path in places(of: name, for: object) {
            guard let real = Self.withoutLinks(path), let opened = try? OpenedFile(path: real),
                let file = try? ExecutableFile(parsing: opened),
                let image = file.images.first(where: { $0.architecture == architecture }),
                let linkage = try? file.linkage(of: image)
            else { continue }
            return Object(path: path, linkage: linkage, loader: object)
        }
        return nil
    }

    /// Paths in the order in which they are tried.
    private func places(of name: String, for object: Object) -> [String] {
        guard !name.contains("/") else { return expanded(name, object) }
        var folders: [String] = []
        if let runpath = object.linkage.runpath {
            folders = runpath.flatMap { expanded($0, object) }
        } else {
            for loader in object.chain where loader.linkage.runpath == nil {
                folders += loader.linkage.rpath.flatMap { expanded($0, loader) }
            }
        }
        let named = folders.map { "\($0)/\(name)" }
        return named + (system?.places(of: name, withoutFolders: object.linkage.avoidsDefaultFolders) ?? [])
    }

    /// A folder with the loader's own words replaced. A relative one depends on where the program is started, and is
    /// left out.
    private func expanded(_ folder: String, _ object: Object) -> [String] {
        var found = [folder]
        for (word, values) in [
            ("ORIGIN", [object.folder]), ("PLATFORM", [architecture]),
            ("LIB", ["lib/\(architecture)-linux-gnu", "lib64", "lib"]),
        ] {
            found = found.flatMap { text in values.map { text.replacing(word, by: $0) } }
            // Without the word all are the same.
            if Set(found).count == 1 { found = [found[0]] }
        }
        return found.filter { $0.hasPrefix("/") && !$0.contains("$") }
    }

    /// Where a file really is; nil if there is none.
    static func withoutLinks(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}

extension String {
    /// Replaces `$WORD`, where it ends there, and `${WORD}`.
    fileprivate func replacing(_ word: String, by value: String) -> String {
        var (done, rest) = ("", self[...])
        while let dollar = rest.firstIndex(of: "$") {
            done += rest[..<dollar]
            rest = rest[dollar...]
            let (braced, plain) = ("${\(word)}", "$\(word)")
            if rest.hasPrefix(braced) {
                done += value
                rest = rest.dropFirst(braced.count)
            } else if rest.hasPrefix(plain), !rest.dropFirst(plain.count).first.isPartOfName {
                done += value
                rest = rest.dropFirst(plain.count)
            } else {
                done.append("$")
                rest = rest.dropFirst()
            }
        }
        return done + rest
    }
}

extension Character? {
    fileprivate var isPartOfName: Bool { self.map { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) } ?? false }
}
