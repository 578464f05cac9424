import Foundation
import SecretMemory
import TestSupport

/// The known answers in the folder beside this file.
enum Fixture {
    static let folder = packageRoot.appending(path: "Tests/Trust/MainKeyTests/Fixtures")

    static func json(_ name: String) throws -> JSON {
        try JSON(contentsOf: folder.appending(path: name))
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)))
    }
}

extension SecretBytes {
    convenience init(test text: String) throws {
        var bytes = Array(text.utf8)
        try self.init(movingFrom: &bytes)
    }

    convenience init(test bytes: [UInt8]) throws {
        var bytes = bytes
        try self.init(movingFrom: &bytes)
    }

    /// The bytes of a secret that is none.
    var testBytes: [UInt8] { withUnsafeBytes { Array($0) } }
}
