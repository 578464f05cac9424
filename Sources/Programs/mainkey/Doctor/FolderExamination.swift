import BasicFoundation
import MainKey

/// The vault's folder: who may read it, and what lies under it.
enum FolderExamination {
    static func findings(at path: String) -> [Finding] {
        guard FileManager.default.fileExists(atPath: path) else {
            return [Finding("vault", .unknown, found: "there is none in \(path)", advice: "mainkey init")]
        }
        do {
            let folder = try VaultDirectory(path, .existing, allowNetworkFileSystem: true).files
            return [modes(folder), fileSystem(folder), backups(folder)]
        } catch {
            return [Finding("file modes", .bad, found: "\(error)")]
        }
    }

    private static func modes(_ folder: PrivateDirectory) -> Finding {
        let names = (FileManager.default.subpaths(atPath: folder.path) ?? []).sorted()
        let open = names.filter { name in
            var status = stat()
            // What a link leads to does not matter: no file here is opened through one.
            guard lstat(folder.path + "/" + name, &status) == 0, name != "CACHEDIR.TAG", name != "items/CACHEDIR.TAG"
            else {
                return false
            }
            return status.st_mode & 0o077 != 0 || status.st_uid != geteuid()
        }
        guard open.isEmpty else {
            return Finding(
                "file modes", .bad, found: "other users may reach \(open.joined(separator: ", "))",
                advice: "chmod -R go-rwx '\(folder.path)'")
        }
        return Finding("file modes", .good, found: "the folder and its \(names.count) files are for this user only")
    }

    private static func fileSystem(_ folder: PrivateDirectory) -> Finding {
        switch FileSystemKind(of: folder) {
        case .network(let name):
            Finding(
                "file system", .bad, found: "a network file system (\(name)): locks do not hold",
                advice: "Move the vault to a disk of this machine.")
        case .memory:
            Finding("file system", .weak, found: "in memory: gone with the power", advice: "Move the vault to a disk.")
        case .other: Finding("file system", .good, found: "of this machine")
        }
    }

    private static func backups(_ folder: PrivateDirectory) -> Finding {
        let marks = BackupMarks(of: folder)
        return marks.hasTag
            ? Finding(
                "backups", .good,
                found: "marked to be left out (CACHEDIR.TAG); tar, borg and restic heed it when told to")
            : Finding(
                "backups", .weak, found: "not marked", advice: "Put CACHEDIR.TAG back, or exclude the folder yourself.")
    }
}
