import Foundation
import GRDB
import MainKey
import MainKeyGRDB
import Measuring

// usage: bench-mainkey
// Prints JSON lines {"op", "us", "kB"} of processor time and memory of this process: what `mainkey` section 31 sets
// bars for. Files lie in memory, so that no disk is measured.

let folder = URL(filePath: "/dev/shm/bench-mainkey-\(getpid())")
try FileManager.default.createDirectory(
    at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
defer { try? FileManager.default.removeItem(at: folder) }

let vault = try MainKeyVault.create(at: folder.appending(path: "vault").path, [.none])
try SmallValues(vault: vault).run()
try Files(vault: vault, folder: folder).run()
try await Database(vault: vault, folder: folder).run()
try Unlocking(folder: folder).run()
