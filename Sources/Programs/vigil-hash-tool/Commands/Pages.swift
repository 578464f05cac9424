import ArgumentParser
import Console
import ExecutableImage
import TextForms

struct Pages: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pages",
        abstract: "Say in which segments and pages two images differ.",
        discussion: """
            Compares what text2 covers, in pages of 4096 bytes counted from the start of each segment. Exits with 1 if \
            something differs.
            """)

    @Argument(help: "A file.", completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The file that it is compared with.", valueName: "file"), completion: .file())
    var diff: String

    @OptionGroup var architecture: ArchitectureOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let one = try pages(of: file)
        let other = try pages(of: diff)
        let differences = zip(one, other).flatMap { PageDifference.all(between: $0, and: $1) }
        let isSameLayout = one.map(\.segment.layout) == other.map(\.segment.layout)
        struct Answer: Encodable {
            var equal: Bool
            var sameSegments: Bool
            var differences: [PageDifference]
        }
        let isEqual = isSameLayout && differences.isEmpty
        var lines = differences.map(\.text)
        if !isSameLayout { lines.insert("The segments are not the same: another number, place or size.", at: 0) }
        try output.show(
            Answer(equal: isEqual, sameSegments: isSameLayout, differences: differences),
            text: isEqual ? "No page differs." : lines.joined(separator: "\n"))
        if !isEqual { throw ExitCode(1) }
    }

    private func pages(of path: String) throws(Failure) -> [SegmentPages] {
        try MeasuredFile.measure(path, architecture: architecture.name, isOne: true) {
            (measured: MeasuredFile) throws(ImageFailure) in
            try measured.parsed.pageDigests(of: measured.images[0])
        }
    }
}

/// A page that differs, or that only one of the images has.
private struct PageDifference: Encodable {
    var segment: String
    var page: Int
    var address: UInt64
    var fileOffset: UInt64

    static func all(between one: SegmentPages, and other: SegmentPages) -> [PageDifference] {
        (0..<max(one.digests.count, other.digests.count)).filter { page in
            let hasBoth = page < one.digests.count && page < other.digests.count
            return !hasBoth || one.digests[page] != other.digests[page]
        }.map { page in
            let offset = UInt64(page) * UInt64(one.pageSize.rawValue)
            return PageDifference(
                segment: one.segment.name ?? one.segment.protection.letters, page: page,
                address: one.segment.address &+ offset, fileOffset: one.segment.fileOffset &+ offset)
        }
    }

    var text: String {
        let place = "address 0x\(String(address, radix: 16)), file offset 0x\(String(fileOffset, radix: 16))"
        return "\(ScreenText.escape(segment)) page \(page): \(place)"
    }
}

extension ImageSegment {
    /// What makes two segments comparable page by page.
    fileprivate var layout: [UInt64] { [address, fileSize, UInt64(protection.rawValue)] }
}

extension SegmentProtection {
    fileprivate var letters: String {
        [(Self.read, "r"), (.write, "w"), (.execute, "x")].map { contains($0.0) ? $0.1 : "-" }.joined()
    }
}
