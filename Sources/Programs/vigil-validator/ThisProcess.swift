import BasicFoundation
import CLinux
import CodeMeasurement
import Files
import Vigil

/// This process, closed to others before it has anything to hide.
enum ThisProcess {
    /// Handles by which the app looks at this process, opened while that was possible.
    private static let opened = Result { () throws(MeasurementRefusal) in try MeasurementHandles.ofThisProcess() }

    /// Leaves no core dump, lets no process look in and gives up every right but the one to look at others, for all
    /// commands: each may take the key into use.
    static func protect() throws(ConfigurationError) {
        _ = opened
        guard clinux_harden_process() == 0 else {
            throw ConfigurationError("the process cannot be protected from debuggers")
        }
        do { try LookingRight.keepAlone() } catch {
            throw ConfigurationError("the rights of this process cannot be given up: \(error)")
        }
    }

    /// Descriptors that all connections can need at once, each with what its app sent and what is looked at.
    private static let descriptors: rlim_t = 8_192

    /// Lets this process have as many descriptors as connections may need, or as many as it is allowed. The usual limit
    /// of 1,024 is for programs that wait by select(2).
    static func allowDescriptors() {
        var limit = rlimit()
        #if canImport(Glibc)
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let kind = RLIMIT_NOFILE
        #endif
        guard getrlimit(kind, &limit) == 0, limit.rlim_cur < descriptors else { return }
        limit.rlim_cur = min(descriptors, limit.rlim_max)
        // Where that fails, fewer connections are let in.
        _ = setrlimit(kind, &limit)
    }

    /// - Throws: `MeasurementRefusal` where they could not be opened.
    static func handles() throws(MeasurementRefusal) -> MeasurementHandles { try opened.get() }
}
