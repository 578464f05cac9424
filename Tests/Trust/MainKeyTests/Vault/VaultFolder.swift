import Foundation
import SecretMemory

@testable import MainKey

/// A vault in a folder of its own, gone with the test.
final class VaultFolder {
    static let pin = "805-Linden"
    static let otherPIN = "Ahorn 17 b"
    /// The least that is written, so that tests stay short.
    static let cost = Argon2Cost(passes: 2, memoryKiB: 19456)

    let url: URL
    var path: String { url.appending(path: "vault").path }

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "mainkey-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    static var options: VaultOptions {
        var options = VaultOptions()
        options.cost = cost
        return options
    }

    static func pin(_ text: String = pin) throws -> SecretBytes { try SecretBytes(test: text) }

    /// A vault with a PIN and a recovery code.
    func make(_ change: (inout VaultOptions) -> Void = { _ in }) throws -> (VaultEngine, RecoveryCode) {
        var options = Self.options
        change(&options)
        let code = try RecoveryCode.generate()
        return (try VaultEngine.create(at: path, [.pin(Self.pin()), .recovery(code)], options), code)
    }

    func open() throws -> VaultEngine { try VaultEngine.open(at: path) }

    /// Every file of the vault with its bytes.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in FileManager.default.subpaths(atPath: path) ?? [] {
            files[name] = try? Data(contentsOf: URL(filePath: path).appending(path: name))
        }
        return files
    }

    /// Puts the vault's files back as they were.
    func restore(_ files: [String: Data]) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            try FileManager.default.removeItem(atPath: path + "/" + name)
        }
        for (name, bytes) in files {
            let url = URL(filePath: path).appending(path: name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try bytes.write(to: url)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        }
    }
}

extension VaultEngine {
    func seal(_ text: String) throws -> [UInt8] { try withUnlocked { try $0.seal(text, .app("test")) } }

    func open(_ sealed: [UInt8]) throws -> String { try withUnlocked { try $0.open(sealed, .app("test")) } }
}
