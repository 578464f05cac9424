#if os(Linux)
    import CSodium
    import Foundation
    import Testing

    @testable import SecretMemory

    @Suite("The scan for copies of secrets", .serialized)
    struct MemoryScanTests {
        /// Random bytes that are never in clear but where a test puts them.
        private struct Needle {
            let masked: [UInt8]

            init(count: Int) { masked = (0..<count).map { _ in UInt8.random(in: 0...255) } }

            func plant(_ buffer: UnsafeMutableRawBufferPointer) {
                for index in masked.indices { buffer[index] = masked[index] ^ 0xa5 }
            }
        }

        private static func scan(for needles: [Needle]) -> MemoryScan {
            var scan = MemoryScan()
            for (index, needle) in needles.enumerated() {
                let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: needle.masked.count, alignment: 1)
                needle.plant(bytes)
                scan.look(for: "needle \(index)", UnsafeRawBufferPointer(bytes))
                sodium_memzero(bytes.baseAddress, bytes.count)
                bytes.deallocate()
            }
            return scan
        }

        @Test("what is nowhere is not found, however long", arguments: [8, 32, 4096])
        func nowhere(count: Int) throws {
            #expect(try Self.scan(for: [Needle(count: count)]).run().isEmpty)
        }

        /// In a process of its own: other tests would take the freed blocks again before the scan reads them.
        @Test("a copy in the heap is found, also after it was freed")
        func heap() async throws {
            await #expect(processExitsWith: .success) {
                let needle = Needle(count: 32)
                let scan = Self.scan(for: [needle])
                // Every other block is freed, so that they are not joined; the scan itself may take a few of them
                // again, more where there are many mappings to read about.
                let blocks = (0..<1_000).map { _ in
                    UnsafeMutableRawBufferPointer.allocate(byteCount: 1040, alignment: 16)
                }
                let (freed, kept) = (stride(from: 0, to: 1_000, by: 2), stride(from: 1, to: 1_000, by: 2))
                defer { for index in kept { blocks[index].deallocate() } }
                for index in freed { needle.plant(UnsafeMutableRawBufferPointer(rebasing: blocks[index][500...])) }
                let places = Set(freed.map { UInt(bitPattern: blocks[$0].baseAddress) + 500 })
                let held = try scan.run()
                #expect(Set(held.map(\.address)) == places)
                #expect(held.allSatisfy { $0.needle == "needle 0" })
                #expect(held.allSatisfy { $0.mapping == "[heap]" || $0.mapping == "plain memory" })
                for index in freed { blocks[index].deallocate() }
                let left = try scan.run()
                #expect(left.count > places.count / 2 && places.isSuperset(of: left.map(\.address)))
            }
        }

        @Test("a copy that was zeroised before it was freed is not found")
        func zeroised() throws {
            let needle = Needle(count: 32)
            let scan = Self.scan(for: [needle])
            let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
            needle.plant(UnsafeMutableRawBufferPointer(rebasing: block[1000...]))
            #expect(try scan.run().count == 1)
            sodium_memzero(block.baseAddress, block.count)
            block.deallocate()
            #expect(try scan.run().isEmpty)
        }

        @Test(
            "a live secret is found in any backing, and gone with its last owner",
            arguments: [SecretBacking.kernelSecret, .guarded, .unlocked], [32, 5000])
        func secret(best: SecretBacking, count: Int) throws {
            let needle = Needle(count: 32)
            let scan = Self.scan(for: [needle])
            let arena = SecretArena(best: best)
            do {
                let secret = try SecretBytes(count: count, in: arena) { needle.plant($0) }
                #expect(try scan.run().count == 1)
                withExtendedLifetime(secret) {}
            }
            #expect(try scan.run().isEmpty)
        }

        @Test("a copy over the border of two pieces is found once, several needles each under its name")
        func border() throws {
            let needles = [Needle(count: 16), Needle(count: 64)]
            let scan = Self.scan(for: needles)
            let count = 3 << 20
            let start = try #require(mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
            defer { munmap(start, count) }
            let block = UnsafeMutableRawBufferPointer(start: start, count: count)
            // A needle every so often crosses each border, wherever the kernel has put the block.
            var places: [Int] = []
            for offset in stride(from: 0, to: count - 64, by: 40_009) {
                places.append(offset)
                needles[places.count % 2].plant(UnsafeMutableRawBufferPointer(rebasing: block[offset...]))
            }
            for shift in [0, 1 << 20, (1 << 20) + 63 - 20, (2 << 20) - 30] where !places.contains(shift) {
                places.append(shift)
                needles[0].plant(UnsafeMutableRawBufferPointer(rebasing: block[shift...]))
            }
            let hits = try scan.run()
            #expect(hits.count == places.count)
            let base = UInt(bitPattern: start)
            #expect(Set(hits.map { Int($0.address - base) }) == Set(places))
            sodium_memzero(start, count)
        }

        /// In a process of its own, where little else than the scans runs.
        @Test("scans at once do not find what is copied for one another")
        func atOnce() async throws {
            await #expect(processExitsWith: .success) {
                let needle = Needle(count: 32)
                let scan = Self.scan(for: [needle])
                let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
                defer { block.deallocate() }
                let places = Set(stride(from: 0, to: block.count - 32, by: 64))
                for place in places { needle.plant(UnsafeMutableRawBufferPointer(rebasing: block[place...])) }
                let base = UInt(bitPattern: block.baseAddress)
                DispatchQueue.concurrentPerform(iterations: 3) { _ in
                    for _ in 0..<4 {
                        let found = (try? scan.run()) ?? []
                        #expect(found.count == places.count)
                        #expect(found.allSatisfy { places.contains(Int($0.address) - Int(base)) })
                    }
                }
            }
        }

        @Test("only the excluded part of a mapping is left out, though the kernel joined it with others")
        func exclusion() throws {
            let mapping = try #require(MemoryMapping(line: "1000-9000 rw-p 0 0:0 0"))
            #expect(mapping.parts(without: 0x3000..<0x5000) == [0x1000..<0x3000, 0x5000..<0x9000])
            #expect(mapping.parts(without: 0x1000..<0x5000) == [0x5000..<0x9000])
            #expect(mapping.parts(without: 0x5000..<0x9000) == [0x1000..<0x5000])
            #expect(mapping.parts(without: 0x1000..<0x9000) == [])
            #expect(mapping.parts(without: 0x9000..<0xa000) == [0x1000..<0x9000])
        }

        @Test("a line of the memory map is read, nonsense is not")
        func mapping() throws {
            let line = "7f00-8000 r--p 00027000 fe:00 332717                     /usr/lib/a b.so (deleted)"
            let mapping = try #require(MemoryMapping(line: line[...]))
            #expect(mapping.addresses == 0x7f00..<0x8000)
            #expect(mapping.isReadable && mapping.name == "/usr/lib/a b.so (deleted)")
            #expect(MemoryMapping(line: "7f00-8000 ---p 0 0:0 0")?.isReadable == false)
            #expect(MemoryMapping(line: "9000-8000 r--p 0 0:0 0") == nil)
            #expect(MemoryMapping(line: "no map") == nil)
        }
    }
#endif
