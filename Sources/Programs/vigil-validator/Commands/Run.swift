import ArgumentParser
import BasicFoundation
import CodeMeasurement
import Console
import Dispatch
import HardwareKeys
import SecretMemory
import Vigil
import VigilValidator

struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Answers whoever connects, until it is ended.",
        discussion: """
            Prints one line of JSON for each verdict on standard error. It refuses to start where its own files are \
            not those of the manifest. Under systemd it takes the socket that it is handed (LISTEN_FDS).
            """)

    @OptionGroup var installation: InstallationOptions

    func run() throws {
        let installation = try installation.load()
        let running = try installation.validator()
        try running.checkFiles()
        ThisProcess.allowDescriptors()
        let listener = try Self.listener(installation.configuration.socketPath)
        Self.endOnSignals(listener, running.engine)
        ProgramLine.note("answers at \(installation.configuration.socketPath)", by: "vigil-validator")
        try running.engine.run(listener)
    }

    /// The socket of the manager of services, or an own one.
    private static func listener(_ path: String) throws -> UnixListener {
        let environment = ProcessInfo.processInfo.environment
        if environment["LISTEN_PID"] == "\(getpid())", environment["LISTEN_FDS"] == "1" {
            return try UnixListener(inherited: 3, path: path)
        }
        return try UnixListener(at: path)
    }

    private static func endOnSignals(_ listener: UnixListener, _ engine: VigilValidatorEngine) {
        for number in [SIGTERM, SIGINT] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                listener.close()
                engine.stop()
            }
            source.activate()
            // As long as the process.
            _ = Unmanaged.passRetained(source as AnyObject)
        }
    }
}
