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

    /// - Throws: `MeasurementRefusal` where they could not be opened.
    static func handles() throws(MeasurementRefusal) -> MeasurementHandles { try opened.get() }
}
