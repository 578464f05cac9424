import SecretMemory
import Testing

@Suite("SecretBytes")
struct SecretBytesTests {
    private struct Refusal: Error {}

    @Test("holds what was written while it was made", arguments: [0, 1, 32, 128, 129, 5000])
    func content(count: Int) throws {
        let secret = try SecretBytes(count: count) { buffer in
            for index in buffer.indices { buffer[index] = UInt8(truncatingIfNeeded: index) }
        }
        #expect(secret.count == count)
        let expected = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        #expect(secret.withUnsafeBytes { Array($0) } == expected)
    }

    @Test("starts from zeros, also in memory that held another secret")
    func zeroed() throws {
        for _ in 0..<500 {
            let used = try SecretBytes(count: 128) { $0.initializeMemory(as: UInt8.self, repeating: 0xaa) }
            #expect(used.withUnsafeBytes { $0.allSatisfy { $0 == 0xaa } })
        }
        var secrets: [SecretBytes] = []
        for _ in 0..<500 { secrets.append(try SecretBytes(count: 128) { _ in }) }
        #expect(secrets.allSatisfy { $0.withUnsafeBytes { $0.allSatisfy { $0 == 0 } } })
    }

    @Test("taking over an array leaves zeros behind")
    func moving() throws {
        var bytes: [UInt8] = [1, 2, 3]
        let secret = try SecretBytes(movingFrom: &bytes)
        #expect(bytes == [0, 0, 0])
        #expect(secret.withUnsafeBytes { Array($0) } == [1, 2, 3])
    }

    @Test("equality compares content and length")
    func equality() throws {
        func secret(_ bytes: [UInt8]) throws -> SecretBytes { try SecretBytes(copying: bytes) }
        #expect(try secret([1, 2]) == secret([1, 2]))
        #expect(try secret([1, 2]) != secret([1, 3]))
        #expect(try secret([1, 2]) != secret([1, 2, 0]))
        #expect(try secret([]) == secret([]))
    }

    @Test("neither description nor reflection shows the content")
    func printing() throws {
        var bytes = Array("bottom drive".utf8)
        let secret = try SecretBytes(movingFrom: &bytes)
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), String(describing: Optional(secret)), dumped] {
            #expect(!text.contains("bottom") && !text.contains("98"))
        }
    }

    @Test("an error while filling goes through")
    func failingFill() {
        #expect(throws: Refusal.self) { try SecretBytes(count: 8) { _ in throw Refusal() } }
    }

    @Test("a size that cannot be had is a typed error with the remedy")
    func tooLarge() {
        #expect(throws: SecretMemoryError.allocationFailed(bytes: 1 << 50)) { try SecretBytes.random(count: 1 << 50) }
        #expect("\(SecretMemoryError.allocationFailed(bytes: 1))".contains("ulimit -l"))
    }

    @Test("random secrets differ")
    func random() throws {
        #expect(try SecretBytes.random(count: 32) != SecretBytes.random(count: 32))
    }

    @Test("many threads take and give back slots at once")
    func threads() async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for _ in 0..<2000 {
                        let secret = try SecretBytes(count: 64) {
                            $0.initializeMemory(as: UInt8.self, repeating: UInt8(task))
                        }
                        guard secret.withUnsafeBytes({ $0.allSatisfy { $0 == UInt8(task) } }) else { return false }
                    }
                    return true
                }
            }
            for try await good in group { #expect(good) }
        }
    }
}
