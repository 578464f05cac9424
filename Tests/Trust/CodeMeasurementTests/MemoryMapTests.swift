import TestSupport
import Testing

@testable import CodeMeasurement

@Suite("Memory maps")
struct MemoryMapTests {
    @Test("a line gives addresses, protection, offset, file and path")
    func line() throws {
        let map = try MemoryMap(
            Array("562a60f37000-562a60f39000 r-xp 00001000 fe:03 1261695                    /opt/my app\n".utf8))
        let mapping = try #require(map.mappings.first)
        #expect(mapping.addresses == 0x562a_60f3_7000..<0x562a_60f3_9000)
        #expect(mapping.protection == [.read, .execute])
        #expect(mapping.protection.description == "r-xp")
        #expect(mapping.offset == 0x1000)
        #expect(mapping.key.description == "fe:03 1261695")
        #expect(map.path(of: mapping) == "/opt/my app")
    }

    @Test(
        "paths come out as they are",
        arguments: [
            ("", ""), (" ", ""), ("   [vdso]", "[vdso]"), (" /a\\012b", "/a\nb"), (" /a\\b", "/a\\b"),
            (" /a\\01", "/a\\01"), (" /tail\\101", "/tailA"), (" /a b (deleted)", "/a b (deleted)"),
        ])
    func paths(written: String, path: String) throws {
        let map = try MemoryMap(Array("1000-2000 rw-s 0 00:00 0\(written)\n".utf8))
        #expect(map.path(of: try #require(map.mappings.first)) == path)
    }

    @Test("the last line needs no line break")
    func noLineBreak() throws {
        #expect(try MemoryMap(Array("1000-2000 rwxp 0 00:00 0".utf8)).mappings.count == 1)
        #expect(try MemoryMap([]).mappings.isEmpty)
    }

    @Test(
        "what is no map is refused with the place",
        arguments: [
            "x", "1000 r-xp 0 0:0 0", "2000-1000 r-xp 0 00:00 0", "1000-1000 r-xp 0 00:00 0",
            "1000-2000 rxwp 0 00:00 0",
            "1000-2000 r-xq 0 00:00 0", "1000-2000 r-x", "1000-2000 r-xp 0 00:00 ", "1000-2000 r-xp 0 00:00 0x",
            "11000000000000000-2 r-xp 0 00:00 0", "1000-2000 r-xp 0 100000000:0 0",
            "1000-2000 r-xp 0 00:00 99999999999999999999",
        ])
    func malformed(text: String) {
        #expect(throws: MemoryMapError.malformed(offset: 0)) { try MemoryMap(Array(text.utf8)) }
    }

    @Test("mappings out of order are refused with the place of the second")
    func order() {
        let first = "2000-4000 r-xp 0 00:00 0\n"
        #expect(throws: MemoryMapError.malformed(offset: first.utf8.count)) {
            try MemoryMap(Array((first + "3000-5000 r-xp 0 00:00 0\n").utf8))
        }
    }

    @Test("more mappings or bytes than a process has are refused")
    func limits() {
        let lines = (0...MemoryMap.maximumCount).map {
            "\(String($0 * 4096, radix: 16))-\(String(($0 + 1) * 4096, radix: 16)) r--p 0 0:0 0\n"
        }
        #expect(throws: MemoryMapError.tooLarge) { try MemoryMap(Array(lines.joined().utf8)) }
        #expect(throws: MemoryMapError.tooLarge) {
            try MemoryMap(Array(repeating: 0x20, count: MemoryMap.maximumSize + 1))
        }
    }

    @Test("the mapping of an address is found, or the next one")
    func search() throws {
        let map = try MemoryMap(Array("1000-2000 r--p 0 0:0 0\n4000-5000 r--p 0 0:0 0\n".utf8))
        #expect([0, 0x1fff, 0x2000, 0x4000, 0x5000].map(map.index) == [0, 0, 1, 1, 2])
    }

    @Test("a second look sees a change of executable lines and of what counts as code, and not of others")
    func secondLook() throws {
        func map(_ lines: String...) throws -> MemoryMap {
            try MemoryMap(Array(lines.map { $0 + " 0:0 0\n" }.joined().utf8))
        }
        let first = try map("1000-2000 r-xp 0", "2000-3000 r--p 0", "4000-5000 rw-p 0")
        func change(_ other: MemoryMap) -> MemoryMap.ChangeOfCode? {
            first.changeOfCode(in: other) { $0.overlaps(0x2000..<0x3000) }
        }
        #expect(change(try map("1000-2000 r-xp 0", "2000-3000 r--p 0", "4000-6000 rw-p 0")) == nil)
        #expect(change(try map("1000-2000 r-xp 1000", "2000-3000 r--p 0", "4000-5000 rw-p 0")) == .memory)
        #expect(change(try map("1000-2000 r-xp 0", "2000-3000 r--p 0", "4000-5000 rwxp 0")) == .memory)
        #expect(change(try map("1000-2000 r-xp 0", "2000-3000 rw-p 0", "4000-5000 rw-p 0")) == .memory)
        #expect(change(try map("1000-2000 r-xp 0", "4000-5000 rw-p 0")) == .memory)
    }

    @Test("a file of code that was renamed or removed is told from another one")
    func renamed() throws {
        func map(_ line: String) throws -> MemoryMap { try MemoryMap(Array("1000-2000 r-xp 0 \(line)\n".utf8)) }
        let first = try map("8:1 7 /bin/app")
        func change(_ line: String) throws -> MemoryMap.ChangeOfCode? {
            first.changeOfCode(in: try map(line)) { _ in false }
        }
        #expect(try change("8:1 7 /bin/app (deleted)") == .names)
        #expect(try change("8:1 7 /bin/other") == .names)
        #expect(try change("8:1 8 /bin/app") == .memory)
        #expect(try change("8:2 7 /bin/app") == .memory)
        let anonymous = try map("0:0 0 [anon:a]")
        #expect(anonymous.changeOfCode(in: try map("0:0 0 [anon:b]")) { _ in false } == .memory)
    }

    @Test("random and mauled texts never trap, and what is taken is ascending")
    func random() {
        var random = SplitMix64(state: 12)
        let seed = Array(
            "562a60f36000-562a60f37000 r--p 00000000 fe:00 1261695    /opt/a\\012b\n562a60f37000-562a60f39000 r-xp 0 fe:00 1 [vdso]\n"
                .utf8)
        for _ in 0..<20_000 {
            var text = seed
            for _ in 0..<Int(random.next() % 8) {
                text[Int(random.next() % UInt64(text.count))] =
                    random.next() % 2 == 0 ? random.byte() : seed[Int(random.next() % UInt64(seed.count))]
            }
            text.removeLast(Int(random.next() % UInt64(text.count)))
            guard let map = try? MemoryMap(text) else { continue }
            for (mapping, next) in zip(map.mappings, map.mappings.dropFirst()) {
                #expect(mapping.end <= next.start)
            }
            for mapping in map.mappings { _ = map.path(of: mapping) }
        }
    }
}
