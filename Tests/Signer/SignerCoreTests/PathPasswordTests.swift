import Navigator
import Substrate
import Testing

@testable import Signer
@testable import SignerCore

/// What stands behind three slashes of a path is a password by its bytes, whatever characters the slashes are part of.
@Suite("Passwords in paths")
struct PathPasswordTests {
    @Test(
        "are neither shown nor taken for parts of a path",
        arguments: [
            ("//a", "//a///hunter2"), ("//a", "//a///\u{301}hunter2"), ("//a", "//a///\u{338}hunter2"),
            ("", "///\u{20dd}hunter2"), ("//a", "//a///hunter2///"), ("//a", "//a///\u{301}hunter2///"),
        ])
    func everywhere(path: String, text: String) throws {
        let parts = DerivationText.split(text)
        #expect(Array(parts.path.utf8) == Array(path.utf8) && parts.password != nil)
        let shown = DerivedKeyWording.path(text)
        #expect(!shown.contains("hunter2") && shown.hasSuffix(" ///…"))
        #expect(AskedSecret.isIn(text, of: .goForward, at: Position(.deriveKey)))
        var specs = try Provocation.shipped("westend").specs
        specs.pathID = text
        #expect(specs.fault == .path)
    }

    @Test("three slashes with nothing behind them hold none", arguments: ["//a///", "///", "//a", ""])
    func none(text: String) {
        #expect(!AskedSecret.isIn(text, of: .goForward, at: Position(.deriveKey)))
    }

    @Test("no name of a seed has a comma, with a mark behind it or without", arguments: [",", ",\u{301}", ",\u{338}"])
    func commas(comma: String) {
        #expect(throws: SignerError.seedNameInvalid) { try SeedName.checked("a\(comma)b") }
    }
}
