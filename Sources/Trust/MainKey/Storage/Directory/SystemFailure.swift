import Foundation

extension MainKeyError {
    /// A refusal of the system as ``io(path:reason:)``, with what can be done about it.
    ///
    /// - Parameters:
    ///   - what: could not be done, as a sentence without its full stop.
    ///   - code: of the refusal.
    static func system(_ path: String, _ what: String, code: Int32 = errno) -> MainKeyError {
        let remedy: String
        switch code {
        case ENOSPC: remedy = "; free some space and try again"
        case EDQUOT: remedy = "; free some of the quota and try again"
        case EROFS: remedy = "; make it writable (mount -o remount,rw) or use another place"
        case EACCES, EPERM: remedy = "; run as the owner of the file and its folder"
        case EMFILE, ENFILE: remedy = "; close some files or raise the limit (ulimit -n)"
        default: remedy = ""
        }
        return .io(path: path, reason: "\(what): \(String(cString: strerror(code)))\(remedy)")
    }
}

/// Repeats a call that a signal interrupted.
func retrying(_ call: () -> Int) -> Int {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}
