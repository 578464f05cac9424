import ArgumentParser
import BasicFoundation
import Console
import Dispatch
import Gate
import GateTestKit

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the gate.",
        discussion: """
            Prints one line when it listens; the log goes to standard error. SIGTERM and SIGINT drain it: it says that \
            it is not ready, waits SHUTDOWN_GRACE_MS, closes every connection with DRAIN_CLOSE_CODE and ends, within \
            SHUTDOWN_DEADLINE_MS. SIGHUP reads the settings and the certificate anew; connections live on.
            """)

    @OptionGroup var settings: SettingOptions
    @OptionGroup var output: OutputOptions

    @Flag(name: .long, help: "Set a JSON file of keys aside that cannot be read, and begin with none.")
    var recover = false

    func run() async throws {
        // Before anything listens: a signal that comes early drains too.
        let signals = SignalStream([SIGTERM, SIGINT, SIGHUP])
        let configuration = try settings.configuration()
        let log = EventLog(for: configuration) { line in StandardError.write(line + "\n") }
        let stores = try await open(configuration, log)
        var parts = GateServer.Parts(keys: stores.keys, nonces: stores.nonces, events: log)
        parts.version = GateProgram.configuration.version
        let server = try GateServer(configuration, parts: parts)
        announce(try await server.start(), configuration)
        let watch = Task {
            for await signal in signals.received {
                guard signal == SIGHUP else { return await server.drain() }
                await reload(server, log)
            }
        }
        await server.stopped()
        watch.cancel()
    }

    private func open(_ configuration: GateConfiguration, _ log: EventLog) async throws -> Stores {
        do {
            let stores = try await Stores.open(for: configuration, recovers: recover)
            if let opening = stores.opening, opening.skipped > 0 || opening.setAside != nil {
                let aside = opening.setAside.map { "; the unreadable file is \($0)" } ?? ""
                log.record(
                    GateEvent(.configurationWarning, .warning, detail: "\(opening.skipped) entries are no keys\(aside)")
                )
            }
            return stores
        } catch {
            // A file that cannot be used is a setting to be changed; a database may come back.
            guard case .json = configuration.stores.keys else { throw error }
            switch error {
            case .unavailable(let reason), .refused(let reason): throw Failure.setting(.attestedKeysPath, "\(reason).")
            default: throw error
            }
        }
    }

    private func announce(_ places: GateServer.Places, _ configuration: GateConfiguration) {
        let listener = configuration.listener
        let host = listener.host.contains(":") ? "[\(listener.host)]" : listener.host
        let address = "\(listener.tls == nil ? "ws" : "wss")://\(host):\(places.port)"
        let admin = places.adminPort.map { "; for operators: http://127.0.0.1:\($0)" } ?? ""
        let line =
            output.json
            ? #"{"address":"\#(address)","port":\#(places.port),"adminPort":\#(places.adminPort.map(String.init) ?? "null")}"#
            : "gate listens at \(address)\(admin)"
        Descriptor.write(Array((line + "\n").utf8), to: STDOUT_FILENO)
    }

    private func reload(_ server: GateServer, _ log: EventLog) async {
        do {
            for name in await server.reload(try settings.readConfiguration()) {
                log.record(
                    GateEvent(.configurationWarning, .warning, detail: "\(name) has changed and waits for a restart"))
            }
        } catch {
            log.record(GateEvent(.reloadFailed, .error, detail: "\(error)"))
        }
    }
}

/// Signals, in the order in which they come.
private final class SignalStream {
    let received: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    init(_ numbers: [Int32]) {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        received = stream
        let queue = DispatchQueue(label: "signals")
        sources = numbers.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { continuation.yield(number) }
            source.activate()
            return source
        }
    }
}
