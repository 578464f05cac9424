#if os(Linux)
    import CLinux
    import Files
    import Glibc

    /// The page tables of a process, through its `/proc/PID/pagemap`.
    ///
    /// Source: `vigil` section 4.6.
    package struct PageTable: Sendable {
        private let pagemap: OpenFile
        private let pageSize: UInt64
        /// Whether the kernel has not yet said that it cannot search by itself.
        private var searches: Bool

        /// How many runs of private copies are reported in one range at most.
        static let runLimit = 64

        /// - Parameter searches: whether to let the kernel search (Linux 6.7) before reading entry by entry.
        package init(_ pagemap: OpenFile, pageSize: UInt64 = PageTable.systemPageSize, searches: Bool = true) {
            self.pagemap = pagemap
            self.pageSize = pageSize
            self.searches = searches
        }

        /// Makes sure that there is memory behind, and that of a map: the end of the stack, where a program finds its
        /// arguments, is always there or swapped out. To be asked after everything else, since a search in memory that
        /// is gone finds nothing and gives no error.
        ///
        /// - Throws: ``Reason/peerIdentity`` if the memory is gone, or another one; ``Reason/unmeasurable``.
        package func check(_ map: MemoryMap) throws(MeasurementRefusal) {
            guard let stack = map.mappings.first(where: { !$0.hasFile && map.path(of: $0, is: "[stack]") }) else {
                throw MeasurementRefusal(.unmeasurable, "the memory map shows no stack")
            }
            let last = stack.end - pageSize
            var word: UInt64 = 0
            let count: Int
            do throws(Errno) {
                count = try withUnsafeMutableBytes(of: &word) { buffer throws(Errno) in
                    try pagemap.readOnce(at: Self.offset(of: last, pageSize), into: buffer)
                }
            } catch {
                throw unreadable(error)
            }
            guard count == MemoryLayout<UInt64>.size else { throw Self.gone }
            guard PageEntry(word: word).isPopulated else {
                throw MeasurementRefusal(
                    .peerIdentity, Finding("the page tables are not those of the memory map", address: last))
            }
        }

        /// Where the word of a page stands.
        private static func offset(of address: UInt64, _ pageSize: UInt64) -> UInt64 {
            address / pageSize * UInt64(MemoryLayout<UInt64>.size)
        }

        private static var gone: MeasurementRefusal {
            MeasurementRefusal(.peerIdentity, "the memory is gone: the process has ended or runs another program")
        }

        /// The size of a page in bytes.
        package static var systemPageSize: UInt64 { UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 4096)) }

        /// Where between two addresses pages are private copies.
        ///
        /// - Parameter addresses: whole pages.
        /// - Returns: ascending runs of whole pages, no more than 64.
        /// - Throws: ``Reason/unmeasurable``; ``Reason/peerIdentity`` if the memory is not there any more.
        package mutating func privateCopies(in addresses: Range<UInt64>) throws(MeasurementRefusal) -> [Range<UInt64>] {
            if searches {
                if let runs = try search(addresses) { return runs }
                searches = false
            }
            return try read(addresses)
        }

        /// - Returns: nil if this kernel cannot.
        private func search(_ addresses: Range<UInt64>) throws(MeasurementRefusal) -> [Range<UInt64>]? {
            let capacity = Self.runLimit
            var code: Int32 = 0
            var reached: UInt64 = 0
            let runs = withUnsafeTemporaryAllocation(of: clinux_page_region.self, capacity: capacity) { regions in
                let found = clinux_pagemap_private(
                    pagemap.number, addresses.lowerBound, addresses.upperBound, regions.baseAddress, capacity, &reached)
                guard found >= 0 else {
                    code = errno
                    return [Range<UInt64>]()
                }
                return regions.prefix(Int(found)).map { $0.start..<$0.end }
            }
            switch code {
            // With all places for what it found taken, the search ends early.
            case 0 where reached >= addresses.upperBound || runs.count == capacity: return runs
            case 0:
                throw MeasurementRefusal(
                    .unmeasurable, Finding("the search in the page tables ended early", address: reached))
            case ENOTTY, EINVAL: return nil
            default: throw unreadable(Errno(rawValue: code))
            }
        }

        private func read(_ addresses: Range<UInt64>) throws(MeasurementRefusal) -> [Range<UInt64>] {
            var runs: [Range<UInt64>] = []
            var address = addresses.lowerBound
            while address < addresses.upperBound, runs.count < Self.runLimit {
                let pages = min(Self.chunk, Int((addresses.upperBound - address) / pageSize))
                address += pageSize * UInt64(try read(pages, from: address, into: &runs))
            }
            return runs
        }

        /// - Returns: how many pages were looked at.
        private func read(
            _ pages: Int, from address: UInt64, into runs: inout [Range<UInt64>]
        ) throws(MeasurementRefusal) -> Int {
            let offset = Self.offset(of: address, pageSize)
            let result = withUnsafeTemporaryAllocation(of: UInt64.self, capacity: pages) {
                words -> Result<Int, Errno> in
                do throws(Errno) {
                    let count = try pagemap.readOnce(at: offset, into: UnsafeMutableRawBufferPointer(words)) / 8
                    PageEntry.collect(
                        UnsafeBufferPointer(rebasing: words[..<count]), from: address, pageSize: pageSize, into: &runs)
                    return .success(count)
                } catch {
                    return .failure(error)
                }
            }
            switch result {
            case .success(let count) where count > 0: return count
            case .success: throw Self.gone
            case .failure(let failure): throw unreadable(failure)
            }
        }

        /// Pages at a time: the words of 2 MiB.
        private static let chunk = 512

        /// The refusal for a failed read. Newer kernels say of memory that is gone that there is no such process; older
        /// ones find nothing in it.
        private func unreadable(_ failure: Errno) -> MeasurementRefusal {
            failure.isAbsence
                ? Self.gone : MeasurementRefusal(.unmeasurable, "the page tables cannot be read: \(failure)")
        }
    }
#endif
