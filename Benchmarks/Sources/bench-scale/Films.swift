import Airgap
import Foundation
import Measuring

/// A payload to the contents of a film's codes, and back with one of ten lost.
struct Films {
    let place: URL
    let byteCount: Int

    func run(_ operation: String) throws {
        switch operation {
        case "make": try make()
        case "encode":
            let payload = Self.payload(byteCount)
            report(
                operation,
                try best(budget: 500) {
                    let sender = try TransferSender(payload)
                    for number in 0..<sender.usualCount { _ = sender.content(number) }
                })
        case "decode":
            let contents = try contents()
            report(
                operation,
                try best(budget: 500) {
                    guard try decoded(contents) == byteCount else { throw CocoaError(.coderInvalidValue) }
                })
        default: exit(64)
        }
    }

    /// The contents behind each other, all of one size, which is the first four bytes.
    private func make() throws {
        let sender = try TransferSender(Self.payload(byteCount))
        _ = FileManager.default.createFile(atPath: place.path, contents: nil)
        let file = try FileHandle(forWritingTo: place)
        try file.write(contentsOf: withUnsafeBytes(of: UInt32(sender.contentSize)) { Data($0) })
        for number in 0..<sender.usualCount { try file.write(contentsOf: sender.content(number)) }
    }

    private func contents() throws -> [[UInt8]] {
        let file = try FileHandle(forReadingFrom: place)
        guard let head = try file.read(upToCount: 4), head.count == 4 else { throw CocoaError(.fileReadCorruptFile) }
        let size = Int(head.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
        var contents: [[UInt8]] = []
        while let content = try file.read(upToCount: size), !content.isEmpty { contents.append([UInt8](content)) }
        return contents
    }

    private func decoded(_ contents: [[UInt8]]) throws -> Int {
        let reader = TransferReader(limit: byteCount)
        for (number, content) in contents.enumerated() where number % 10 != 3 {
            if case .payload(let payload) = try reader.read(content) { return payload.count }
        }
        return try reader.finish().count
    }

    /// Bytes that do not compress and are the same in every run.
    private static func payload(_ count: Int) -> [UInt8] {
        var state: UInt64 = 6330
        return [UInt8](unsafeUninitializedCapacity: count) { bytes, initialised in
            for index in 0..<count {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[index] = UInt8(truncatingIfNeeded: state >> 56)
            }
            initialised = count
        }
    }
}
