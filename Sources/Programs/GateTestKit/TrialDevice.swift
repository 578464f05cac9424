import AppAttest
import AppAttestClient
import AppAttestTestKit
import Crypto
import StrictJSON
import TextForms

/// A device whose attestations a test authority makes: what Apple's service is to an app.
///
/// With a file it lives on between runs; the counter is on the disk before an assertion leaves the device.
package actor TrialDevice: AppAttestService, KeyStorage {
    private struct Key {
        var id: String
        var signing: TestKey
        var signCount: UInt32
        var isAttested: Bool
        var isRegistered: Bool
    }

    private let authority: TestAuthority
    private let appID: AppID
    private let environment: AppAttestEnvironment
    private let path: String?
    private var key: Key?

    package init(
        authority: TestAuthority, appID: AppID, environment: AppAttestEnvironment = .production, path: String? = nil
    ) throws {
        self.authority = authority
        self.appID = appID
        self.environment = environment
        self.path = path
        if let path, let bytes = try? SmallFile.read(path) { key = try Self.key(reading: bytes) }
    }

    // MARK: Apple's part

    package func generateKey() async throws(AppAttestServiceError) -> String {
        let signing = TestKey.makeP256()
        let recipe = AssertionRecipe.keyID(of: signing)
        key = Key(id: recipe, signing: signing, signCount: 0, isAttested: false, isRegistered: false)
        try keep()
        return recipe
    }

    package func attest(_ keyID: String, clientDataHash: [UInt8]) async throws(AppAttestServiceError) -> [UInt8] {
        guard let key, key.id == keyID, !key.isAttested else { throw .invalidKey }
        var recipe = AttestationRecipe(appID: appID, clientDataHash: clientDataHash, at: .now, environment: environment)
        recipe.credentialKey = key.signing
        let attestation: MintedAttestation
        do { attestation = try recipe.mint(by: authority) } catch { throw .failed("\(error)") }
        self.key?.isAttested = true
        try keep()
        return attestation.bytes
    }

    package func assert(_ keyID: String, clientDataHash: [UInt8]) async throws(AppAttestServiceError) -> [UInt8] {
        guard let key, key.id == keyID, key.isAttested, key.signCount < .max else { throw .invalidKey }
        self.key?.signCount += 1
        try keep()
        do {
            return try AssertionRecipe(
                appID: appID, key: key.signing, clientDataHash: clientDataHash, signCount: key.signCount + 1
            ).mint()
        } catch {
            throw .failed("\(error)")
        }
    }

    // MARK: The app's part

    package func load() -> RegisteredKey? { key.map { RegisteredKey(id: $0.id, isRegistered: $0.isRegistered) } }

    package func save(_ registered: RegisteredKey?) {
        guard let registered, registered.id == key?.id else {
            key = nil
            return
        }
        key?.isRegistered = registered.isRegistered
        // A registration that is forgotten is made again.
        try? keep()
    }

    // MARK: The file

    private func keep() throws(AppAttestServiceError) {
        guard let path, let key else { return }
        let json = JSON.object([
            JSON.Member(name: "keyId", value: .string(key.id)),
            JSON.Member(name: "privateKey", value: .string(key.signing.pem)),
            JSON.Member(name: "signCount", value: .integer(key.signCount)),
            JSON.Member(name: "isAttested", value: .bool(key.isAttested)),
            JSON.Member(name: "isRegistered", value: .bool(key.isRegistered)),
        ])
        do {
            try SmallFile.write(json.utf8(pretty: true), to: path, isSecret: true, replaces: true)
        } catch {
            throw .failed("\(error)")
        }
    }

    private static func key(reading bytes: [UInt8]) throws -> Key {
        let json = try JSONReader().read(bytes)
        guard let id = json["keyId"]?.string, let pem = json["privateKey"]?.string,
            let count = json["signCount"]?.integer.flatMap({ UInt32(exactly: $0) }),
            let isAttested = json["isAttested"]?.bool, let isRegistered = json["isRegistered"]?.bool
        else { throw TrialFailure.notADevice }
        return Key(
            id: id, signing: try TestKey(pem: pem), signCount: count, isAttested: isAttested,
            isRegistered: isRegistered)
    }
}

extension AssertionRecipe {
    /// The name of a key, as its device gives it.
    package static func keyID(of key: TestKey) -> String {
        Base64.encode(Array(SHA256.hash(data: key.point)))
    }
}

/// Why a trial did not come to its end.
package enum TrialFailure: Error, Equatable, Sendable {
    case notADevice
    case badAddress(String)
    /// There is no answer at that address.
    case unreachable(String)
    /// The connection ended in the middle of an answer.
    case cutShort
    case notHTTP
    case notWebSocket(String)
    case certificates(String)
}

extension TrialFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notADevice: "The file of the device cannot be read. Remove it, and it will be another device."
        case .badAddress(let text): "\(text) is no address of a gate. Give https://host:port or wss://host:port/path."
        case .unreachable(let reason): "The gate does not answer: \(reason)."
        case .cutShort: "The connection ended in the middle of an answer."
        case .notHTTP: "The answer is not HTTP."
        case .notWebSocket(let reason): "The answer is not that of a WebSocket: \(reason)."
        case .certificates(let reason): "The certificates cannot be used: \(reason)."
        }
    }
}
