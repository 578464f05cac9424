import BasicFoundation
import Files
import SecretMemory

/// Secrets that systemd hands to a service, as files in `$CREDENTIALS_DIRECTORY`: read, never written.
///
///     LoadCredentialEncrypted=vault-key
///
/// Source: `mainkey` section 19; systemd.exec(5), "Credentials".
public struct SystemdCredential: KeyItemStore {
    /// The most bytes of a credential, which is systemd's own limit.
    package static let mostBytes = 1 << 20

    /// systemd gives a service's user access by an access control list, which shows in the bits of the group.
    private static var rules: FileRules {
        FileRules(type: .regular, owners: [.root, .effective], forbidden: .otherReadWriteExecute)
    }

    private let directory: String?

    /// - Parameter environment: of the service.
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        directory = environment["CREDENTIALS_DIRECTORY"]
    }

    /// The credential of this name; nil if the service has none.
    public func read(_ label: String) throws(MainKeyError) -> SecretBytes? {
        let path = try folder() + "/" + Self.checked(label)
        let file: OpenFile
        do throws(FileError) { file = try OpenFile(FilePath(path), rules: Self.rules) } catch {
            switch error.reason {
            case .system(.noSuchFileOrDirectory): return nil
            case .folder, .notRegular, .foreignOwner, .openToOthers:
                throw MainKeyError.io(
                    path: path,
                    reason: "it is no credential of systemd: it belongs to another user, or all may read it")
            default: throw MainKeyError(error)
            }
        }
        return try PrivateDirectory.secretContent(of: file, limit: Self.mostBytes)
    }

    package func write(_ label: String, _ value: SecretBytes, access: Accessibility) throws(MainKeyError) {
        throw Self.readOnly
    }

    package func delete(_ label: String) throws(MainKeyError) { throw Self.readOnly }

    package func labels() throws(MainKeyError) -> [String] {
        let folder = try folder()
        do { return try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } catch {
            throw .io(path: folder, reason: "the credentials cannot be listed")
        }
    }

    private func folder() throws(MainKeyError) -> String {
        guard let directory, directory.hasPrefix("/") else {
            throw .configError(
                reason: "systemd gave this process no credentials; set LoadCredentialEncrypted= in its unit")
        }
        return directory
    }

    private static func checked(_ label: String) throws(MainKeyError) -> String {
        guard !label.isEmpty, label != ".", label != "..", !label.utf8.contains(0),
            !label.utf8.contains(UInt8(ascii: "/"))
        else { throw .configError(reason: "the name of a credential is one name of a file") }
        return label
    }

    private static let readOnly = MainKeyError.configError(
        reason: "systemd's credentials are read only; use systemd-creds to make one")
}
