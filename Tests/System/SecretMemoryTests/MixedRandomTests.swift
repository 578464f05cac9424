import SecretMemory
import Synchronization
import TestSupport
import Testing

@Suite("Random bytes of several sources")
struct MixedRandomTests {
    /// Gives what it is told to, then something else each time.
    private final class Scripted: RandomSource {
        let name = "A source of the test"
        private let draws: Mutex<[[UInt8]]>
        private let counter = Mutex<UInt64>(0)

        init(_ draws: [[UInt8]] = []) { self.draws = Mutex(draws) }

        func fill(_ memory: UnsafeMutableRawBufferPointer) {
            let next = draws.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            memory.copyBytes(
                from: next
                    ?? Self.fresh(
                        counter.withLock {
                            $0 += 1
                            return $0
                        }, memory.count))
        }

        private static func fresh(_ number: UInt64, _ count: Int) -> [UInt8] {
            var state = number
            return (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            }
        }
    }

    private struct Silent: RandomSource {
        let name = "A silent source"
        func fill(_ memory: UnsafeMutableRawBufferPointer) throws(RandomFault) { throw .silent(source: name) }
    }

    private struct Constant: RandomSource {
        let name = "A constant source"
        func fill(_ memory: UnsafeMutableRawBufferPointer) {
            for index in memory.indices { memory[index] = 0xff }
        }
    }

    private let known = (0..<64).map { UInt8($0) }

    @Test("the result depends on each source, so that one that nobody foretells is enough")
    func mixed() throws {
        let other = known.map { $0 ^ 0x80 }
        func draw(_ first: [UInt8], then second: [UInt8]) throws -> [UInt8] {
            try SecretBytes.drawn(count: 32, from: MixedRandom([Scripted([first]), Scripted([second])])).revealed
        }
        let usual = try draw(known, then: known)
        #expect(try draw(known, then: known) == usual)
        #expect(try draw(other, then: known) != usual && draw(known, then: other) != usual)
        #expect(try draw(other, then: known) != draw(known, then: other))
        // Not a sum, which two sources that work together could cancel out.
        #expect(try draw(other, then: other) != usual)
    }

    @Test("more than a block is drawn block by block, each from fresh bytes")
    func long() throws {
        let drawn = try SecretBytes.drawn(count: 200, from: MixedRandom([Scripted(), Scripted([known])])).revealed
        #expect(drawn.count == 200 && Set(drawn).count > 80)
        #expect(drawn[..<64] != drawn[64..<128])
    }

    @Test("a source that is constant, repeats a draw, repeats within a draw or is silent is refused")
    func faults() throws {
        let good = Scripted()
        func fault(_ bad: any RandomSource, draws: Int = 1) -> SecretMemoryError? {
            for sources in [[good, bad], [bad, good]] as [[any RandomSource]] {
                let mixed = MixedRandom(sources)
                do {
                    for _ in 0..<draws { _ = try SecretBytes.drawn(count: 32, from: mixed) }
                } catch { return error }
            }
            return nil
        }
        #expect(fault(Constant()) == .random(.repeating(source: "A constant source")))
        #expect(fault(Silent()) == .random(.silent(source: "A silent source")))
        let repeating = SecretMemoryError.random(.repeating(source: "A source of the test"))
        #expect(fault(Scripted([known, known]), draws: 2) == repeating)
        #expect(fault(Scripted([Array(known[..<32] + known[..<32])])) == repeating)
        var stuck = known
        stuck.replaceSubrange(20..<26, with: [UInt8](repeating: 9, count: 6))
        #expect(fault(Scripted([stuck])) == repeating)
        stuck[22] = 8
        #expect(fault(Scripted([stuck])) == nil)
    }

    @Test("one source is not mixed with nothing")
    func single() {
        #expect(throws: SecretMemoryError.random(.tooFewSources)) {
            try SecretBytes.drawn(count: 32, from: MixedRandom([KernelRandom()]))
        }
    }

    @Test("the sources of this machine pass their tests and never give the same twice")
    func real() throws {
        var sources: [any RandomSource] = [KernelRandom(), TimingRandom()]
        if ProcessorRandom.isAvailable { sources.append(ProcessorRandom()) }
        for source in sources {
            let mixed = MixedRandom([source, KernelRandom()])
            let draws = try (0..<200).map { _ in try SecretBytes.drawn(count: 32, from: mixed).revealed }
            #expect(Set(draws).count == 200, "\(source.name)")
        }
        #expect(try SecretBytes.drawn(count: 32) != .drawn(count: 32))
    }

    @Test("salts and nonces are as long as wanted, and never the same twice", arguments: [0, 1, 12, 32, 1_000])
    func publicBytes(count: Int) {
        let draws = (0..<100).map { _ in KernelRandom.bytes(count) }
        #expect(draws.allSatisfy { $0.count == count })
        if count >= 12 { #expect(Set(draws).count == 100) }
    }
}
