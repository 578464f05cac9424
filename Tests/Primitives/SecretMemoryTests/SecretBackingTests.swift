import CLinux
import Foundation
import Testing

@testable import SecretMemory

private let hasKernelSecret: Bool = {
    guard let page = clinux_secret_map(65_536) else { return false }
    clinux_secret_unmap(page, 65_536)
    return true
}()

@Suite("What secrets are kept in")
struct SecretBackingTests {
    /// Of a slot, of the largest slot, and of a region of its own.
    static let counts = [32, 2048, 5000]

    private func backing(of address: UInt) -> SecretBacking? {
        SecretRegion.mapped.withLock { regions in
            regions.first { $0.start <= address && address < $0.start + UInt($0.count) }?.backing
        }
    }

    private func address(_ secret: SecretBytes) -> UInt { secret.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }

    @Test("every backing keeps what is written", arguments: [SecretBacking.kernelSecret, .guarded, .unlocked], counts)
    func content(best: SecretBacking, count: Int) throws {
        let arena = SecretArena(best: best)
        for _ in 0..<100 {
            let secret = try SecretBytes(count: count, in: arena) {
                $0.initializeMemory(as: UInt8.self, repeating: 0x5a)
            }
            #expect(secret.withUnsafeBytes { $0.count == count && $0.allSatisfy { $0 == 0x5a } })
            #expect(try #require(backing(of: address(secret))) >= best)
        }
        let fresh = try SecretBytes(count: count, in: arena) { _ in }
        #expect(fresh.withUnsafeBytes { $0.allSatisfy { $0 == 0 } })
    }

    @Test("memory that is not locked shows in the status, and its end too")
    func status() throws {
        let arena = SecretArena(best: .unlocked)
        do {
            let large = try SecretBytes(count: 100_000, in: arena) { _ in }
            let status = try SecretMemoryStatus.current()
            #expect(status.backing == .unlocked && !status.isLocked)
            #expect(backing(of: address(large)) == .unlocked)
        }
        #expect(SecretMemoryStatus(backing: .guarded).isLocked)
        #expect(SecretMemoryStatus(backing: .kernelSecret).isLocked)
    }

    @Test("a slot is zeros after its secret", arguments: [SecretBacking.kernelSecret, .guarded, .unlocked])
    func zeroised(best: SecretBacking) throws {
        let arena = SecretArena(best: best)
        var start: UnsafeRawBufferPointer?
        do {
            let secret = try SecretBytes(count: 100, in: arena) { $0.initializeMemory(as: UInt8.self, repeating: 0xaa) }
            // The arena keeps its regions, so that the address stays readable.
            start = secret.withUnsafeBytes { $0 }
        }
        #expect(try #require(start).allSatisfy { $0 == 0 })
    }

    @Test("secrets of all sizes at once do not overlap")
    func noOverlap() throws {
        let arena = SecretArena(best: .kernelSecret)
        var secrets: [SecretBytes] = []
        for index in 0..<2000 {
            let count = [0, 1, 63, 64, 65, 128, 129, 512, 2048, 2049][index % 10]
            secrets.append(
                try SecretBytes(count: count, in: arena) {
                    $0.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: index))
                })
        }
        for (index, secret) in secrets.enumerated() {
            #expect(secret.withUnsafeBytes { $0.allSatisfy { $0 == UInt8(truncatingIfNeeded: index) } })
        }
    }

    #if os(Linux)
        @Test(
            "neither /proc/self/mem nor process_vm_readv reads a kernel-secret page", .enabled(if: hasKernelSecret),
            arguments: counts)
        func unreadable(count: Int) throws {
            let secret = try SecretBytes.random(count: count)
            let address = address(secret)
            #expect(backing(of: address) == .kernelSecret)
            let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
            try #require(memory >= 0)
            defer { close(memory) }
            var buffer = [UInt8](repeating: 0, count: 32)
            #expect(pread(memory, &buffer, 32, off_t(address)) == -1)
            #expect(errno == EIO)
            #expect(clinux_read_own_memory(address, &buffer, 32) == -1)
            #expect(errno == EFAULT)
            // The same two ways do read ordinary memory.
            let plain: [UInt8] = Array(1...32)
            plain.withUnsafeBytes {
                let start = UInt(bitPattern: $0.baseAddress)
                #expect(pread(memory, &buffer, 32, off_t(start)) == 32)
                #expect(clinux_read_own_memory(start, &buffer, 32) == 32)
            }
            #expect(buffer == plain)
        }
    #endif

    @Test("making and dropping a small secret takes less than a microsecond")
    func speed() throws {
        let rounds = 200_000
        // The best of several, since other programs take their time too.
        let best = try (0..<5).map { _ in
            try ContinuousClock().measure { for _ in 0..<rounds { _ = try SecretBytes(count: 32) { _ in } } }
        }.min()!
        print("SecretBytes(32), made and dropped: \(best / rounds)")
        #expect(best / rounds < .microseconds(1))
    }
}
