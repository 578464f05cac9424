import ArgumentParser
import BasicFoundation
import Console
import InstalledSigner
import Navigator
import NetworkDetector
import SecretMemory
import Signer
import SignerCore

/// A core that does what lines say, one after the other, and shows the page behind each.
struct ActSession {
    /// The vault, whose program has to tell it some things.
    enum Place {
        case memory(MemoryHost)
        case folder(FolderHost, credentials: Credentials)
    }

    /// Where what opens the vault is taken from.
    struct Credentials {
        /// The next line of a descriptor, or what a person types; the text says what for.
        var read: (_ prompt: String) throws -> SecretBytes
    }

    private let place: Place
    private let core: Core
    private let events: ActEvents
    private let surroundings: HostEvents
    private let output: CoreCommand.Lines
    private let secretOutput: OutputDescriptor?
    private var page = 0

    static let secretOutputOption = "--reveal-fd"

    init(_ place: Place, output: CoreCommand.Lines, secretOutput: OutputDescriptor?) {
        self.place = place
        self.output = output
        self.secretOutput = secretOutput
        let events = ActEvents()
        self.events = events
        surroundings = HostEvents { events.add(.host($0)) }
        switch place {
        case .memory(let host): core = Core(host: host)
        case .folder(let host, _): core = Core(host: host)
        }
    }

    /// Runs until nothing more comes, or a signal ends it.
    ///
    /// - Throws: where standard output or a descriptor cannot be used; everything that was held is let go of on each
    ///   way out.
    mutating func run() throws {
        defer { core.close() }
        if case .folder(let host, _) = place {
            // What is up now is no change.
            _ = host.detector()
            if let descriptor = host.networkDescriptor { surroundings.watchNetwork(descriptor) }
            surroundings.watchLocks()
        }
        let signals = surroundings.takeSignals()
        defer { withExtendedLifetime(signals) {} }
        events.readLines()
        while true {
            let event = wait()
            defer { events.isDone(event) }
            switch event {
            case .line(let text, let number): try take(text, number: number)
            case .tooLong(let number): try refuse(.tooLong(limit: ActEvents.limit), line: number)
            case .end: return
            case .unreadable(let error): throw error
            case .host(.network):
                defer { surroundings.isNetworkSeen() }
                try tell(.network)
            case .host(.locked): try tell(.locked)
            case .host(.signal(let number)):
                core.close()
                HostEvents.die(of: number)
            }
        }
    }

    /// Waits, which counts for autolock.
    private func wait() -> ActEvents.Event {
        switch place {
        case .memory: events.next()
        case .folder(let host, _): host.whileWaiting(until: \.isByPerson) { events.next() }
        }
    }

    // MARK: Lines

    private mutating func take(_ text: [UInt8], number: Int) throws {
        do {
            try show(try act(text))
        } catch let refusal as Refused {
            try refuse(refusal.reason, line: number)
            // What drives a vault in memory is a list of steps: behind a wrong one the others mean nothing.
            if case .memory = place, refusal.reason.isNoAction { throw ExitCode.failure }
        }
    }

    private struct Refused: Error {
        var reason: ActRefusal.Reason
    }

    private func refuse(_ reason: ActRefusal.Reason, line: Int) throws {
        try output.print(ActRefusal(reason, line: line, page: page))
    }

    private func act(_ text: [UInt8]) throws -> ActionResult {
        let line: ActLine
        do { line = try JSONDecoder().decode(ActLine.self, from: Data(text)) } catch is ActLine.UnknownMember {
            throw Refused(reason: .unknownMember)
        } catch { throw Refused(reason: .noAction) }
        guard let action = UserAction(rawValue: line.action) else { throw Refused(reason: .noAction) }
        guard line.page ?? page == page else { throw Refused(reason: .otherPage) }
        let position: Position
        do throws(CoreError) { position = try core.position() } catch { throw Refused(reason: .core(error)) }
        try prepare(line, action, at: position)
        let secret = try secret(of: line, action, at: position)
        do throws(CoreError) {
            return try core.action(action, data: line.data ?? "", secret: secret)
        } catch {
            throw Refused(reason: .core(error))
        }
    }

