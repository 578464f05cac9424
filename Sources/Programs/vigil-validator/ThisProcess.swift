import CLinux
import CodeMeasurement
import Vigil

/// This process, closed to others before it has anything to hide.
enum ThisProcess {
    /// For the app to look at this process, opened while that was possible.
    private static let opened = Result { () throws(MeasurementRefusal) in try MeasurementHandles.ofThisProcess() }

    /// Leaves no core dump and lets nobody look in, for all commands: each may take the key into use.
    static func protect() throws(ConfigurationError) {
        _ = opened
        guard clinux_harden_process() == 0 else {
            throw ConfigurationError("the process cannot be protected from debuggers")
        }
    }

    /// - Throws: `MeasurementRefusal` where they could not be opened.
    static func handles() throws(MeasurementRefusal) -> MeasurementHandles { try opened.get() }
}
