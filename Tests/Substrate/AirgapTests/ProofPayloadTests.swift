import Airgap
import Foundation
import SCALE
import Substrate
import TestSupport
import Testing

@Suite("Payloads with metadata proofs under attack")
struct ProofPayloadTests {
    private static let original = Fixtures.payload(.transfer)
    private static let proof = Fixtures.bytes(GeneratedProof.transfer.proof)

    private static let network = NetworkSpecs(
        base58Prefix: 2, color: "", decimals: 12, scheme: .sr25519,
        genesisHash: Hash256(Fixtures.bytes(GeneratedProof.transfer.genesis)) ?? Blake2b.hash256([]), logo: "",
        name: "kusama", pathID: "", secondaryColor: "", title: "", unit: "KSM")

    /// What comes of a payload: nil if it is no transaction with a proof.
    private static func decode(_ bytes: [UInt8]) -> (proof: MetadataProof, decoded: ProofTransactionDecoder.Decoded)? {
        guard case .transaction(let transaction)? = try? Payload(bytes), let proof = transaction.proof,
            let parts = transaction.parts()
        else { return nil }
        let decoder = ProofTransactionDecoder(proof: proof, network: network)
        return (
            proof,
            decoder.decode(
                bytes, call: parts.call, extensions: parts.extensions, genesis: transaction.genesisHash)
        )
    }

    @Test("the payload itself shows a transfer")
    func untouched() throws {
        let decoded = try #require(Self.decode(Self.original)).decoded
        #expect(decoded.error == nil)
        #expect(decoded.method?.cards.last?.line == "      balance: 10.000000000 mKSM")
    }

    /// In a process of its own, so that the memory measured is that of this test.
    @Test("of 100,000 random cuts and flips none traps, and none that touches the proof shows a transaction")
    func mauled() async {
        await #expect(processExitsWith: .success) {
            let peak = ProofPayloadTests.peakByteCount()
            #expect(peak > 0)
            #expect(ProofPayloadTests.believed(of: 100_000) > 0, "an amount, a nonce and a tip may change")
            #expect(ProofPayloadTests.peakByteCount() - peak < 100 << 20)
        }
    }

    /// How many of `count` mauled payloads show a transaction.
    private static func believed(of count: Int) -> Int {
        var random = SplitMix64(state: 78)
        var believed = 0
        for round in 0..<count {
            let bytes = maul(original, round: round, &random)
            guard let (proof, decoded) = decode(bytes) else { continue }
            if decoded.error == nil {
                believed += 1
                if Array(bytes[proof.range]) != Self.proof { Issue.record("a false proof was believed: \(bytes)") }
            } else if round % 8 == 0, case .metadataHashMismatch(let signed, let computed)? = decoded.error {
                // As if somebody had signed for the false metadata: the walk by them must not trap either.
                _ = decode(replacing(signed.bytes, by: computed.bytes, in: bytes))
            }
        }
        return believed
    }

    /// Flips bits; every fourth time also takes a part out, doubles one or cuts the end off.
    private static func maul(_ original: [UInt8], round: Int, _ random: inout SplitMix64) -> [UInt8] {
        var bytes = original
        for _ in 0...Int(random.next() % 3) {
            let bit = Int(random.next() % UInt64(bytes.count * 8))
            bytes[bit / 8] ^= 1 << (bit % 8)
        }
        guard round % 4 == 0 else { return bytes }
        let start = Int(random.next() % UInt64(bytes.count))
        let part = start..<min(bytes.count, start + 1 + Int(random.next() % 64))
        switch random.next() % 3 {
        case 0: bytes.removeSubrange(part)
        case 1: bytes.insert(contentsOf: bytes[part], at: start)
        default: bytes.removeSubrange(start...)
        }
        return bytes
    }

    private static func replacing(_ old: [UInt8], by new: [UInt8], in bytes: [UInt8]) -> [UInt8] {
        guard let range = bytes.firstRange(of: old) else { return bytes }
        return Array(bytes[..<range.lowerBound]) + new + bytes[range.upperBound...]
    }

    /// Bytes of memory that the process has had at most.
    private static func peakByteCount() -> Int {
        #if os(Linux)
            // Not `ru_maxrss`, which in a new process begins with what its parent had.
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
            return (Int(line.filter(\.isNumber)) ?? 0) << 10
        #else
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss
        #endif
    }
}
