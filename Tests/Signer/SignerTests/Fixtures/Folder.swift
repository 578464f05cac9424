import Foundation
import SecretMemory
import Substrate

@testable import Signer

/// A folder of one test, removed with it.
final class Folder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "signer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }
}

/// A vault that opens quickly, at a fixed time.
enum QuickVault {
    static let time = Date(timeIntervalSince1970: 1_763_683_200)
    static let cost = PasswordHashCost(passes: 1, memory: 8 << 10)

    static func credential() throws -> SecretBytes {
        var bytes = Array("1234".utf8)
        return try SecretBytes(movingFrom: &bytes)
    }

    /// Makes a vault without networks.
    static func create(in folder: URL) throws {
        try Vault.create(
            in: folder, credential: try credential(), bundle: NetworkBundle(networks: [], generalVerifier: .none),
            cost: cost, now: { time })
    }

    static func open(_ folder: URL, for access: Vault.Access = .write) throws -> Vault {
        try Vault.open(folder, for: access, cost: cost, now: { time })
    }
}
