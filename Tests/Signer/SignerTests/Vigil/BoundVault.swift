import Foundation
import MainKey
import SecretMemory
import TestSupport
import Testing

@testable import Signer

/// A vault with the seed `demo` and a recovery code, and a validator.
final class BoundVault {
    let test: TestVault
    let validator: FakeValidator
    let code: RecoveryCode
    static let keyID = String(repeating: "ab", count: 32)

    init(isBound: Bool = true) throws {
        code = try RecoveryCode.generate()
        test = try TestVault(nil, [.recovery(code)], hasPIN: true)
        validator = try FakeValidator()
        _ = try test.withSeed()
        if isBound { try key.bind { throw SignerError.nothingPending } }
        test.person.reasons = []
    }

    var unlocking: Unlocking { test.unlocking(with: validator) }
    var key: VaultKey { get throws { try VaultKey(of: test.folder, unlocking) } }
    var record: URL { test.folder.appending(path: "key/vigil.json") }
    var items: URL { test.folder.appending(path: "key/items") }

    func open(_ access: Vault.Access = .write) throws -> Vault {
        try Vault.open(test.folder, for: access, unlocking: unlocking, now: { TestVault.time })
    }

    func typeRecoveryCode() throws { test.person.takeOut(try code.grouped()) }
    func typePIN() { test.person.pin = test.pin }

    /// Lets `body` change the vault, and puts back what was under its key about validators before.
    func withOldMark(_ body: () throws -> Void) throws {
        let copy = test.folder.deletingLastPathComponent().appending(path: "items")
        try FileManager.default.copyItem(at: items, to: copy)
        try body()
        try FileManager.default.removeItem(at: items)
        try FileManager.default.moveItem(at: copy, to: items)
    }

    /// The refusal that `body` ends with.
    func refusal(_ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void) -> VigilRefusal? {
        let error = #expect(throws: SignerError.self, sourceLocation: location, performing: body)
        guard case .vigil(let refusal)? = error else { return nil }
        return refusal
    }
}
