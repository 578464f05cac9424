import RuntimeService
import Testing
import WebAssembly
import WebAssemblyTestSupport
import Zstandard

@testable import RuntimeWorker

@Suite("What a runtime tells of itself")
struct RuntimeWorkerTests {
    private static let metadata: [UInt8] =
        Array("meta".utf8) + (0..<5_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 2) }
    private static let version = SampleRuntime.version("polkadot", 9270, transactionVersion: 14)
    private static let runtime = SampleRuntime(metadata: metadata, version: version)
    private static let magic: [UInt8] = [0x52, 0xbc, 0x53, 0x76, 0x46, 0xdb, 0x8e]

    private static func report(
        _ bytes: [UInt8], metadataVersion: UInt32? = nil, fuel: Int64 = 10_000_000
    ) -> RuntimeReport? {
        guard
            case .read(let report) = RuntimeWorker.read(
                RuntimeFile(bytes: bytes, metadataVersion: metadataVersion, fuel: fuel))
        else { return nil }
        return report
    }

    private static func refusal(
        _ bytes: [UInt8], metadataVersion: UInt32? = nil, fuel: Int64 = 10_000_000
    ) -> String? {
        guard
            case .refused(let reason) = RuntimeWorker.read(
                RuntimeFile(bytes: bytes, metadataVersion: metadataVersion, fuel: fuel))
        else { return nil }
        return reason
    }

    private static func refusal(_ change: (inout SampleRuntime) -> Void) -> String? {
        var runtime = runtime
        change(&runtime)
        return refusal(runtime.bytes)
    }

    @Test("metadata are computed, and the version is read in its section")
    func plain() throws {
        let report = try #require(Self.report(Self.runtime.bytes))
        #expect(report.metadata == Self.metadata)
        #expect(report.version == Self.version)
        #expect(report.versionIsStated)
        #expect(report.steps > Int64(Self.metadata.count))
    }

    @Test("a runtime without that section computes its version; one that exports its memory is read too")
    func computed() throws {
        var runtime = Self.runtime
        (runtime.statesVersion, runtime.importsMemory) = (false, false)
        let report = try #require(Self.report(runtime.bytes))
        #expect(report.version == Self.version && !report.versionIsStated)
        #expect(report.metadata == Self.metadata)
    }

    @Test(
        "compressed runtimes are expanded, with the old magic and with the one for WebAssembly",
        arguments: [5, 7] as [UInt8])
    func compressed(kind: UInt8) throws {
        let frame = try ZstdFrame.compress(Self.runtime.bytes)
        #expect(Self.report(Self.magic + [kind] + frame)?.metadata == Self.metadata)
        let cut = try #require(Self.refusal(Self.magic + [kind] + frame.dropLast()))
        #expect(cut.contains("cut off or damaged"))
    }

    @Test("compressed content of another kind is named")
    func otherContent() {
        #expect(Self.refusal(Self.magic + [6, 1])?.contains("proof") == true)
        #expect(Self.refusal(Self.magic + [8, 1])?.contains("PolkaVM") == true)
        #expect(Self.refusal(Array("PVM\0".utf8))?.contains("PolkaVM") == true)
        #expect(Self.refusal(Self.magic + [9, 1])?.contains("unknown kind (9)") == true)
        #expect(Self.refusal(Array("#!/bin/sh".utf8))?.contains("no WebAssembly") == true)
    }

    @Test("what expands to more than a runtime may have is refused, as is a larger file")
    func bombs() throws {
        let bomb = Self.magic + [5] + (try ZstdFrame.compress(Array(repeating: 0, count: 100_000)))
        #expect(throws: RuntimeRefusal.compression(.tooLarge(100_000, limit: 99_999))) {
            try RuntimeBlob.module(in: bomb, limit: 99_999)
        }
        #expect(throws: RuntimeRefusal.tooLarge(limit: 10)) {
            try RuntimeBlob.module(in: Array(repeating: 0, count: 11), limit: 10)
        }
        #expect(try RuntimeBlob.module(in: bomb, limit: 100_000).count == 100_000)
    }

    @Test("metadata of a wanted version come if the runtime has them, and else it says which it has")
    func versions() {
        #expect(Self.report(Self.runtime.bytes, metadataVersion: 14)?.metadata == Self.metadata)
        #expect(
            Self.refusal(Self.runtime.bytes, metadataVersion: 15) == "It has no metadata of version 15; it has 14.")
    }

    @Test("a runtime that loops, asks for storage, hoards memory or gives up is refused with what it did")
    func hostile() {
        let endless: [UInt8] = [0x03, 0x40, 0x0c, 0, 0x0b, 0x00]
        #expect(Self.refusal { $0.body = endless }?.contains("used up all the steps") == true)
        #expect(
            Self.refusal { $0.body = Assembly.i64(0) + [0x10, SampleRuntime.storage] }?
                .contains("asked for env.ext_storage_get_version_1, which is not given") == true)
        let hoarding: [UInt8] =
            [0x03, 0x40] + Assembly.i32(1 << 20) + [0x10, SampleRuntime.malloc, 0x1a, 0x0c, 0, 0x0b, 0x00]
        #expect(Self.refusal { $0.body = hoarding }?.contains("more memory than it was given") == true)
        #expect(
            Self.refusal { $0.body = Assembly.i32(-1) + [0x10, SampleRuntime.malloc, 0x1a, 0x00] }?
                .contains("4294967295 bytes of memory at once") == true)
        #expect(
            Self.refusal { $0.body = Assembly.i32(8) + [0x10, SampleRuntime.free, 0x00] }?
                .contains("freed memory that it does not have") == true)
        #expect(Self.refusal { $0.body = [0x00] }?.contains("gave up by itself") == true)
    }

    @Test("a result outside the memory, or that is no bytes in SCALE, is refused")
    func results() {
        for packed in [0x0000_0010_ffff_fff0, 0x7fff_ffff_0000_0000, -1] as [Int64] {
            #expect(Self.refusal { $0.body = Assembly.i64(packed) }?.contains("reached outside its memory") == true)
        }
        #expect(Self.refusal { $0.body = Assembly.i64(0) }?.contains("does not decode") == true)
        #expect(Self.refusal { $0.heapBase = nil }?.contains("no __heap_base") == true)
        #expect(Self.refusal([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])?.contains("no Metadata_metadata") == true)
    }

    @Test("metadata and a version that are larger than they may be are refused by their size")
    func largeAnswers() {
        for count in [RuntimeService.metadataLimit + 1, 5 << 20] {
            // Memory is taken, the length written at its beginning, and place and length packed.
            let (length, all) = (Int32(count << 2 | 2), Int32(count + 4))
            let body: [UInt8] =
                Assembly.i32(all) + [0x10, SampleRuntime.malloc, 0x21, 2] + Assembly.get(2) + Assembly.i32(length)
                + [0x36, 2, 0] + Assembly.get(2) + [0xad] + Assembly.i64(Int64(all) << 32) + [0x84]
            #expect(
                Self.refusal { $0.body = body }
                    == "Its metadata of \(count) bytes is more than the 4194304 that are read. Do not trust it.")
        }
        #expect(
            Self.refusal { $0.version = [UInt8](repeating: 0, count: 70_000) }
                == "Its version of 70000 bytes is more than the 65536 that are read. Do not trust it.")
    }

    @Test("a runtime that asks for more memory than it may have at its start is told so")
    func memoryAtStart() {
        var assembly = Assembly()
        assembly.memory(1_025)
        assembly.globals = [[0x7f, 0] + Assembly.i32(1_024) + [0x0b]]
        assembly.exports = [Assembly.name("__heap_base") + [3, 0]]
        assembly.function(FunctionType([.i32, .i32], to: [.i64]), export: "Metadata_metadata", [0x00])
        #expect(Self.refusal(assembly.bytes)?.contains("it needs 1025 pages of memory, and may have 1024") == true)
    }

    @Test("a runtime with wrong bits, or cut, gives an answer that may be sent")
    func mauled() throws {
        let bytes = Self.runtime.bytes
        for bit in stride(from: 0, to: 1_600 * 8, by: 29) where bit / 8 < bytes.count {
            var mauled = bytes
            mauled[bit / 8] ^= 1 << (bit % 8)
            try RuntimeWorker.read(RuntimeFile(bytes: mauled, fuel: 200_000)).check()
        }
        for end in stride(from: 0, to: bytes.count, by: 211) {
            try RuntimeWorker.read(RuntimeFile(bytes: Array(bytes[..<end]), fuel: 200_000)).check()
        }
    }

    @Test("an answer that says more than it may is not believed")
    func lies() {
        let report = RuntimeReport(version: [], versionIsStated: true, metadata: [], steps: 0)
        #expect(throws: Never.self) { try RuntimeAnswer.read(report).check() }
        var large = report
        large.metadata = Array(repeating: 0, count: RuntimeService.metadataLimit + 1)
        #expect(throws: ReportRefusal.metadata(large.metadata.count)) { try RuntimeAnswer.read(large).check() }
        large = report
        large.version = Array(repeating: 0, count: RuntimeReport.versionLimit + 1)
        #expect(throws: ReportRefusal.version(large.version.count)) { try RuntimeAnswer.read(large).check() }
        #expect(throws: ReportRefusal.words) {
            try RuntimeAnswer.refused(String(repeating: "x", count: RuntimeAnswer.reasonLimit + 1)).check()
        }
    }
}

@Suite("The memory that a runtime gets")
struct RuntimeAllocatorTests {
    @Test("pieces do not overlap, what was freed is given again, and nothing is given twice")
    func pieces() throws {
        let instance = try Assembly.running(FunctionType(), pages: 1, []).instance()
        let memory = try #require(instance.memory)
        var allocator = RuntimeAllocator(from: 1_001)
        let first = try allocator.allocate(9, in: memory)
        let second = try allocator.allocate(16, in: memory)
        #expect((first, second) == (1_008, 1_024))
        #expect(try allocator.allocate(0, in: memory) == 1_040)
        try allocator.free(first)
        #expect(throws: Trap.host("it freed memory that it does not have")) { try allocator.free(first) }
        #expect(try allocator.allocate(10, in: memory) == first)
        #expect(try allocator.allocate(16, in: memory) == 1_048)
        #expect(try allocator.allocate(1 << 20, in: memory) == 1_064)
        #expect(try memory.read(at: 1_064, count: 1 << 20).allSatisfy { $0 == 0 })
    }
}
