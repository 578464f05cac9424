import ArgumentParser
import CodeMeasurement
import Console
import HardwareKeys
import TextForms
import Vigil

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "What is installed, whether it answers, and who is pinned.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions

    struct Report: Encodable {
        var product: String
        var epoch: UInt32
        var storedEpoch: UInt32
        var socket: String
        var isRunning: Bool
        var keyKind: String?
        var keyID: String?
        var releaseKeys: String
        var filesMatch: Bool
        /// The group of the one program that is admitted; nil where it is known by its content alone.
        var installedGroup: UInt32?
        /// Why that program would not be admitted now; nil if all is well or none is installed so.
        var installationFault: String?
        /// Whether looks are first-hand, which shows the environment too; nil where no validator runs.
        var looksFirsthand: Bool?
        var windowSeconds: Int64?
        /// Why this side's key or store cannot be used. Key and pins are what the files say then, which proves nothing.
        var stateFault: String?
        var pins: [Pin]

        struct Pin: Encodable {
            var keyID: String
            var role: String
            var kind: String
            var state: String
            var pinnedAt: String
        }
    }

    func run() throws {
        let installation = try installation.load()
        let state = Self.state(of: installation)
        let report = try Self.report(installation, state)
        try output.show(report, text: Self.text(report))
        if let fault = state.fault { throw fault }
    }

    /// What is known of this side's key and store.
    private struct State {
        var kind: KeyKind?
        var keyID: String?
        var stored: Attestation?
        /// Why they cannot be used.
        var fault: StoreError?
    }

    /// Who is pinned has to be known above all where the state has to be made anew.
    private static func state(of installation: Installation) -> State {
        do throws(StoreError) {
            guard let state = try installation.storedState() else { return State() }
            return State(
                kind: state.key.kind, keyID: PublicKey(x963: state.key.publicKey)?.id.description,
                stored: try state.store.content())
        } catch {
            let told = installation.toldState()
            return State(
                kind: told?.kind, keyID: told?.publicKey.id.description, stored: told?.stored, fault: error)
        }
    }

    private static func report(_ installation: Installation, _ state: State) throws -> Report {
        let path = installation.configuration.socketPath
        let deadline = SuspendingClock().now.advanced(by: .seconds(1))
        let running = try? UnixSocketChannel.connect(to: path, until: deadline).peer
        let hash = try? SelfMeasurement(bundleRoot: installation.own.bundleRoot).bundleDigest(of: installation.own)
        return Report(
            product: installation.manifest.product, epoch: installation.manifest.epoch,
            storedEpoch: state.stored?.epoch ?? 0, socket: path, isRunning: running != nil,
            keyKind: state.kind?.rawValue, keyID: state.keyID,
            releaseKeys: try ReleaseKeys.compiledIn.trusted() == nil ? "configuration" : "compiled in",
            filesMatch: hash == installation.own.hash,
            installedGroup: installation.installedProgram?.group, installationFault: fault(installation),
            looksFirsthand: running.flatMap(looksFirsthand),
            windowSeconds: StoredWindow(installation.directory).timeLeft?.components.seconds,
            stateFault: state.fault?.description,
            pins: (state.stored?.peers ?? []).map {
                .init(
                    keyID: $0.keyID.description, role: "\($0.role)", kind: $0.kind.rawValue, state: $0.state.rawValue,
                    pinnedAt: $0.pinnedAt.rfc3339)
            })
    }

    /// Whether a validator may look into other processes, as the kernel tells of it.
    private static func looksFirsthand(_ validator: PeerCredentials) -> Bool? {
        LookingRight.isHeld(by: validator.process)
    }

    private static func fault(_ installation: Installation) -> String? {
        do {
            try installation.checkInstalledFile()
            return nil
        } catch {
            return error.description
        }
    }

    private static func text(_ report: Report) -> String {
        var lines = [
            "product     \(ScreenText.escape(report.product)), manifest of epoch \(report.epoch)",
            "files       \(report.filesMatch ? "those of the manifest" : Style.output.warning("not those of the manifest"))",
            "answers at  \(ScreenText.escape(report.socket))\(report.isRunning ? "" : Style.output.warning(" (nobody does now: vigil-validator run)"))",
            "own key     "
                + (report.keyKind.map { "\($0), \(report.keyID ?? "")" }
                    ?? (report.stateFault == nil ? "none yet; the first run makes it" : "no file tells it")),
            "trusts      release keys from the \(report.releaseKeys == "compiled in" ? "program itself" : "configuration")",
        ]
        if let fault = report.installationFault {
            lines.append("admits      \(Style.output.warning("nobody: \(ScreenText.escape(fault))"))")
        } else if let group = report.installedGroup {
            lines.append("admits      the installed program alone, set-group-ID to \(group)")
        } else {
            lines.append("admits      any process of the users that runs the program's code, from wherever")
        }
        switch report.looksFirsthand {
        case true?: lines.append("looks       first-hand; environments are read")
        case false?:
            lines.append(
                "looks       second-hand, through descriptors that the program sends; its environment is not read")
        case nil: break
        }
        if let seconds = report.windowSeconds { lines.append("window      open for \(seconds) seconds more") }
        if report.stateFault != nil {
            let warning = "cannot be used; key and pins are what their files say, which proves nothing"
            lines.append("state       \(Style.output.warning(warning))")
        }
        if report.pins.isEmpty {
            let isKnown = report.stateFault == nil
            lines.append("pinned      nobody" + (isKnown ? "; next: vigil-validator provision" : " whom a file tells"))
        } else {
            lines.append(
                Table.text(
                    ["PINNED KEY", "ROLE", "KIND", "STATE", "SINCE"],
                    report.pins.map { [$0.keyID, $0.role, $0.kind, $0.state, $0.pinnedAt] }))
        }
        return lines.joined(separator: "\n")
    }
}
