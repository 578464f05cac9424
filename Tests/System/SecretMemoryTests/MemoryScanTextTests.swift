import Foundation
import SecretMemory
import Testing

@Suite("A scan of bytes")
struct MemoryScanTextTests {
    private static let key: [UInt8] = (0..<32).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }

    private func found(in text: Data) -> Set<String> {
        var scan = MemoryScan()
        Self.key.withUnsafeBytes { key in
            scan.look(for: "key", key)
            scan.lookForText(of: "key", key)
        }
        return text.withUnsafeBytes { scan.names(in: $0) }
    }

    @Test("finds a key as it is, and as hex in either case")
    func rawAndHex() {
        let hex = Self.key.map { String(format: "%02x", $0) }.joined()
        #expect(found(in: Data("before".utf8) + Data(Self.key)) == ["key"])
        #expect(found(in: Data("before \(hex) behind".utf8)) == ["key as hex"])
        #expect(found(in: Data(hex.uppercased().utf8)) == ["key as hex"])
    }

    @Test("finds a key as base64 wherever it stands in a text", arguments: 0..<7)
    func base64(before: Int) {
        let bytes = Data(repeating: 0x5a, count: before) + Data(Self.key) + Data("behind".utf8)
        #expect(found(in: bytes.base64EncodedData()) == ["key as base64"])
    }

    @Test("finds nothing in what only resembles it")
    func nothing() {
        let almost = Data(Self.key.dropLast() + [0])
        let hex = Self.key.dropLast().map { String(format: "%02x", $0) }.joined()
        #expect(found(in: almost).isEmpty && found(in: Data(hex.utf8)).isEmpty && found(in: Data()).isEmpty)
    }
}
