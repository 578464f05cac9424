import ExecutableImage
import Foundation
import TestSupport

/// The images beside these tests (Fixtures/README.md says where they come from).
enum Fixture {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    static let images = (try? JSON(contentsOf: folder.appending(path: "images.json"))) ?? .null

    static let verity = (try? JSON(contentsOf: folder.appending(path: "fsverity-vectors.json"))) ?? .null

    static let names = images.object.keys.sorted()

    /// The smallest of each format, class and byte order.
    static let small = [
        "elf/free-arm", "elf/free-ppc-be32", "elf/free-s390x-be64", "elf/free-riscv64", "macho/synth-ppc-be32",
        "macho/synth-ppc64-be64", "macho/synth-two-exec-segments",
    ]

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: url(name)))
    }

    static func url(_ name: String) -> URL { folder.appending(path: name) }

    static func parsed(_ name: String) throws -> ExecutableFile {
        try ExecutableFile(parsing: BytesInMemory(bytes(name)))
    }
}

extension [UInt8] {
    func replacing(_ offset: Int, with bytes: [UInt8]) -> [UInt8] {
        var copy = self
        copy.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        return copy
    }
}

/// A number as it stands in a file.
func big<I: FixedWidthInteger>(_ number: I) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
func little<I: FixedWidthInteger>(_ number: I) -> [UInt8] { big(number).reversed() }

/// A universal binary of two slices made here.
enum Universal {
    static let machines: [UInt32] = [0x0100_0012, 0x0100_000c]
    static let offsets = [8192, 16384]

    static func bytes(_ width: ImageClass = .bits32) throws -> [UInt8] {
        let slices = [
            try Fixture.bytes("macho/synth-ppc64-be64"), try Fixture.bytes("macho/synth-two-exec-segments"),
        ]
        var file: [UInt8] = [0xca, 0xfe, 0xba, width == .bits32 ? 0xbe : 0xbf] + big(UInt32(2))
        for (index, slice) in slices.enumerated() {
            file += big(machines[index]) + big(UInt32(0))
            let numbers = [offsets[index], slice.count]
            file += numbers.flatMap { width == .bits32 ? big(UInt32($0)) : big(UInt64($0)) }
            file += big(UInt32(13)) + (width == .bits32 ? [] : big(UInt32(0)))
        }
        for (index, slice) in slices.enumerated() {
            file += [UInt8](repeating: 0, count: offsets[index] - file.count) + slice
        }
        return file
    }
}
