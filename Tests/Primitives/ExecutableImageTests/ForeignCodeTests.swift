import Testing

@testable import ExecutableImage

@Suite("Whether the system lets other code into a signed program")
struct ForeignCodeTests {
    private typealias List = (type: UInt32, text: [UInt8])

    /// A signature over no pages, with these flags and lists of entitlements.
    ///
    /// - Parameter signed: the lists that it has hashes of; nil for the same.
    private func signature(flags: UInt32, _ lists: [List] = [], signed: [List]? = nil) throws -> CodeSignature {
        let name = Array("program\0".utf8)
        let slots: UInt32 = 7
        var hashes = [UInt8](repeating: 0, count: Int(slots) * 32)
        for list in signed ?? lists {
            let hash = try HashStream()
            blob(list.text).withUnsafeBytes { hash.update($0) }
            hashes.replaceSubrange(
                Int(slots - list.type) * 32..<Int(slots - list.type + 1) * 32, with: try hash.finish())
        }
        let end = 44 + UInt32(name.count + hashes.count)
        var directory = [0xfade_0c02, end, 0x2_0001, flags, end, 44, slots, 0, 0].flatMap(big)
        directory += [32, 2, 0, 12, 0, 0, 0, 0] + name + hashes
        let blobs: [List] = [(0, directory)] + lists.map { ($0.type, blob($0.text)) }
        var (index, content): ([UInt8], [UInt8]) = ([], [])
        for (type, bytes) in blobs {
            index += big(type) + big(UInt32(12 + 8 * blobs.count + content.count))
            content += bytes
        }
        let head = big(UInt32(0xfade_0cc0)) + big(UInt32(12 + index.count + content.count)) + big(UInt32(blobs.count))
        let all = head + index + content
        let image = ImageView(source: BytesInMemory(all), origin: 0, size: UInt64(all.count))
        return try SuperBlob(parsing: image, Extent(at: 0, count: UInt64(all.count))).signature()
    }

    private func blob(_ text: [UInt8]) -> [UInt8] { big(UInt32(0xfade_7171)) + big(UInt32(8 + text.count)) + text }

    private func list(_ entitlement: String) -> [UInt8] {
        Array("<plist version=\"1.0\"><dict><key>\(entitlement)</key><true/></dict></plist>".utf8)
    }

    @Test("a program with the hardened runtime is closed, whatever else it may do")
    func closed() throws {
        #expect(try signature(flags: 0x1_0000).wayInForOtherCode == nil)
        let harmless = list("com.apple.security.cs.allow-jit") + list("com.apple.security.app-sandbox")
        #expect(try signature(flags: 0x1_2000, [(5, harmless), (7, harmless)]).wayInForOtherCode == nil)
    }

    @Test("a program without it, or signed by nobody, is open", arguments: [UInt32(0), 0x200, 0x2_0002, 0x1_0002])
    func open(flags: UInt32) throws { #expect(try signature(flags: flags).wayInForOtherCode != nil) }

    @Test(
        "entitlements that take the hardened runtime back are found in each list",
        arguments: [
            "com.apple.security.cs.disable-library-validation", "com.apple.security.get-task-allow",
            "com.apple.security.cs.allow-dyld-environment-variables",
            "com.apple.security.cs.disable-executable-page-protection",
        ])
    func opened(entitlement: String) throws {
        let harmless = list("com.apple.security.app-sandbox")
        let lists: [[List]] = [
            [(5, list(entitlement))], [(5, harmless), (7, [0x0c] + Array(entitlement.utf8))],
        ]
        for lists in lists {
            let way = try signature(flags: 0x1_0000, lists).wayInForOtherCode
            #expect(way?.contains(entitlement) == true)
        }
    }

    @Test("lists that are not those that were signed, or are not there, are no answer")
    func exchanged() throws {
        let (harmless, opening) = (list("com.apple.security.app-sandbox"), list("com.apple.security.get-task-allow"))
        let pairs: [(shown: [List], signed: [List])] = [
            ([(5, harmless)], [(5, opening)]), ([], [(5, opening)]), ([], [(7, opening)]), ([(5, harmless)], []),
            ([(5, harmless)], [(5, harmless), (7, opening)]),
        ]
        for pair in pairs {
            let signature = try signature(flags: 0x1_0000, pair.shown, signed: pair.signed)
            #expect(signature.wayInForOtherCode == "its entitlements are not those that were signed")
        }
    }

    @Test("a signature with two lists of one kind is refused, as nobody knows which holds")
    func twice() throws {
        let lists: [List] = [(5, []), (5, list("com.apple.security.get-task-allow"))]
        let failure = #expect(throws: ImageFailure.self) { try signature(flags: 0x1_0000, lists) }
        #expect(failure?.error == .codeSignatureOutOfBounds)
    }

    @Test("the fixture that a linker has signed is open")
    func linkerSigned() throws {
        let file = try ExecutableFile(parsing: BytesInMemory(Fixture.bytes("macho/hello-arm64")))
        #expect(try file.codeSignature(of: file.images[0])?.wayInForOtherCode != nil)
    }
}
