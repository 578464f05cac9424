import SecretMemory
import Synchronization

/// Takes the secrets of a page while it is written as JSON, which then says only that they are there: they go another
/// way.
///
///     let secrets = ShownSecrets()
///     encoder.userInfo[key] = secrets                       // ShownSecret.collector
///     print(try encoder.encode(page))
///     for (place, secret) in secrets.taken { ... }          // "modalData.phrase"
package final class ShownSecrets: Sendable {
    private let held = Mutex<[(place: String, secret: SecretBytes)]>([])

    package init() {}

    /// The secrets with the places that they have in the JSON, in the order in which they were written.
    package var taken: [(place: String, secret: SecretBytes)] { held.withLock { $0 } }

    func add(_ secret: SecretBytes, at path: [any CodingKey]) {
        let place = path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        held.withLock { $0.append((place, secret)) }
    }
}
