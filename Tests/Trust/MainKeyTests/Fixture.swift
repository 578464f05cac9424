import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import MainKey

/// The known answers in the folder beside this file.
enum Fixture {
    static let folder = packageRoot.appending(path: "Tests/Trust/MainKeyTests/Fixtures")

    static func json(_ name: String) throws -> JSON {
        try JSON(contentsOf: folder.appending(path: name))
    }

    /// The same for the arguments of a test: a file that is missing gives no cases, and an expectation that fails.
    static func known(_ name: String) -> JSON { (try? json(name + ".json")) ?? .null }

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)))
    }
}

extension Fixture {
    static func vault(_ json: JSON) throws -> VaultID { try #require(VaultID(json["vaultID"].hex ?? [])) }

    /// The keys of a file's epochs.
    static func epochKeys(_ json: JSON, active: UInt32) throws -> EpochKeys {
        var keys: [UInt32: SecretBytes] = [:]
        for (epoch, key) in json["epochKeys"].object { keys[try #require(UInt32(epoch))] = try secret(key) }
        return EpochKeys(keys, active: active, vault: try vault(json))
    }

    static func secret(_ json: JSON) throws -> SecretBytes { try SecretBytes(test: try #require(json.hex)) }
}

/// The code of what `body` throws, or "ok".
func code(_ body: () throws -> Void) -> String {
    do { try body() } catch let error as MainKeyError { return error.code } catch { return "\(error)" }
    return "ok"
}

/// Which situation what `body` throws says that one is in; nil for none, and for what is no error of a vault.
func situation(_ body: () throws -> Void) -> MainKeyError.Situation? {
    do { try body() } catch { return (error as? MainKeyError)?.situation }
    return nil
}

extension SecretBytes {
    convenience init(test text: String) throws { try self.init(copying: Array(text.utf8)) }
    convenience init(test bytes: [UInt8]) throws { try self.init(copying: bytes) }

    /// The bytes of a secret that is none.
    var testBytes: [UInt8] { withUnsafeBytes { Array($0) } }
}
