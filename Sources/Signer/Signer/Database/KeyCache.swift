import MainKey
import Synchronization

/// The keys of a vault as they were listed last, so that a command opens each row once.
///
/// A key is found by the code of its sealed row and the whole list by its tally: what is found is what those rows say.
final class KeyCache: Sendable {
    struct Listing {
        var tally = Tally()
        /// The keys in byte order of their rows.
        var keys: [StoredKey] = []
        var byCode: [RowCode: StoredKey] = [:]
    }

    private let listing = Mutex(Listing())

    var last: Listing {
        get { listing.withLock { $0 } }
        set { listing.withLock { $0 = newValue } }
    }
}
