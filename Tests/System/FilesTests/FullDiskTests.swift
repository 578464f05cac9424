import Files
import Foundation
import TestSupport
import Testing

@Suite("Files on a full disk", .enabled(if: SmallDisk.isPossible, "\(SmallDisk.reason)"))
struct FullDiskTests {
    private let disk: SmallDisk
    private let folder: Folder
    private let old = [UInt8](repeating: 1, count: 10_000)
    private let new = [UInt8](repeating: 2, count: 20_000)

    init() throws {
        disk = try SmallDisk(byteCount: 1 << 20)
        folder = try Folder(FilePath(disk.path), rules: .privateFolder)
        try folder.replace("file", with: old)
    }

    @Test("a file that finds no room keeps its content, and nothing else is left", arguments: 0...4)
    func replace(pages: Int) throws {
        try disk.fill(leaving: pages)
        let error = #expect(throws: FileError.self) { try folder.replace("file", with: new) }
        #expect(error?.errno == .noSpace)
        #expect(try folder.content(of: "file", limit: 1 << 20) == old)
        #expect(try folder.names() == ["file", "filler"])
        disk.free()
        try folder.replace("file", with: new)
        #expect(try folder.content(of: "file", limit: 1 << 20) == new)
    }

    @Test("a prepared file that finds no room leaves the one in its place", arguments: 0...4)
    func prepared(pages: Int) throws {
        try disk.fill(leaving: pages)
        let place = FilePath(disk.path).appending("file")
        let error = #expect(throws: FileError.self) { try PreparedFile.replace(place, with: new) }
        #expect(error?.errno == .noSpace && error?.action == .write)
        #expect(try folder.content(of: "file", limit: 1 << 20) == old)
        #expect(try folder.names() == ["file", "filler"])
    }
}
