internal import AppAttest
internal import Synchronization

/// The keys of a table in their order, kept from one page of a list to the next: whoever reads all pages has them
/// sorted once, as long as no key comes or goes, and not once for each page.
final class KeyOrder: Sendable {
    private let kept = Mutex<(version: Int, ids: [KeyID])?>(nil)

    /// The keys behind `cursor`, in the order of their bytes.
    ///
    /// - Parameters:
    ///   - cursor: nil for all of them.
    ///   - version: of the table, as it is now (``KeyTable/version``).
    ///   - list: lists the table (``KeyTable/listing``); asked where it is not known in that version.
    func ids(
        after cursor: KeyID?, version: Int, list: () -> (version: Int, ids: [KeyID])
    ) -> ArraySlice<KeyID> {
        let ids = sorted(version, list)
        guard let cursor else { return ids[...] }
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if cursor < ids[middle] { high = middle } else { low = middle + 1 }
        }
        return ids[low...]
    }

    private func sorted(_ version: Int, _ list: () -> (version: Int, ids: [KeyID])) -> [KeyID] {
        if let kept = kept.withLock({ $0 }), kept.version == version { return kept.ids }
        let listing = list()
        let ids = listing.ids.sorted(by: <)
        kept.withLock { $0 = (listing.version, ids) }
        return ids
    }
}

extension KeyID {
    /// Orders keys by their bytes.
    fileprivate static func < (one: KeyID, other: KeyID) -> Bool { one.bytes.lexicographicallyPrecedes(other.bytes) }
}
