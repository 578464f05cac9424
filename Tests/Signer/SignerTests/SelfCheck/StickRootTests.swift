import TestSupport
import Testing
import TextForms

@testable import Signer

@Suite("The root of a stick, by the kernel's command line")
struct StickRootTests {
    private static let known = "07c1e0d5ae4c0a6c4c0d1d0b6f0f7f3e5a6b7c8d9e0f112233445566778899aa"

    @Test("the hash is read from among other words")
    func hash() throws {
        let root = try #require(StickRoot(commandLine: "casemate.root=\(Self.known) casemate.state=partition quiet\n"))
        #expect(Hex.encode(root.hash) == Self.known)
        #expect(StickRoot(commandLine: "quiet casemate.root=\(Self.known)") == root)
    }

    @Test(
        "what names no root, two, or something else than a hash is no stick",
        arguments: [
            "", "quiet splash", "casemate.root=", "casemate.root=\(known.dropLast(2))", "casemate.root=\(known)00",
            "casemate.root=\(known.dropLast())x", "xcasemate.root=\(known)",
            "casemate.root=\(known) casemate.root=\(known)",
        ])
    func none(line: String) { #expect(StickRoot(commandLine: line) == nil) }

    @Test("random words around it change nothing of it")
    func random() {
        var source = SplitMix64(state: 14)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...120, using: &source)).map { _ in
                UInt8.random(in: 0...255, using: &source)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            // A hash is one only where it stands: among 120 random bytes is none of 64 digits.
            #expect(StickRoot(commandLine: text) == nil)
            #expect(StickRoot(commandLine: "casemate.root=" + text) == nil)
            let root = StickRoot(commandLine: text + " casemate.root=\(Self.known) ")
            #expect(root.map { Hex.encode($0.hash) } == (text.contains("casemate.root=") ? nil : Self.known))
        }
    }
}
