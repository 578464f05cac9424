import Foundation
import Testing

@testable import Signer

@Suite("Times of the log")
struct TimestampTests {
    @Test(
        "a time is UTC with the fraction that it has",
        arguments: [
            (0, "1970-01-01 00:00:00.0"), (-0.5, "1969-12-31 23:59:59.5"), (1_763_683_200.1, "2025-11-21 00:00:00.1"),
            (1_763_683_201.92, "2025-11-21 00:00:01.92"), (1_763_683_202.839, "2025-11-21 00:00:02.839"),
            (1_709_164_800, "2024-02-29 00:00:00.0"), (1_763_683_199.999_999, "2025-11-20 23:59:59.999999"),
            (1_763_683_199.999_999_9, "2025-11-21 00:00:00.0"), (253_402_300_799, "9999-12-31 23:59:59.0"),
        ] as [(TimeInterval, String)])
    func text(_ seconds: TimeInterval, _ expected: String) {
        #expect(Timestamp.text(Date(timeIntervalSince1970: seconds)) == expected)
    }

    @Test("a later time never sorts before an earlier one")
    func order() {
        var seconds: TimeInterval = 1_763_683_200
        var earlier = Timestamp.text(Date(timeIntervalSince1970: seconds))
        for _ in 0..<2000 {
            seconds += TimeInterval.random(in: 0..<0.2)
            let later = Timestamp.text(Date(timeIntervalSince1970: seconds))
            #expect(earlier <= later)
            earlier = later
        }
    }
}
