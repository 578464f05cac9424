import CLinux
import Foundation
import TestSupport
import Testing

@testable import SecretMemory

private let hasKernelSecret: Bool = {
    guard let page = clinux_secret_map(65_536) else { return false }
    clinux_secret_unmap(page, 65_536)
    return true
}()

@Suite("What secrets are kept in")
struct SecretBackingTests {
    /// The sizes of a slot, of the largest slot, and of a region of its own.
    static let counts = [32, 2048, 5000]

    private func backing(of address: UInt) -> SecretBacking? {
        SecretRegion.mapped.withLock { regions in
            regions.first {
                UInt(bitPattern: $0.start) <= address && address < UInt(bitPattern: $0.start) + UInt($0.count)
            }?.backing
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

    @Test("nothing of a secret is left in its slot", arguments: [SecretBacking.kernelSecret, .guarded, .unlocked])
    func zeroised(best: SecretBacking) throws {
        let arena = SecretArena(best: best)
        var start: UnsafeRawBufferPointer?
        do {
            let secret = try SecretBytes(count: 100, in: arena) { $0.initializeMemory(as: UInt8.self, repeating: 0xaa) }
            // The arena keeps its regions, so that the address stays readable.
            start = secret.withUnsafeBytes { $0 }
        }
        // The first eight hold where the next free slot is.
        let slot = try #require(start)
        #expect(slot.dropFirst(8).allSatisfy { $0 == 0 } && !slot.prefix(8).allSatisfy { $0 == 0xaa })
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

        @Test(
            "pages of secrets are locked, left out of core dumps and not given to children",
            arguments: [SecretBacking.kernelSecret, .guarded])
        func flags(best: SecretBacking) throws {
            let secret = try SecretBytes(count: 5000, in: SecretArena(best: best)) { _ in }
            let address = address(secret)
            try #require(backing(of: address) != .unlocked)
            var flags: [Substring] = []
            var isOurs = false
            let smaps = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps")).readToEnd() ?? Data()
            for line in String(decoding: smaps, as: UTF8.self).split(separator: "\n") {
                if let mapping = MemoryMapping(line: line) { isOurs = mapping.addresses.contains(address) }
                if isOurs, line.hasPrefix("VmFlags:") { flags = line.split(separator: " ") }
            }
            for flag in ["lo", "dd", "dc"] { #expect(flags.contains(flag[...]), "\(flag) in \(flags)") }
            withExtendedLifetime(secret) {}
        }

        @Test("where nothing may be locked, secrets still work, and the status says that they are not locked")
        func noLimit() async {
            await #expect(processExitsWith: .success) {
                SecretBackingTests.limitLockedMemory(to: 0)
                let secret = try SecretBytes(count: 32) { $0.initializeMemory(as: UInt8.self, repeating: 7) }
                guard try SecretMemoryStatus.current().backing == .unlocked,
                    secret.withUnsafeBytes({ $0.allSatisfy { $0 == 7 } })
                else { exit(1) }
            }
        }

        @Test("when the limit is reached, the next region is the next best")
        func smallLimit() async {
            await #expect(processExitsWith: .success) {
                // One region fits, two do not.
                SecretBackingTests.limitLockedMemory(to: 100_000)
                let first = try SecretBytes(count: 2048) { _ in }
                guard try SecretMemoryStatus.current().isLocked else { exit(1) }
                let more = try (0..<100).map { _ in try SecretBytes(count: 2048) { _ in } }
                guard try !SecretMemoryStatus.current().isLocked else { exit(2) }
                withExtendedLifetime((first, more)) {}
            }
        }

        /// For the rest of this process, which must not be root then: root locks as much as it likes.
        private static func limitLockedMemory(to bytes: rlim_t) {
            var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
            guard setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0,
                geteuid() != 0 || setuid(65_534) == 0
            else { exit(99) }
        }
    #endif

    @Test("making and dropping a small secret takes less than a microsecond")
    func speed() throws {
        let rounds = 200_000
        // The best of several, since other programs take the caches' room too.
        let best = try (0..<5).map { _ in
            try ProcessorTime.measure { for _ in 0..<rounds { _ = try SecretBytes(count: 32) { _ in } } }
        }.min()!
        print("SecretBytes(32), made and dropped: \(best / rounds)")
        #expect(best / rounds < .microseconds(1))
    }
}
