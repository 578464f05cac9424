#if os(Linux)
    import CLibcrypto
    import Cryptography
    import SecretMemory
    import Testing

    @Suite("Memory that libcrypto gives back")
    struct LibcryptoMemoryTests {
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
        private func copies() throws -> [UInt] {
            let own = secret.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
            let found = try scan.run().map(\.address)
            try #require(found.contains(own))
            return found.filter { $0 != own }
        }

        private func block(of count: Int) throws -> UnsafeMutableRawPointer {
            let block = try #require(CRYPTO_malloc(count, #file, #line))
            secret.withUnsafeBytes { (block + Self.offset).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
            return block
        }

        @Test("holds nothing of what stood there", arguments: [64, 72, 1000, 100_000, 1_000_000])
        func freed(count: Int) throws {
            let block = try block(of: count)
            #expect(try copies() == [UInt(bitPattern: block + Self.offset)])
            CRYPTO_free(block, #file, #line)
            #expect(try copies() == [])
        }

        @Test("holds nothing where a block grew or shrank", arguments: [(64, 4096), (4096, 100), (1000, 1_000_000)])
        func resized(count: Int, then size: Int) throws {
            let block = try block(of: count)
            let moved = try #require(CRYPTO_realloc(block, size, #file, #line))
            #expect(try copies() == [UInt(bitPattern: moved + Self.offset)])
            #expect(CRYPTO_realloc(moved, 0, #file, #line) == nil)
            #expect(try copies() == [])
        }
    }
#endif
