import ArgumentParser
import BasicFoundation
import Console
import Dispatch
import HardwareKeys
import SecretMemory
import Threads
import Vigil
import VigilValidator

struct Provision: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provision",
        abstract: "Lets one program be pinned, for a while.",
        discussion: """
            Opens the window, waits until a program has been pinned or the time is over, and closes it; so does \
            Ctrl-C. A validator that runs is used; without one, this command answers itself meanwhile.

            The token is 32 random bytes that the installer hands to both sides, so that nobody else is pinned in \
            between: head -c 32 /dev/urandom > token.
            """)

    @OptionGroup var installation: InstallationOptions
    @Option(name: .long, help: "How long the window is open, in seconds (1 to 3600).")
    var window: Int?
    @Option(name: .long, help: "The installer's token, 32 bytes, readable by you alone.")
    var tokenFile: String?

    func validate() throws {
        if let window, !(1...3600).contains(window) {
            throw ValidationError("--window takes 1 to 3600 seconds, not \(window).")
        }
    }

    func run() throws {
        let installation = try installation.load()
        let configuration = installation.configuration
        let running = try installation.validator()
        if let key = try running.store.appPublicKey() {
            throw Failure(
                .checkFailed,
                "The key \(key.id) is pinned. Unpin it first if it is lost: vigil-validator unpin --key-id \(key.id)")
        }
        let token = try tokenFile.map { path throws in
            try TrustedFile.readSecret(FileManager.default.absolutePath(path), limit: ProvisioningToken.count)
        }
        if let token, token.count != ProvisioningToken.count {
            throw Failure(.usage, "The token has \(token.count) bytes, and \(ProvisioningToken.count) are needed.")
        }
        let time = window.map { Duration.seconds($0) } ?? configuration.provisioning.window
        let stored = StoredWindow(installation.directory)
        Self.closeOnSignals(stored)
        try stored.open(for: time, token: token)
        let key: PublicKey?
        do {
            key = try Self.wait(for: running, window: stored, atMost: time)
        } catch {
            try stored.remove()
            throw error
        }
        guard let key else {
            try stored.remove()
            throw Failure(.checkFailed, "Nobody was pinned in time. What was refused stands in the validator's log.")
        }
        // The token stays to the window's end, for a program that has not heard the answer.
        print("Pinned \(key.id).")
    }

    /// - Returns: the program's key; nil where none was pinned in time.
    private static func wait(
        for running: InstalledValidator, window: StoredWindow, atMost time: Duration
    ) throws -> PublicKey? {
        StandardError.write("The window is open; start the program now.\n")
        let listener = try listenerIfNobodyAnswers(running, running.installation.configuration.socketPath)
        // The key is stored before the program hears of it.
        defer {
            listener?.close()
            running.engine.finish(within: .seconds(2))
        }
        var progress = ProgressLine(label: "waiting for the program, second", of: Int(time.components.seconds))
        defer { progress.end() }
        while let left = window.timeLeft {
            if let key = try running.store.appPublicKey() { return key }
            progress.show(Int(time.components.seconds - left.components.seconds))
            SystemThread.sleep(for: .milliseconds(200))
        }
        return try running.store.appPublicKey()
    }

    /// Closes the window when this command is ended by a signal: no program is pinned after that.
    private static func closeOnSignals(_ window: StoredWindow) {
        for number in [SIGTERM, SIGINT, SIGHUP] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                do { try window.remove() } catch {
                    ProgramLine.note("the window stays open: \(error)", by: "vigil-validator")
                }
                Self.exit(withError: ExitCode(Failure.Code.checkFailed.rawValue))
            }
            source.activate()
            // As long as the process.
            _ = Unmanaged.passRetained(source as AnyObject)
        }
    }

    /// Answers itself where no validator runs.
    private static func listenerIfNobodyAnswers(_ running: InstalledValidator, _ path: String) throws -> UnixListener? {
        if (try? UnixSocketChannel.connect(to: path, until: SuspendingClock().now.advanced(by: .seconds(1)))) != nil {
            return nil
        }
        try running.checkFiles()
        ThisProcess.allowDescriptors()
        let listener = try UnixListener(at: path)
        guard SystemThread.tryStart({ try? running.engine.run(listener) }) else {
            throw Failure(.inputOutput, "No thread can be made. End what takes them, or raise their limit (ulimit -u).")
        }
        return listener
    }
}
