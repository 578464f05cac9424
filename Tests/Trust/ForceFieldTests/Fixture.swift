import TestSupport

/// The known answers in the folder beside this file.
enum Fixture {
    static let folder = packageRoot.appending(path: "Tests/Trust/ForceFieldTests/Fixtures")

    static func known(_ name: String) -> JSON { (try? JSON(contentsOf: folder.appending(path: name))) ?? .null }
}
