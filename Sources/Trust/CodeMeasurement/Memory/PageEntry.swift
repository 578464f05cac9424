/// What `/proc/PID/pagemap` tells of one page.
///
/// Source: the kernel's `admin-guide/mm/pagemap`; `vigil` section 4.6.
struct PageEntry {
    /// A word in the order of the machine.
    let word: UInt64

    private static let present: UInt64 = 1 << 63
    private static let swapped: UInt64 = 1 << 62
    private static let ofFile: UInt64 = 1 << 61

    /// Whether there is a page, in memory or swapped out.
    var isPopulated: Bool { word & (Self.present | Self.swapped) != 0 }

    /// Whether the page is the process's own, and not of a file or shared.
    var isPrivateCopy: Bool { isPopulated && word & Self.ofFile == 0 }

    /// Collects private copies into runs of addresses.
    ///
    /// - Parameters:
    ///   - words: of the pages from `address` on.
    ///   - runs: ascending; the last one grows if the next page follows it.
    static func collect(
        _ words: UnsafeBufferPointer<UInt64>, from address: UInt64, pageSize: UInt64, into runs: inout [Range<UInt64>]
    ) {
        for (index, word) in words.enumerated() where PageEntry(word: word).isPrivateCopy {
            let start = address + UInt64(index) * pageSize
            if let last = runs.last, last.upperBound == start {
                runs[runs.count - 1] = last.lowerBound..<start + pageSize
            } else {
                runs.append(start..<start + pageSize)
            }
        }
    }
}