    private func prepare(_ line: ActLine, _ action: UserAction, at position: Position) throws {
        switch place {
        case .memory(let host):
            guard let name = line.detector else { break }
            guard let detector = NetworkDetector.State(rawValue: name) else {
                throw Refused(reason: .unknownDetector)
            }
            host.setDetector(detector)
        case .folder:
            guard line.detector == nil else { throw Refused(reason: .noDetector) }
            guard line.secret == nil, !AskedSecret.isIn(line.data ?? "", of: action, at: position) else {
                throw Refused(reason: .secretInClear)
            }
        }
    }

    /// What the line names, or what the action needs beside it.
    private func secret(of line: ActLine, _ action: UserAction, at position: Position) throws -> SecretBytes? {
        if let number = line.secretFd {
            do {
                return try SecretInput.read(
                    descriptor: InputDescriptor(argument: String(number)), prompt: "", option: "secretFd")
            } catch {
                throw Refused(reason: .noSecret("secretFd \(number): \(error)"))
            }
        }
        if let text = line.secret {
            var bytes = Array(text.utf8)
            return try SecretBytes(movingFrom: &bytes)
        }
        guard case .folder(let host, let credentials) = place,
            let asked = AskedSecret(of: action, at: position), let prompt = asked.prompt,
            asked == .newCredential || host.asksPerson
        else { return nil }
        do { return try credentials.read(prompt) } catch { throw Refused(reason: .noSecret("\(error)")) }
    }

    // MARK: Pages

    /// Shows the page behind an action. Words of a backup, which no page holds, come where somebody takes them.
    private mutating func show(_ result: ActionResult) throws {
        var more: [(place: String, secret: SecretBytes)] = []
        if secretOutput != nil, result.position.modal == .backup, result.rule != nil {
            do { more.append(("modalData.phrase", try core.backupPhrase())) } catch {
                throw Refused(reason: .withheld(CoreFailure(error)))
            }
        }
        try print(result, because: nil, with: more)
    }

    /// A page that no line asked for, where something is different.
    private mutating func tell(_ cause: ActPage.Cause) throws {
        guard let position = try? core.position(), position.screen != .nowhere else {
            // Looked at all the same: what nobody looks at is told again at once.
            if cause == .network { _ = core.host.detector() }
            return
        }
        if cause == .locked, position.screen == .unlock { return }
        guard let result = try? core.hostChanged() else { return }
        // A vault that nobody has to open is open again when it is used next.
        if cause == .locked, result.position.screen != .unlock { return }
        try print(result, because: cause)
    }

    /// Secrets are written before the page that they are on, so that who has read the page can read them.
    private mutating func print(
        _ result: ActionResult, because cause: ActPage.Cause?, with more: [(place: String, secret: SecretBytes)] = []
    ) throws {
        page += 1
        let secrets = ShownSecrets()
        let line = try output.line(of: ActPage(page: page, cause: cause, result: result), secretsTo: secrets)
        if let secretOutput {
            for (place, secret) in secrets.taken + more {
                let name = try SecretBytes(copying: Array("\(place) ".utf8))
                try SecretOutput.writeLine([name, secret], to: secretOutput, option: Self.secretOutputOption)
            }
        }
        try output.put(line)
    }
}

extension AskedSecret {
    /// What a person is asked for on the terminal; nil for what a line has to name.
    fileprivate var prompt: String? {
        switch self {
        case .newCredential: "New PIN or passphrase"
        case .credential: "PIN"
        case .authentication: "PIN that is valid now"
        case .password, .words, .passphrase, .recoveryCode: nil
        }
    }
}
