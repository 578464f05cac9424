#if os(Linux)
    import CLibcrypto
    import Cryptography
    import SecretMemory
    import Testing

    /// In processes of their own: a scan reads all memory, of which the process of all tests has very much.
    @Suite("Memory that libcrypto gives back")
    struct LibcryptoMemoryTests {
        /// A secret, and who looks for it.
        private struct Scene {
            /// Where the secret stands in a block: the heap writes over the beginning of what it is given back.
            private static let offset = 32

            private let secret: SecretBytes
            private let scan: MemoryScan

            init() throws {
                let secret = try SecretBytes.random(count: 32)
                var scan = MemoryScan()
                secret.withUnsafeBytes { scan.look(for: "secret", $0) }
                (self.secret, self.scan) = (secret, scan)
            }

            /// The places that the secret is found at, without its own.
            func copies() throws -> [UInt] {
                let own = secret.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
                let found = try scan.run().map(\.address)
                try #require(found.contains(own))
                return found.filter { $0 != own }
            }

            func block(of count: Int) throws -> UnsafeMutableRawPointer {
                let block = try #require(CRYPTO_malloc(count, #file, #line))
                secret.withUnsafeBytes { (block + Self.offset).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
                return block
            }

            static func place(in block: UnsafeMutableRawPointer) -> UInt { UInt(bitPattern: block + offset) }
        }

        @Test("holds nothing of what stood there")
        func freed() async {
            await #expect(processExitsWith: .success) {
                for count in [64, 72, 1000, 100_000, 1_000_000] {
                    let scene = try Scene()
                    let block = try scene.block(of: count)
                    #expect(try scene.copies() == [Scene.place(in: block)], "\(count)")
                    CRYPTO_free(block, #file, #line)
                    #expect(try scene.copies() == [], "\(count)")
                }
            }
        }

        @Test("holds nothing where a block grew or shrank")
        func resized() async {
            await #expect(processExitsWith: .success) {
                for (count, size) in [(64, 4096), (4096, 100), (1000, 1_000_000)] {
                    let scene = try Scene()
                    let block = try scene.block(of: count)
                    let moved = try #require(CRYPTO_realloc(block, size, #file, #line))
                    #expect(try scene.copies() == [Scene.place(in: moved)], "\(count)")
                    #expect(CRYPTO_realloc(moved, 0, #file, #line) == nil)
                    #expect(try scene.copies() == [], "\(count)")
                }
            }
        }
    }
#endif
