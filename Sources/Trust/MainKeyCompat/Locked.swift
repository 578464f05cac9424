import Foundation
import MainKey

/// A value that is encrypted as long as nobody has the means to open it, for code written for Keymaker.
///
///     let locked = try Locked(clearValue: "anna", app: "account", in: vault)
///     let clear = try locked.unlock(app: "account", in: vault)
///
/// Source: `mainkey` sections 2 and 27.
public struct Locked<Value> {
    public let encryptedValue: Data

    /// Takes a value that was encrypted before.
    public init(encryptedValue: Data) {
        self.encryptedValue = encryptedValue
    }

    public init(clearValue: Value, with encryptor: (Value) throws -> Data) rethrows {
        encryptedValue = try encryptor(clearValue)
    }

    public func unlock(with decryptor: (Data) throws -> Value) rethrows -> Value {
        try decryptor(encryptedValue)
    }
}

extension Locked: Sendable where Value: Sendable {}

extension Locked where Value: SealableValue {
    /// Seals a value for a purpose of the application.
    public init(clearValue: Value, app name: String, in vault: borrowing UnlockedVault) throws(MainKeyError) {
        encryptedValue = Data(try vault.seal(clearValue, .app(name)))
    }

    public func unlock(app name: String, in vault: borrowing UnlockedVault) throws(MainKeyError) -> Value {
        try vault.open(Array(encryptedValue), .app(name))
    }
}
