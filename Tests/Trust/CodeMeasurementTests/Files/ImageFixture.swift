import Foundation
import TestSupport

/// The images of the room that parses them (its Fixtures/README.md says where they come from).
enum ImageFixture {
    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = packageRoot.appending(path: "Tests/Primitives/ExecutableImageTests/Fixtures")
        return Array(try Data(contentsOf: folder.appending(path: name)))
    }
}
