import Foundation
import MainKey
import Navigator
import NetworkDetector
import SecretMemory
import Signer
import Synchronization
import TestSupport
import Testing

@testable import SignerCore

/// A vault in a folder of its own, with a network that says what the test says; gone with the last reference.
final class TestFolder {
    static let pin = "Zeder-4481"
    /// The least that a vault is made with.
    static let cost = Argon2Cost(passes: 2, memoryKiB: 19_456)
    /// 2025-11-21 00:00:00.5 UTC.
    static let time = Date(timeIntervalSince1970: 1_763_683_200.5)

    private let place: TemporaryFolder
    let network = FakeNetwork()
    var vigil: (any VerdictSource)?
    var folder: URL { place.url.appending(path: "vault") }
    private let sessionKeys = MemoryItems()

    /// - Parameter isSetUp: whether there is a vault at once.
    init(isSetUp: Bool = true, allowing: NetworkAllowance = .strict, _ more: [Protection] = []) throws {
        place = try TemporaryFolder()
        guard isSetUp else { return }
        try Self.make(folder, allowing: allowing, more)
    }

    static func make(
        _ folder: URL, allowing: NetworkAllowance = .strict, _ more: [Protection] = [], hasMetadata: Bool = false
    ) throws {
        var options = VaultOptions()
        options.cost = cost
        options.allowsNoRecovery = true
        try Vault.create(
            in: folder, protections: [.pin(KnownShares.secret(pin))] + more, options: options,
            bundle: TestCore.bundle(hasMetadata: hasMetadata), network: allowing, now: { time })
    }

    /// A vault that opens by itself.
    static func makeOpen(_ folder: URL) throws {
        var options = VaultOptions()
        options.cost = cost
        options.allowsNoRecovery = true
        try Vault.create(
            in: folder, protections: [.none], options: options, bundle: TestCore.bundle(hasMetadata: false),
            now: { time })
    }

    static func settings(sessionKeys: any KeyItemStore = MemoryItems()) throws -> FolderHost.Settings {
        var opening = OpenOptions()
        opening.sessionKeys = sessionKeys
        var settings = FolderHost.Settings(opening: opening, bundle: try TestCore.bundle(hasMetadata: false))
        settings.cost = cost
        settings.now = { time }
        settings.machineCheck = { [] }
        return settings
    }

    /// A program of its own over the vault.
    func core(_ change: (inout FolderHost.Settings) -> Void = { _ in }) throws -> LivingCore {
        var settings = try Self.settings(sessionKeys: sessionKeys)
        settings.vigil = vigil
        change(&settings)
        return LivingCore(FolderHost(folder, settings, lookout: NetworkLookout(.success(network))))
    }

    /// What another program opens.
    func vault(_ access: Vault.Access = .write) throws -> Vault {
        let pin = try KnownShares.secret(Self.pin)
        var opening = OpenOptions()
        opening.sessionKeys = sessionKeys
        return try Vault.open(
            folder, for: access, unlocking: Unlocking(opening, cost: Self.cost, vigil: vigil) { _ in .pin(pin) },
            now: { Self.time })
    }
}

/// A core over a folder, as a test drives it.
struct LivingCore {
    let host: FolderHost
    let core: Core

    init(_ host: FolderHost) {
        self.host = host
        core = Core(host: host)
    }

    /// Does an action, and checks that nothing is wrong behind it.
    @discardableResult
    func act(
        _ action: UserAction, _ data: String = "", secret: String? = nil, credential: String? = nil,
        at: SourceLocation = #_sourceLocation
    ) throws -> ActionResult {
        let result = try core.action(
            action, data: data, secret: secret.map { try KnownShares.secret($0) },
            credential: credential.map { try KnownShares.secret($0) })
        #expect(try core.breaches() == [], "\(action.rawValue)", sourceLocation: at)
        return result
    }

    /// Up to the seeds.
    @discardableResult
    func unlock() throws -> ActionResult {
        try act(.start)
        return try act(.goForward, secret: TestFolder.pin)
    }

    /// With the development phrase as the seed `Alice`, up to its keys.
    @discardableResult
    func recoverAlice() throws -> ActionResult {
        try unlock()
        try act(.recoverSeed)
        try act(.goForward, "Alice")
        return try act(.goForward, "false", secret: TestCore.phrase)
    }

    /// Up to the keys of Alice in Westend.
    func westend() throws -> KeysData {
        try recoverAlice()
        try act(.networkSelector)
        guard case .keys(let data) = try act(.changeNetwork, TestCore.westend).screen else {
            throw CoreError.notPending
        }
        return data
    }
}

/// A network that is up when a test says so.
final class FakeNetwork: NetworkWatch {
    private struct State {
        var isUp = false
        var hasRadio = false
        /// What was reported last: as the kernel's watch, it tells only what changed.
        var told: NetworkReport?
        var reports: [NetworkReport] = []
    }

    private let state = Mutex(State())
    let descriptor: CInt = -1

    /// Tells another program that begins to watch what there is.
    func beginAnew() { state.withLock { $0.told = nil } }

    func set(isUp: Bool) { state.withLock { $0.isUp = isUp } }
    func set(hasRadio: Bool) { state.withLock { $0.hasRadio = hasRadio } }

    func look() {
        state.withLock { state in
            let report = NetworkReport(
                findings: [
                    .interfaces: state.isUp ? .up(["eth0"]) : .quiet, .routes: .quiet,
                    .radios: state.hasRadio ? .up(["phy0"]) : .quiet,
                ], isIsolated: nil)
            guard state.told != report else { return }
            state.told = report
            state.reports.append(report)
        }
    }

    func nextReport() -> NetworkReport? {
        state.withLock { $0.reports.isEmpty ? nil : $0.reports.removeFirst() }
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
