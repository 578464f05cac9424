import BasicFoundation
import Files
import QRCode
import SplitBackup

/// Writes shares as pictures into a folder: for this user alone, and never over a file.
struct ShareFiles {
    private let folder: Folder
    private let path: FilePath
    private let plan: SplitPlan
    /// Whether the folder is made for them.
    private let isNew: Bool

    /// Makes the folder if it is missing, and sees to it that all names are free.
    init(folder path: FilePath, plan: SplitPlan) throws {
        isNew = (try? Stat(path)) == nil
        folder = try Folder(path, makesMissing: true, followsLinks: true)
        self.path = path
        self.plan = plan
        for number in 1...plan.total where try folder.facts(of: name(number)) != nil {
            throw Failure.shareFileExists(path: path.appending(name(number)).string)
        }
    }

    private func name(_ number: Int) -> String { "share-\(number)-of-\(plan.total).png" }

    /// Removes the folder that was made for shares, where it has none.
    func discard() { if isNew { rmdir(path.string) } }

    /// - Returns: the paths.
    /// - Throws: if one cannot be written; those that were written are removed again.
    func write(_ shares: [BackupShare]) throws -> [String] {
        var written: [String] = []
        do {
            for (index, share) in shares.enumerated() {
                let picture = QRPicture.png(try QRSymbol.encode(bytes: share.utf8))
                let file = try folder.create(name(index + 1))
                written.append(name(index + 1))
                try file.write(picture)
                try file.synchronise()
            }
            try folder.synchronise()
        } catch {
            for name in written { try? folder.remove(name) }
            throw error
        }
        return written.map { path.appending($0).string }
    }
}
