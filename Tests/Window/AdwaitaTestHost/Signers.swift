#if canImport(CAdwaita)
    import Adwaita
    import CFakeCamera
    import Foundation
    import QRCode
    import Screens
    import Signer
    import SignerCore
    import Synchronization

    @testable import AirgapLink
    @testable import SignerSession
    @testable import SignerWindow

    /// A signer's window in a world that tests change while it is open: its clock, and its camera.
    @MainActor
    enum Signers {
        /// Shows the vault in a folder until the window is closed.
        ///
        /// - Parameter arguments: the folder of the vault; a file with the seconds that the clock is wrong by, which is
        ///   looked at each time; the digits of what a code before the camera holds.
        static func run(_ application: Application, _ arguments: [String]) async throws -> [String] {
            guard arguments.count == 3 else { return ["signer FOLDER CLOCK PAYLOAD"] }
            var settings = FolderHost.Settings(bundle: try .shipped())
            let clock = arguments[1]
            settings.now = {
                let text = (try? String(contentsOfFile: clock, encoding: .utf8)) ?? "0"
                return Date() + (TimeInterval(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0)
            }
            let host = FolderHost(URL(filePath: arguments[0]), settings)
            let camera = try UnpluggedCamera(showing: arguments[2])
            signal(SIGUSR1, SIG_IGN)
            let plug = DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .global())
            plug.setEventHandler { cfakecamera_unplug() }
            plug.activate()
            var sources = ScanSources(camera: "/dev/video0", terms: PictureReader.Terms(), remedy: "")
            sources.terms.allowsMissingLayers = true
            sources.openCamera = { path throws(LinkError) in try camera.open(path) }
            let pages = Mutex(Pages(vault: "test", asksPerson: host.asksPerson))
            let session = WindowSession(
                .folder(host),
                pages: { result in
                    pages.withLock { pages in
                        pages.remember(result)
                        return pages.page(of: result)
                    }
                }, sources: sources)
            let window = Window(of: application, title: "Casemate", size: (width: 1000, height: 720))
            let view = PageView(handler: session, in: window, of: application)
            session.view = view
            session.start()
            window.present()
            // As the program does when the vault locks by itself.
            let watch = Timeout(milliseconds: 100) {
                if let page = view.shown, page.position.screen != .unlock, host.isLocked { session.vaultLocked() }
                return true
            }
            await frames(of: window)
            withExtendedLifetime((watch, session, plug)) {}
            session.close()
            return []
        }

        private static func frames(of window: Window) async {
            repeat { await pause(milliseconds: 100) } while window.isMapped
        }
    }

    /// A camera that shows nothing until its plug is pulled by SIGUSR1; opened again, it shows a code.
    private final class UnpluggedCamera: Sendable {
        private static let (side, margin) = (400, 40)
        // Pixels of nothing and of the code. They are written once, and there as long as the process is: the camera has
        // their address.
        nonisolated(unsafe) private let blank, code: UnsafeMutableBufferPointer<UInt8>
        private let openings = Mutex(0)

        init(showing payload: String) throws {
            let digits = Array(payload)
            let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(digits[$0..<$0 + 2]), radix: 16)
            }
            let picture = Self.picture(of: try QRSymbol.encode(bytes: bytes))
            blank = .allocate(capacity: picture.count)
            blank.initialize(repeating: 128)
            code = .allocate(capacity: picture.count)
            _ = code.initialize(fromContentsOf: picture)
        }

        private static func picture(of symbol: QRSymbol) -> [UInt8] {
            let scale = (side - 2 * margin) / symbol.size
            var pixels = [UInt8](repeating: 255, count: side * side)
            for y in 0..<scale * symbol.size {
                for x in 0..<scale * symbol.size where symbol[x / scale, y / scale] {
                    pixels[(margin + y) * side + margin + x] = 0
                }
            }
            return pixels
        }

        func open(_ path: String) throws(LinkError) -> Camera {
            let number = openings.withLock { number in
                number += 1
                return number
            }
            let pixels = UnsafeBufferPointer(number == 1 ? blank : code)
            var fake = cfakecamera()
            fake.format = "GREY".utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
            (fake.width, fake.height) = (UInt32(Self.side), UInt32(Self.side))
            (fake.pictures, fake.picture_size) = (pixels.baseAddress, pixels.count)
            (fake.picture_count, fake.pictures_per_wait, fake.goes_on) = (1, 1, 1)
            cfakecamera_set(&fake)
            return try Camera(path: path, width: 640, height: 480, calls: cfakecamera_calls())
        }
    }
#endif
