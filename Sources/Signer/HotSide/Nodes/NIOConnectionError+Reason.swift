import BasicFoundation
import NIOCore
import NIOPosix

extension NIOConnectionError {
    /// Why nothing answers there, in the system's words.
    var reason: String {
        guard let failure = connectionErrors.first else { return "the name \(host) is not known" }
        return (failure.error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(failure.error)"
    }
}
