#if os(Linux)
    import CLinux
    import CodeMeasurement
    import Files
    import Glibc

    extension SelfMeasurement {
        /// Lets the kernel take back the pages that looking at all code has brought into this process; what runs again
        /// comes back from the file. Ranges with a page that was changed stay as they are: that page is evidence.
        ///
        /// - Parameter pagemap: `/proc/self/pagemap`, opened before this process was closed to others, as only root may
        ///   open it later.
        package static func releaseUnchangedCode(_ pagemap: OpenFile?) {
            guard let pagemap else { return }
            var table = PageTable(pagemap)
            let pageSize = PageTable.systemPageSize
            for range in codeOfImages() {
                let pages = range.lowerBound / pageSize * pageSize..<range.upperBound / pageSize * pageSize
                guard !pages.isEmpty, let changed = try? table.privateCopies(in: pages), changed.isEmpty else {
                    continue
                }
                madvise(UnsafeMutableRawPointer(bitPattern: UInt(pages.lowerBound)), pages.count, MADV_DONTNEED)
            }
        }

        /// The segments of the program and of its libraries that nothing writes to.
        private static func codeOfImages() -> [Range<UInt64>] {
            final class Found { var ranges: [Range<UInt64>] = [] }
            let found = Found()
            _ = clinux_iterate_images(
                { context, _, bias, segments, count in
                    guard let context, let segments else { return 1 }
                    let found = Unmanaged<Found>.fromOpaque(context).takeUnretainedValue()
                    for segment in UnsafeBufferPointer(start: segments, count: count)
                    where segment.flags & UInt32(PF_W) == 0 {
                        let start = bias &+ segment.address
                        found.ranges.append(start..<start &+ segment.memory_size)
                    }
                    return 0
                }, Unmanaged.passUnretained(found).toOpaque())
            return found.ranges
        }
    }
#endif
