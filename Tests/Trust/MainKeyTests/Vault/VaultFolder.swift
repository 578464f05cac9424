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
    func make(_ change: (inout VaultOptions) -> Void = { _ in }) throws -> (MainKeyVault, RecoveryCode) {
        var options = Self.options
        change(&options)
        let code = try RecoveryCode.generate()
        return (try Unwatched.create(at: path, [.pin(Self.pin()), .recovery(code)], options), code)
    }

    func open() throws -> MainKeyVault { try Unwatched.open(at: path) }

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

/// Vaults that are not watched: what a test changes on the disk is seen when the vault is used, and not before.
enum Unwatched {
    static func create(
        at path: String, _ protections: [Protection], _ options: VaultOptions = VaultOptions(),
        _ opening: OpenOptions = OpenOptions()
    ) throws(MainKeyError) -> MainKeyVault {
        try MainKeyVault.create(at: path, protections, options, opening: opening.unwatched)
    }

    static func open(at path: String, _ options: OpenOptions = OpenOptions()) throws(MainKeyError) -> MainKeyVault {
        try MainKeyVault.open(at: path, options.unwatched)
    }

    static func look(at path: String, _ options: OpenOptions = OpenOptions()) throws(MainKeyError) -> MainKeyVault {
        try MainKeyVault.look(at: path, options.unwatched)
    }
}

extension OpenOptions {
    var unwatched: OpenOptions {
        var options = self
        options.watching = .none
        return options
    }
}

extension MainKeyVault {
    func seal(_ text: String) throws -> [UInt8] { try withUnlocked { try $0.seal(text, .app("test")) } }

    func open(_ sealed: [UInt8]) throws -> String { try withUnlocked { try $0.open(sealed, .app("test")) } }
}
