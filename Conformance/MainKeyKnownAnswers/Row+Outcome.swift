import KnownAnswers
import MainKey

extension Row {
    /// Runs what either succeeds or fails with the stable code in the row's `expect`; without one it is to succeed.
    ///
    /// - Returns: what came out; nil after a failure.
    mutating func outcome<T>(_ body: () throws -> T) throws -> T? {
        let expected = self["expect"].string ?? "ok"
        do {
            let value = try body()
            expect("outcome", "ok", equals: expected)
            return value
        } catch let error as MainKeyError {
            expect("outcome", error.code, equals: expected)
            return nil
        }
    }

    /// The vault that the row names.
    func vault(_ key: String = "vaultID") throws -> VaultID {
        guard let vault = VaultID(try bytes(key)) else { throw RowError.missing(key) }
        return vault
    }
}
