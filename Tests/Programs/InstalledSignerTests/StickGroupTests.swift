import Files
import Foundation
import InstalledSigner
import Testing

@Suite("The window's control group on a stick")
struct StickGroupTests {
    @Test("this process is named to the group; where there is none, none is made")
    func join() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "stick-group-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        StickGroup.join(FilePath(folder.path))
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        StickGroup.join(FilePath(folder.path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        let list = folder.appending(path: "cgroup.procs")
        try Data().write(to: list)
        StickGroup.join(FilePath(folder.path))
        #expect(try String(contentsOf: list, encoding: .utf8) == "\(ProcessInfo.processInfo.processIdentifier)")
    }
}
