import Foundation
import HardwareKeys
import Logging
import Vigil

/// What app and validator have in common: one signed manifest, and a folder of their app group in which each leaves its
/// public key.
///
/// The folder is what the pins rest on here: the system keeps other apps out of it. Who wants more has both keys
/// pinned by a server that has checked the app's attestation.
struct VigilParts {
    static let appGroup = "group.io.github.casemate.example"

    let role: Role
    let own: ExpectedProgram
    let other: ExpectedProgram
    let key: any SigningKey
    let pins: GroupPins

    enum Missing: Error {
        case appGroup
        case manifest
    }

    init(_ role: Role) throws {
        self.role = role
        guard let group = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: Self.appGroup) else {
            throw Missing.appGroup
        }
        guard let manifest = Bundle.main.url(forResource: "vigil-manifest", withExtension: "json"),
            let release = Bundle.main.url(forResource: "release.pub", withExtension: "pem"),
            let releaseKey = PublicKey(pem: try String(contentsOf: release, encoding: .utf8))
        else { throw Missing.manifest }
        let bytes = Array(try Data(contentsOf: manifest))
        // An extension is two folders below its app: App.app/PlugIns/Validator.appex.
        var root = Bundle.main.bundleURL
        if role == .validator { root = root.deletingLastPathComponent().deletingLastPathComponent() }
        own = try ExpectedProgram(role, manifest: bytes, signedBy: [releaseKey], bundleRoot: root.path)
        let otherRole: Role = role == .app ? .validator : .app
        other = try ExpectedProgram(otherRole, manifest: bytes, signedBy: [releaseKey], bundleRoot: root.path)

        let folder = group.appending(path: role == .app ? "app" : "validator").path
        let store = HardwareSigningKeys(
            in: try StateDirectory(path: folder), hardware: HardwareSigningKeys.standardHardware(tpm: nil),
            policy: KeyPolicy(requireHardware: true), logger: Logger(label: "vigil"))
        let tag = role == .app ? KeyStore.appTag : KeyStore.validatorTag
        do throws(HardwareKeyError) { key = try store.load(tag: tag) } catch {
            guard case .keyNotFound = error else { throw error }
            key = try store.generate(tag: tag)
        }
        pins = GroupPins(folder: group)
        try pins.publish(key, of: role)
    }
}

/// The public keys of both sides, in the folder of the app group. One that is there is never overwritten.
struct GroupPins: PinStore {
    let folder: URL

    private func place(_ role: Role) -> URL { folder.appending(path: role == .app ? "app.key" : "validator.key") }

    func publish(_ key: any SigningKey, of role: Role) throws {
        let file = place(role)
        guard !FileManager.default.fileExists(atPath: file.path) else { return }
        try Data(key.publicKey).write(to: file, options: .atomic)
    }

    func pin(of role: Role) throws(Refusal) -> Pin {
        guard let bytes = try? Data(contentsOf: place(role)) else { return .none }
        guard let key = PublicKey(x963: bytes) else {
            throw Refusal(.internal, "\(place(role).path) is not a key: install the app anew")
        }
        return .active(key, .secureEnclave)
    }

    func pin(_ key: PublicKey, kind: KeyKind, role: Role) throws(Refusal) -> ProvisionStatus {
        guard case .active(let pinned, _) = try pin(of: role), pinned == key else {
            throw Refusal(.publicKeyMismatch, "keys are taken from the app group alone")
        }
        return .alreadyPinned
    }

    func replace(_ old: Bytes32, by key: PublicKey, kind: KeyKind, counter: UInt64, role: Role) throws(Refusal) {
        throw Refusal(.publicKeyMismatch, "keys of this app are not changed")
    }
}
