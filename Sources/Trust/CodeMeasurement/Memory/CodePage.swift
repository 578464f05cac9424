import ExecutableImage

/// Addresses whose pages have to be those of a file.
package struct CodeRange: Hashable, Sendable {
    package enum Origin: Hashable, Sendable {
        /// Code of the program, by the place in ``MeasuredProgram/images`` and among the covered segments.
        case image(Int, segment: Int)
        /// Code of the system, by its path.
        case external(String)
    }

    /// The addresses, of whole pages.
    package let addresses: Range<UInt64>
    package let origin: Origin
    package let isExecutable: Bool
}

/// Level L3: a private copy where a page of a file has to be.
///
/// A write to a private mapping of a file, by a debugger as well, makes a copy of the page. Writing the old bytes back
/// does not undo that.
///
/// Source: `vigil` section 4.6.
package enum CodePage {
    /// The size in bytes of the pages that the manifest has digests of; they are counted from the first byte of a
    /// segment.
    package static let size: UInt64 = 4096

    /// Looks for private copies among all code.
    ///
    /// - Parameter copies: gives the addresses of private copies in whole pages, ascending.
    /// - Returns: a finding for each run of them, no more than ``MapShape/findingLimit``.
    package static func findings<Failure: Error>(
        in shape: MapShape, of program: MeasuredProgram,
        copies: (_ addresses: Range<UInt64>) throws(Failure) -> [Range<UInt64>]
    ) throws(Failure) -> [Finding] {
        var findings: [Finding] = []
        for range in shape.codeRanges {
            for run in try copies(range.addresses) {
                let run = run.clamped(to: range.addresses)
                guard !run.isEmpty, findings.count < MapShape.findingLimit else { continue }
                findings.append(finding(run, in: range, of: program, biases: shape.biases))
            }
        }
        return findings
    }

    /// - Parameter copies: addresses in `range`.
    private static func finding(
        _ copies: Range<UInt64>, in range: CodeRange, of program: MeasuredProgram, biases: [UInt64?]
    ) -> Finding {
        switch range.origin {
        case .external(let path):
            let first = (copies.lowerBound - range.addresses.lowerBound) / size
            let last = (copies.upperBound - 1 - range.addresses.lowerBound) / size
            return Finding(
                "code of the system was written to", path: path, pages: numbers(from: first, through: last),
                address: copies.lowerBound)
        case .image(let index, let number):
            let image = program.images[index]
            let segment = image.segments[number]
            // The segment need not begin or end where a page of memory does.
            let start = segment.address &+ (biases[index] ?? 0)
            let first = copies.lowerBound > start ? copies.lowerBound - start : 0
            let last = min(copies.upperBound - start, segment.fileSize) - 1
            return Finding(
                "code was written to", path: image.path, segment: number,
                pages: numbers(from: first / size, through: last / size), address: copies.lowerBound)
        }
    }

    /// How many page numbers a finding lists: no more than a reader wants to see.
    private static let numberLimit: UInt64 = 64

    private static func numbers(from first: UInt64, through last: UInt64) -> [Int] {
        (first...max(first, min(last, first + numberLimit - 1))).map(Int.init)
    }
}
