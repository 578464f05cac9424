import BasicFoundation
import Files

extension MainKeyError {
    /// What the disk refused, as ``io(path:reason:)`` or ``limitExceeded(reason:)``, with what can be done about it.
    init(_ error: FileError) {
        let path = error.path.string
        switch error.reason {
        case .system(let code): self = .system(path, failure: error.action.failure, code: code.rawValue)
        case .tooLarge(let limit): self = .limitExceeded(reason: "\(path) has more than \(limit) bytes")
        case .symbolicLink: self = .io(path: path, reason: "it is a symbolic link; put the file itself there")
        case .folder: self = .io(path: path, reason: "it is a folder; a file is needed")
        case .notRegular, .device: self = .io(path: path, reason: "it is no ordinary file; move it away")
        case .foreignOwner(let owner, _):
            self = .io(
                path: path, reason: "it belongs to user \(owner.rawValue), not to \(geteuid()); run as its owner")
        case .openToOthers(let permissions, _):
            self = .io(
                path: path,
                reason: "other users may use it (mode \(permissions.octal)); run: chmod 600 '\(path)'")
        case .severalNames(let count):
            self = .io(path: path, reason: "it has \(count) names (hard links); copy it and replace it by the copy")
        case .shortened: self = .io(path: path, reason: "it became shorter while it was read; try again")
        case .noFolder, .noWriter, .badName: self = .io(path: path, reason: "\(error.reason)")
        }
    }

    /// Why a folder that has to be private is refused.
    init(ofFolder error: FileError) {
        let path = error.path.string
        switch error.reason {
        case .noFolder:
            self = .configError(reason: "\(path) is a symbolic link or no folder; name the folder itself")
        case .foreignOwner(let owner, _):
            self = .configError(
                reason:
                    "\(path) belongs to user \(owner.rawValue), not to \(geteuid()); run as its owner, or choose another"
            )
        case .openToOthers(let permissions, _):
            self = .configError(
                reason: "other users may enter \(path) (mode \(permissions.octal)); run: chmod 700 '\(path)'")
        default: self.init(error)
        }
    }

    /// A refusal of the system as ``io(path:reason:)``, with what can be done about it.
    ///
    /// - Parameters:
    ///   - failure: what could not be done, as a sentence without its full stop.
    ///   - code: of the refusal.
    static func system(_ path: String, failure: String, code: Int32 = errno) -> MainKeyError {
        let remedy: String
        switch code {
        case ENOSPC: remedy = "; free some space and try again"
        case EDQUOT: remedy = "; free some of the quota and try again"
        case EROFS: remedy = "; make it writable (mount -o remount,rw) or use another place"
        case EACCES, EPERM: remedy = "; run as the owner of the file and its folder"
        case EMFILE, ENFILE: remedy = "; close some files or raise the limit (ulimit -n)"
        default: remedy = ""
        }
        return .io(path: path, reason: "\(failure): \(String(cString: strerror(code)))\(remedy)")
    }
}

extension FileError.Action {
    fileprivate var failure: String { "it cannot be \(self)" }
}

extension FilePermissions {
    fileprivate var octal: String { String(rawValue, radix: 8) }
}

extension FileRules {
    /// A file of this user alone, however many names it has.
    static var ownFile: FileRules { FileRules(type: .regular, owners: [.effective], forbidden: .ofOthers) }
}

/// Runs what the disk does, with its failure as one of this room's.
func onDisk<R>(_ work: @autoclosure () throws(FileError) -> R) throws(MainKeyError) -> R {
    do throws(FileError) { return try work() } catch { throw MainKeyError(error) }
}
