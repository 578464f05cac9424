import BasicFoundation
import Dispatch
import Files
import InstalledSigner
import Screens
import SignerCore
import SignerSession
import SignerWindow
import Synchronization

#if canImport(CAdwaita)
    import Adwaita

    extension CasemateWindow {
        func run() throws {
            if kiosk, InstalledMachine.stickRoot != nil { StickGroup.join() }
            if accessibility.map({ $0 == .off }) ?? kiosk { WindowEnvironment.hideFromAccessibility() }
            try MainActor.assumeIsolated { try show() }
        }

        /// Shows the window until it is closed.
        @MainActor
        private func show() throws {
            guard Toolkit.start() else { throw WindowError.noScreen }
            FileChooser.home = WindowEnvironment.home
            let vault = try place()
            let shown = demo && film.isEmpty ? try DemonstrationFilm() : nil
            defer { withExtendedLifetime(shown) {} }
            let surroundings = Surroundings(try session(over: vault, films: shown.map { [$0.path] } ?? film))
            surroundings.watch(vault)
            let status = Application(name: "io.github.casemate.Window").run { application in
                (ColorScheme(rawValue: look.rawValue) ?? .system).apply()
                surroundings.show(in: application, fullscreen: kiosk)
            }
            surroundings.session.close()
            withExtendedLifetime(surroundings) {}
            if status != 0 { throw WindowError.noScreen }
            if let closedNote { try note(FilePath(closedNote)) }
        }

        /// Leaves an empty file, which may be there already.
        private func note(_ path: FilePath) throws(FileError) {
            let above = path.removingLastComponent()
            let folder = try Folder(above.isEmpty ? "." : above)
            _ = try folder.openOrCreate(path.lastComponent?.string ?? "")
        }

        private var wayOut: Pages.WayOut? {
            guard kiosk else { return nil }
            return InstalledMachine.stickRoot == nil ? .program : .machine
        }

        private func place() throws -> SessionVault {
            if demo { return .memory(try Demonstration.host()) }
            var settings = try FolderHost.Settings.installed(opening: tpm.opening(), pictures: pictures)
            settings.takesRecoveryCode = recoveryCode
            return .folder(FolderHost(vault.folder, settings))
        }

        @MainActor
        private func session(over vault: SessionVault, films: [String]) throws -> WindowSession {
            let name = demo ? "Demonstration: keys that everybody knows" : self.vault.folder.lastPathComponent
            let asksPerson = if case .folder(let host) = vault { host.asksPerson } else { false }
            let pages = Mutex(
                Pages(
                    vault: name, isSeenByOthers: Toolkit.isSeenByOthers, asksPerson: asksPerson, wayOut: wayOut))
            let sources = ScanSources(
                camera: camera, films: films, terms: pictures.terms, remedy: Text(own: pictures.remedy))
            return WindowSession(
                vault,
                pages: { result in
                    pages.withLock { pages in
                        pages.remember(result)
                        return pages.page(of: result)
                    }
                }, sources: sources)
        }
    }

    /// The picture of a demonstration as a file, for as long as it is there to be read.
    private final class DemonstrationFilm {
        private let folder = FileManager.default.temporaryDirectory.appending(
            path: "casemate-demo-\(UUID().uuidString)")

        var path: String { folder.appending(path: "picture.png").path }

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            try Data(Demonstration.picture).write(to: URL(filePath: path))
        }

        deinit { try? FileManager.default.removeItem(at: folder) }
    }

    /// The window with what happens around it.
    @MainActor
    private final class Surroundings {
        let session: WindowSession
        private var view: PageView?
        private var window: Window?
        private var events: HostEvents?
        private var signals: [any DispatchSourceSignal] = []

        init(_ session: WindowSession) { self.session = session }

        func show(in application: Application, fullscreen: Bool) {
            let window = Window(of: application, title: "Casemate", size: (width: 1000, height: 720))
            let view = PageView(handler: session, in: window, of: application)
            session.view = view
            (self.window, self.view) = (window, view)
            if fullscreen { window.fullscreen() }
            session.start()
            window.present()
        }

        /// Tells the session what happens around the vault. Signals that end the program lock the vault first.
        func watch(_ vault: SessionVault) {
            let session = session
            let seen = Seen()
            let events = HostEvents { event in
                switch event {
                case .network:
                    DispatchQueue.main.async {
                        session.networkChanged { seen.tell() }
                    }
                case .locked: DispatchQueue.main.async { session.vaultLocked() }
                case .signal(let number):
                    session.close()
                    HostEvents.die(of: number)
                }
            }
            seen.events.withLock { $0 = events }
            self.events = events
            signals = events.takeSignals()
            guard case .folder(let host) = vault else { return }
            // What is up now is no change.
            _ = host.detector()
            if let descriptor = host.networkDescriptor { events.watchNetwork(descriptor) }
            events.watchLocks()
        }
    }
    /// Says that a change of the network was looked at.
    private final class Seen: Sendable {
        let events = Mutex<HostEvents?>(nil)

        func tell() { events.withLock { $0 }?.isNetworkSeen() }
    }
#else
    extension CasemateWindow {
        func run() throws { throw WindowError.notBuiltIn }
    }
#endif
