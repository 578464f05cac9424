import Navigator
import Signer

/// The log.
extension Turn {
    /// An empty text is no comment.
    func addUserEntry() throws {
        guard !data.isEmpty else { return }
        try vault().addComment(data)
    }

    func orderIsKnown() -> Bool {
        succeeds {
            guard let order = UInt32(data), String(order) == data, try Int(order) < vault().logCount() else {
                throw CoreError.entryUnknown(order: data)
            }
        }
    }
}
