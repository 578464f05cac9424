import AppAttest

@testable import Gate

/// Keys for tests.
enum Keys {
    static let app = AppID("ABCDE12345.com.example.app")!
    static let time: Timestamp = 1_771_286_400_000

    static func id(_ number: Int) -> KeyID {
        var bytes = [UInt8](repeating: 0, count: 32)
        for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: number >> (8 * (7 - index))) }
        return KeyID(bytes: bytes)!
    }

    static func key(_ number: Int, usedAt: Timestamp = time) -> AttestedKey {
        let id = id(number)
        return AttestedKey(
            id: id, appID: app, environment: .production, publicKey: [4] + id.bytes + id.bytes, registeredAt: time,
            lastUsedAt: usedAt)
    }

    /// With everything that a key may have.
    static func fullKey(_ number: Int) -> AttestedKey {
        var key = key(number)
        key.environment = .development
        key.signCount = .max
        key.lastAssertedAt = time + 1
        key.facts = AssertionFacts(category: .max, bundleVersion: "1.0 \"β\"\n")
        key.receipt = StoredReceipt(
            bytes: Array(0...255), riskMetric: 3, notBefore: time + 86_400_000, expiresAt: time + 7_776_000_001)
        key.revocation = Revocation(at: time + 2, reason: "lost — reported")
        key.accounts = [7, 3].map { AccountTag(bytes: [UInt8](repeating: $0, count: 32))! }
        key.deviceBan = .pending
        return key
    }

    static func nonce(_ number: Int) -> [UInt8] {
        var state = UInt64(truncatingIfNeeded: number) &* 0x9e37_79b9_7f4a_7c15
        return (0..<32).map { _ in
            state = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9 &+ 0x94d0_49bb_1331_11eb
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }
}
