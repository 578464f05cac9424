import CShippedFiles
import Foundation
import TestSupport
import Testing

@testable import Signer

@Suite("Files that are part of the program")
struct ShippedFileTests {
    private static let folder = packageRoot.appending(path: "Sources/Bridges/CShippedFiles/Files")

    @Test("the bytes in the program are those of the files", arguments: ShippedFile.allCases)
    func bytes(_ file: ShippedFile) throws {
        let content = try Data(contentsOf: Self.folder.appending(path: file.rawValue))
        #expect(!content.isEmpty && Data(file.bytes) == content)
    }

    @Test("each file in the folder is in the program, and nothing else has a name")
    func complete() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(names) == Set(ShippedFile.allCases.map(\.rawValue)))
        #expect(casemate_shipped_file("unknown.metadata").bytes == nil)
    }
}
