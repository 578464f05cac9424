import Foundation
import MainKey
import SecretMemory
import Substrate
import Synchronization
import TestSupport
import TextForms

@testable import Signer

/// A vault in a folder of its own, gone with the test.
final class TestVault {
    static let phrase = "bottom drive obey lake curtain smoke basket hold race lonely fit walk"
    /// The least that a vault is made with.
    static let cost = Argon2Cost(passes: 2, memoryKiB: 19_456)
    /// 2025-11-21 00:00:00.5 UTC.
    static let time = Date(timeIntervalSince1970: 1_763_683_200.5)

    let folder: URL
    let pin: SecretBytes
    let person: Typist
    /// Goes with the last vault that was opened in it: one whose folder is gone locks.
    private let place: Folder
    /// In the place of the kernel's keyring, which a container may not have.
    let sessionKeys = MemoryItems()

    /// - Parameters:
    ///   - bundle: the networks of the vault; nil takes those of the release.
    ///   - protections: what opens the vault beside the PIN.
    ///   - hasPIN: whether the person types a PIN for it. Else its key lies beside it and nobody is asked, which
    ///     saves two computations of Argon2id in a test that is not about the key.
    init(
        _ bundle: NetworkBundle? = nil, _ protections: [Protection] = [], hasPIN: Bool = false,
        autolock: AutolockTimeout = .minutes(5)
    ) throws {
        place = try Folder()
        folder = place.url.appending(path: "vault")
        pin = try Self.secret("passphrase")
        person = Typist(pin)
        var options = VaultOptions()
        options.cost = Self.cost
        options.autolock = autolock
        try Vault.create(
            in: folder, protections: [hasPIN ? .pin(pin) : .none] + protections, options: options,
            bundle: bundle ?? .shipped(),
            now: { Self.time })
    }

    /// What the person types, each time it is asked for.
    var unlocking: Unlocking { unlocking(with: nil) }

    func unlocking(with validator: (any VerdictSource)?) -> Unlocking {
        var options = OpenOptions()
        options.sessionKeys = sessionKeys
        return Unlocking(options, cost: Self.cost, vigil: validator) { [person, place] in
            _ = place
            return try person.type($0)
        }
    }

    func open(_ access: Vault.Access = .write) throws -> Vault {
        try Vault.open(folder, for: access, unlocking: unlocking, now: { Self.time })
    }

    /// With the development phrase under the name `demo`.
    func withSeed() throws -> Vault {
        let vault = try open()
        try vault.recoverSeed(named: "demo", phrase: Self.secret(Self.phrase))
        return vault
    }

    /// Unlocks for this login, and forgets what was asked for it.
    func beginSession(withSeed: Bool = false, minutes: Int? = nil) throws {
        if withSeed { _ = try self.withSeed() }
        try VaultKey(of: folder, unlocking).beginSession(minutes: minutes)
        person.reasons = []
    }

    /// What a person does after reading a payload.
    func sign(
        _ payload: [UInt8], in vault: Vault, passwords: [MultiSigner: SecretBytes] = [:], confirmations: [String] = []
    ) throws -> SignedAnswer {
        var proposal = try vault.propose(payload)
        return try vault.sign(&proposal, passwords: passwords, confirmations: confirmations, comment: "")
    }

    static func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }

    /// Every file of the vault with its bytes, by its path in the folder.
    func files() throws -> [String: Data] { try Self.files(in: folder) }

    static func files(in folder: URL) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let file = folder.appending(path: name)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            files[name] = try Data(contentsOf: file)
        }
        return files
    }

    /// A transfer on Westend 9122 by the demo seed's //westend, as a wallet sends it.
    static func transfer(specVersion: UInt32 = 9122, author: String? = nil) throws -> [UInt8] {
        let me = author ?? "3efeca331d646d8a2986374bb3bb8d6e9e3cfcdd7c45c2b69104fab5d61d3f34"
        let genesis = "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"
        let bob = "8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48"
        let version = (0..<4).map { UInt8(truncatingIfNeeded: specVersion >> (8 * $0)) }
        let hex =
            "530102\(me)a4040300\(bob)0700e8764817b501b800\(Hex.encode(version))07000000\(genesis)"
            + String(repeating: "53", count: 32) + genesis
        return Hex.decode(hex) ?? []
    }
}

extension Vault {
    /// A digest of everything that is stored, beside what waits for a decision.
    func state() throws -> [UInt8] { try database.read { try StateDigest.state($0) } }

    /// What waits for a decision.
    func pendingPayload() throws -> [UInt8]? { try database.read { try $0.pendingItem()?.payload } }
}

/// A person who types what the test says, and remembers what for.
final class Typist: Sendable {
    private struct State {
        var typed: TypedCredential
        var reasons: [CredentialRequest.Reason] = []
    }

    private let state: Mutex<State>

    init(_ pin: SecretBytes) {
        state = Mutex(State(typed: .pin(pin)))
    }

    var pin: SecretBytes? {
        get { if case .pin(let pin) = state.withLock({ $0.typed }) { pin } else { nil } }
        set { if let newValue { state.withLock { $0.typed = .pin(newValue) } } }
    }

    func takeOut(_ code: SecretBytes) { state.withLock { $0.typed = .recoveryCode(code) } }

    var reasons: [CredentialRequest.Reason] {
        get { state.withLock { $0.reasons } }
        set { state.withLock { $0.reasons = newValue } }
    }

    func type(_ request: CredentialRequest) throws -> TypedCredential {
        state.withLock { state in
            state.reasons.append(request.reason)
            return state.typed
        }
    }
}

/// Key items in memory.
final class MemoryItems: KeyItemStore {
    private let items = Mutex<[String: SecretBytes]>([:])

    func read(_ label: String) -> SecretBytes? { items.withLock { $0[label] } }
    func write(_ label: String, _ value: SecretBytes, access: Accessibility) { items.withLock { $0[label] = value } }
    func delete(_ label: String) { _ = items.withLock { $0.removeValue(forKey: label) } }
    func labels() -> [String] { items.withLock { $0.keys.sorted() } }
}
