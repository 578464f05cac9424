import Foundation
import TestSupport

@testable import RaptorQ

/// The known answers beside these tests (Fixtures/README.md says where they come from).
enum Fixture {
    static func json(_ name: String) -> JSON {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        return (try? JSON(contentsOf: folder.appending(path: "Fixtures/\(name).json"))) ?? .null
    }
}

extension JSON {
    /// A number, or 0 where there is none, so that the expectation fails.
    var number: Int { int ?? 0 }
    var numbers: [Int] { array.map(\.number) }
}

/// The stream of SplitMix64 from `seed`, as the known answers take their content from it.
func stream(seed: Int, count: Int) -> [UInt8] {
    var generator = SplitMix64(state: UInt64(seed))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
        let word = generator.next()
        for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
    }
    return Array(bytes.prefix(count))
}
