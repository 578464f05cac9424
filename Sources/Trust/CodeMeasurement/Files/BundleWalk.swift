import ExecutableImage
import Files

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
        do throws(FileError) { root = try Folder(FilePath(path), followsLinks: true) } catch {
            throw BundleFailure("", error)
        }
        var paths: [String] = []
        var waiting = [""]
        while let path = waiting.popLast() {
            for (name, isFolder) in try Self.entries(of: try Self.folder(path, in: root), path: path) {
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
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = try Self.folder(end.map { String(path[..<$0]) } ?? "", in: root)
        let name = end.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        do {
            guard let file = try folder.open(name, rules: .anything) else {
                throw ImageFailure.unreadable(offset: nil, reason: "\(Errno.noSuchFileOrDirectory)")
            }
            return try OpenedFile(file)
        } catch let failure as ImageFailure {
            throw BundleFailure(path: path, failure: failure)
        } catch let error as FileError {
            throw BundleFailure(path: path, failure: ImageFailure(error))
        } catch {
            throw BundleFailure(path: path, failure: .unreadable(offset: nil, reason: "\(error)"))
        }
    }

    /// A folder below the root, one name after the other.
    private static func folder(_ path: String, in root: Folder) throws(BundleFailure) -> Folder {
        var folder = root
        do throws(FileError) {
            for name in path.utf8.split(separator: UInt8(ascii: "/")).map({ String(Substring($0)) }) {
                guard let next = try folder.folder(name) else {
                    throw FileError(folder.path(of: name), .read, because: .system(.noSuchFileOrDirectory))
                }
                folder = next
            }
        } catch {
            throw BundleFailure(path, error)
        }
        return folder
    }

    /// The regular files and folders in a folder.
    private static func entries(
        of folder: Folder, path: String
    ) throws(BundleFailure) -> [(name: String, isFolder: Bool)] {
        var found: [(String, Bool)] = []
        do throws(FileError) {
            for name in try folder.names() {
                // What is no UTF-8 comes repaired.
                guard !name.unicodeScalars.contains("\u{fffd}") else {
                    throw FileError(folder.path(of: name), .list, because: .badName)
                }
                guard let facts = try folder.facts(of: name) else {
                    throw FileError(folder.path(of: name), .examine, because: .system(.noSuchFileOrDirectory))
                }
                switch facts.type {
                case .regular: found.append((name, false))
                case .directory: found.append((name, true))
                default: continue
                }
            }
        } catch {
            throw BundleFailure(path, error)
        }
        return found
    }
}

extension BundleFailure {
    fileprivate init(_ path: String, _ error: FileError) {
        let name = error.path.lastComponent?.string
        let reason =
            error.reason == .badName
            ? name.map { "the name \($0) in it is not UTF-8" } ?? "its name is empty" : "\(error.reason)"
        self.init(path: path, failure: .unreadable(offset: nil, reason: reason))
    }
}
