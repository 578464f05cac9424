#if os(Linux)
    import CodeMeasurement
    import ExecutableImage

    /// Random pages of an image's code, compared with the digests of the manifest.
    ///
    /// Source: `vigil` section 9.1.
    struct PageSamples {
        private let image: MeasuredImage
        private let pages: [PageRun]
        private let size: PageSize
        private let count: Int

        /// - Parameter count: of pages that one look compares.
        init(_ image: MeasuredImage, _ pages: [PageRun], of size: PageSize, count: Int) {
            self.image = image
            self.pages = pages
            self.size = size
            self.count = count
        }

        func check(_ memory: MemoryContents, bias: UInt64) throws(ImageFailure) -> Finding? {
            let total = pages.reduce(0) { $0 + $1.digests.count }
            guard total > 0 else { return nil }
            for _ in 0..<min(total, count) {
                var number = Int.random(in: 0..<total)
                for (index, run) in pages.enumerated() {
                    guard number >= run.digests.count else {
                        if let finding = try compare(page: number, of: run, segment: index, in: memory, bias: bias) {
                            return finding
                        }
                        break
                    }
                    number -= run.digests.count
                }
            }
            return nil
        }

        private func compare(
            page: Int, of run: PageRun, segment index: Int, in memory: MemoryContents, bias: UInt64
        ) throws(ImageFailure) -> Finding? {
            guard index < image.segments.count, image.segments[index].address == run.address else {
                return Finding("the manifest's pages are of other segments", path: image.path)
            }
            guard var bytes = try memory.page(page, of: image.segments[index], size: size, bias: bias) else {
                return Finding("the segment has no such page", path: image.path, segment: index, pages: [page])
            }
            if page == 0, image.segments[index].fileOffset == 0 { Self.canonicaliseHeader(&bytes) }
            let digest = Bytes32.hash(of: bytes)
            guard digest != run.digests[page] else { return nil }
            return Finding(
                "the page in memory is not that of the manifest", path: image.path, segment: index, pages: [page])
        }

        /// The fields of an ELF header that say where the section headers are: stripping changes them, and nothing that
        /// runs reads them.
        ///
        /// Source: `vigil` section 3.5.
        private static func canonicaliseHeader(_ bytes: inout [UInt8]) {
            guard bytes.count >= 64 else { return }
            let fields = bytes[4] == 2 ? [40..<48, 58..<64] : [32..<36, 46..<52]
            for field in fields { bytes.replaceSubrange(field, with: repeatElement(0, count: field.count)) }
        }
    }
#endif
