import ExecutableImage

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Why the content of a bundle cannot be measured.
package struct BundleFailure: Error, Sendable {
    /// The path from the root of the bundle; empty for the root itself.
    package let path: String
    package let failure: ImageFailure
}

extension BundleFailure: CustomStringConvertible {
    package var description: String { path.isEmpty ? "\(failure)" : "\(path): \(failure)" }
}

/// All regular files below a folder. Symbolic links are not followed, neither to files nor to folders.
struct BundleWalk {
    /// Folders within folders, and files in all, at the most.
    private static let depthLimit = 64
    private static let fileLimit = 1_000_000

    /// The paths in bytewise order.
    let paths: [String]
    private let root: Folder

    init(root path: String) throws(BundleFailure) {
        root = try Folder(path)
        var paths: [String] = []
        var waiting = [""]
        while let path = waiting.popLast() {
            let folder = try root.folder(path)
            for (name, isFolder) in try folder.entries(path) {
                let below = path.isEmpty ? name : "\(path)/\(name)"
                if isFolder { waiting.append(below) } else { paths.append(below) }
            }
            let depth = path.utf8.count(where: { $0 == UInt8(ascii: "/") })
            guard paths.count + waiting.count <= Self.fileLimit, depth < Self.depthLimit else {
                throw BundleFailure(path: path, failure: .unreadable(offset: nil, reason: "the bundle is too large"))
            }
        }
        self.paths = paths.sorted(by: BundleDigest.isPath(_:before:))
    }

    /// Opens a file, each of whose folders is to be none that a link leads to.
    func open(_ path: String) throws(BundleFailure) -> OpenedFile {
        let end = path.lastIndex(of: "/")
        let folder = try root.folder(end.map { String(path[..<$0]) } ?? "")
        do throws(ImageFailure) {
            return try OpenedFile(
                at: folder.descriptor, name: end.map { String(path[path.index(after: $0)...]) } ?? path)
        } catch {
            throw BundleFailure(path: path, failure: error)
        }
    }
}

/// An open folder.
private final class Folder {
    let descriptor: CInt

    init(_ path: String) throws(BundleFailure) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BundleFailure(path: "", failure: .systemRefused(at: nil)) }
    }

    private init(_ name: String, in folder: Folder, path: String) throws(BundleFailure) {
        descriptor = openat(folder.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw BundleFailure(path: path, failure: .systemRefused(at: nil)) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// A folder below, one name after the other.
    func folder(_ path: String) throws(BundleFailure) -> Folder {
        var folder = self
        for name in path.split(separator: "/") {
            folder = try Folder(String(name), in: folder, path: path)
        }
        return folder
    }

    /// The regular files and folders in a folder.
    func entries(_ path: String) throws(BundleFailure) -> [(name: String, isFolder: Bool)] {
        // The stream takes its descriptor over; this one stays for opening what is inside.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else {
            throw BundleFailure(path: path, failure: .systemRefused(at: nil))
        }
        defer { closedir(stream) }
        var found: [(String, Bool)] = []
        while let entry = readdir(stream) {
            let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard bytes != Array(".".utf8), bytes != Array("..".utf8) else { continue }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                let reason = "the name \(String(decoding: bytes, as: UTF8.self)) in it is not UTF-8"
                throw BundleFailure(path: path, failure: .unreadable(offset: nil, reason: reason))
            }
            var status = stat()
            guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                throw BundleFailure(path: path.isEmpty ? name : "\(path)/\(name)", failure: .systemRefused(at: nil))
            }
            switch status.st_mode & S_IFMT {
            case S_IFREG: found.append((name, false))
            case S_IFDIR: found.append((name, true))
            default: continue
            }
        }
        return found
    }
}
