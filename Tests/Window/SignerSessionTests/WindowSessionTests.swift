import AirgapLink
import Dispatch
import Files
import Foundation
import Navigator
import NetworkDetector
import SecretMemory
import Signer
import SignerCore
import Synchronization
import Testing

@testable import Screens
@testable import SignerSession

@MainActor
@Suite struct WindowSessionTests {
    private let window = FakeWindow()
    private let fields = FakeFields()

    private func session(_ host: MemoryHost, gate: (@Sendable () -> Void)? = nil) async -> WindowSession {
        session(.memory(host), gate: gate)
    }

    private func session(_ vault: SessionVault, gate: (@Sendable () -> Void)? = nil) -> WindowSession {
        let pages = Pages(vault: "test")
        let session = WindowSession(
            vault,
            pages: { result in
                gate?()
                return pages.page(of: result)
            }, sources: ScanSources(camera: "/dev/null", terms: PictureReader.Terms(), remedy: ""))
        session.view = window
        return session
    }

    private func started(_ host: MemoryHost) async throws -> WindowSession {
        let session = await session(host)
        session.start()
        _ = await window.nextPage()
        return session
    }

    @Test("what is pressed is done, and its page is shown")
    func presses() async throws {
        let session = try await started(MemoryHost(.shipped()))
        session.perform(.send(.navbarLog), with: fields)
        #expect(await window.nextPage().position.screen == .log)
    }

    @Test("what closes the window closes it")
    func closes() async throws {
        let session = try await started(MemoryHost(.shipped()))
        session.perform(.window(.closeWindow), with: fields)
        while true { if case .closed = await window.next() { return } }
    }

    @Test("while something is being done nothing else is taken")
    func takesOneAtATime() async throws {
        let isOpen = DispatchSemaphore(value: 0)
        let session = await session(try MemoryHost(.shipped())) { isOpen.wait() }
        isOpen.signal()
        session.start()
        _ = await window.nextPage()
        session.perform(.send(.navbarLog), with: fields)
        session.perform(.send(.navbarSettings), with: fields)
        isOpen.signal()
        isOpen.signal()
        #expect(await window.nextPage().position.screen == .log)
        session.perform(.send(.navbarKeys), with: fields)
        #expect(await window.nextPage().position.screen == .seedSelector)
    }

    @Test("a secret leaves its field, also where it is refused")
    func takesSecrets() async throws {
        let host = try MemoryHost(.shipped(), isOnboarded: false)
        let session = try await started(host)
        try fields.put("short", into: "pin")
        session.perform(.send(.goForward, secret: "pin"), with: fields)
        #expect(fields.secrets["pin"]?.count == 0)
        #expect(await window.nextPage().position.alert != nil)
        #expect(!host.isOnboarded)
    }

    @Test("where something is needed first, nothing is done and no secret is taken")
    func looksFirst() async throws {
        let host = try MemoryHost(.shipped(), isOnboarded: false)
        let session = try await started(host)
        try fields.put("correct horse", into: "pin")
        try fields.put("correct house", into: "again")
        let need = CoreCall.Need(.same("pin", "again"), otherwise: "These are not the same.")
        session.perform(.core([CoreCall(.goForward, secret: "pin", needs: [need])]), with: fields)
        #expect(await window.nextNotice().plain == "These are not the same.")
        #expect(fields.secrets["pin"]?.count == 13)
        #expect(!host.isOnboarded)
        try fields.put("correct horse", into: "again")
        session.perform(.core([CoreCall(.goForward, secret: "pin", needs: [need])]), with: fields)
        _ = await window.nextPage()
        #expect(host.isOnboarded)
        // What it was compared with is gone as well.
        #expect(fields.secrets["again"]?.count == 0)
    }

    @Test("what stands behind an action that does not go is not done")
    func stopsAtFailures() async throws {
        let host = try MemoryHost(.shipped(), isOnboarded: false)
        let session = try await started(host)
        try fields.put("short", into: "pin")
        session.perform(
            .core([
                CoreCall(.goForward, secret: "pin"), CoreCall(.goBack), CoreCall(.goForward, .text("correct horse")),
            ]),
            with: fields)
        #expect(await window.nextPage().position.alert != nil)
        #expect(!host.isOnboarded)
    }

    @Test("a field that the page does not have is another page's, and nothing is done")
    func refusesOtherPages() async throws {
        let session = try await started(MemoryHost(.shipped()))
        session.perform(.send(.newSeed, .field("nowhere")), with: fields)
        #expect(await window.nextNotice().plain.contains("another page"))
        #expect(session.page?.position.screen == .seedSelector)
    }

    @Test("when the vault locks, secrets are off the screen before anything else is asked")
    func hidesSecrets() async throws {
        let host = try MemoryHost(.shipped(), isOnboarded: false)
        let session = try await started(host)
        try fields.put("correct horse", into: "pin")
        session.perform(.send(.goForward, secret: "pin"), with: fields)
        _ = await window.nextPage()
        host.lock()
        session.vaultLocked()
        guard case .secretsHidden = await window.next() else {
            Issue.record("something else came first")
            return
        }
        #expect(await window.nextPage().position.screen == .unlock)
    }

    @Test("a change of the network is looked at, and shown")
    func showsNetwork() async throws {
        let host = try MemoryHost(.shipped())
        let session = try await started(host)
        host.setDetector(.connected)
        let wasSeen = Mutex(false)
        session.networkChanged { wasSeen.withLock { $0 = true } }
        #expect(await window.nextPage().shield.look == .connected)
        #expect(wasSeen.withLock { $0 })
    }

    /// A network that is up, which nobody looked at yet.
    private final class UnseenNetwork: NetworkWatch {
        let descriptor: CInt = -1
        private let looks = Mutex(0)
        private let isTaken = Mutex(false)

        var count: Int { looks.withLock { $0 } }
        func look() { looks.withLock { $0 += 1 } }
        func nextReport() -> NetworkReport? {
            isTaken.withLock { isTaken in
                defer { isTaken = true }
                return isTaken ? nil : NetworkReport(findings: [.interfaces: .up(["eth0"])], isIsolated: nil)
            }
        }
    }

    @Test("a change of the network before there is a page is looked at, too")
    func looksBeforeFirstPage() async throws {
        let network = UnseenNetwork()
        let folder = FileManager.default.temporaryDirectory.appending(path: "no-vault-\(UUID().uuidString)")
        let host = FolderHost(
            folder, try FolderHost.Settings(bundle: .shipped()), lookout: NetworkLookout(.success(network)))
        let session = session(.folder(host))
        await withCheckedContinuation { seen in session.networkChanged { seen.resume() } }
        #expect(network.count == 1 && network.nextReport() == nil)
    }

    @Test("what happens around the vault is no sign of a person")
    func tellsPersonsApart() {
        let arePersons = Mutex<[Bool]>([])
        let thread = CoreThread { next in
            let piece = next()
            if let piece { arePersons.withLock { $0.append(piece.isByPerson) } }
            return piece
        }
        thread.run {}
        for _ in 0..<3 { thread.follow {} }
        thread.wait {}
        #expect(arePersons.withLock { $0 } == [true, false, false, false, true])
    }

    @Test("what happens around the vault while a file is written is shown when that is done")
    func showsNewsBehindFiles() async throws {
        let host = try MemoryHost(.shipped())
        let session = try await started(host)
        let mayEnd = DispatchSemaphore(value: 0)
        let look = await withCheckedContinuation { done in
            session.work("Writing the file") { () throws(FileError) in
                mayEnd.wait()
            } then: { session, _ in
                done.resume(returning: session.page?.shield.look)
            }
            host.setDetector(.connected)
            session.networkChanged {}
            // Behind the news.
            session.thread.run { DispatchQueue.main.async { mayEnd.signal() } }
        }
        #expect(look == .connected)
    }

    @Test("keys of a word are taken one behind the other, each at once")
    func takesKeysAtOnce() async throws {
        let session = try await started(MemoryHost(.shipped()))
        // A vault without seeds offers to make one at once.
        #expect(session.page?.position.modal == .newSeedMenu)
        for call in [CoreCall(.recoverSeed), CoreCall(.goForward, .text("old"))] {
            session.perform(.core([call]), with: fields)
            _ = await window.nextPage()
        }
        #expect(session.page?.position.screen == .recoverSeedPhrase)
        for text in [" a", " ab", " aba"] {
            try fields.put(text, into: "word")
            session.perform(.send(.textEntry, secret: "word"), with: fields)
            #expect(!session.isWorking)
            #expect(fields.secrets["word"]?.count == 0)
        }
        #expect(session.page?.choices?.words.isEmpty == false)
    }

    @Test("a page that was made before a key was taken does not come over the one of the key")
    func keepsNewestPage() async throws {
        let session = try await started(MemoryHost(.shipped()))
        for call in [CoreCall(.recoverSeed), CoreCall(.goForward, .text("old"))] {
            session.perform(.core([call]), with: fields)
            _ = await window.nextPage()
        }
        // The thread looks at the network, and what it says waits for the main thread, which waits for the key.
        session.networkChanged {}
        try fields.put(" aba", into: "word")
        session.perform(.send(.textEntry, secret: "word"), with: fields)
        let typed = session.page
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        #expect(typed != nil && session.page == typed)
    }

    @Test("of a path it is said while it is typed whether a key can be made")
    func saysOfPaths() async throws {
        let host = try MemoryHost(.shipped())
        var phrase = Array("bottom drive obey lake curtain smoke basket hold race lonely fit walk".utf8)
        try host.openVault()?.recoverSeed(named: "demo", phrase: SecretBytes(movingFrom: &phrase))
        let session = try await started(host)
        #expect(session.verdict(onPath: "//Alice") == nil)
        session.perform(.core([CoreCall(.selectSeed, .text("demo")), CoreCall(.newKey)]), with: fields)
        #expect(await window.nextPage().position.screen == .deriveKey)
        #expect(session.verdict(onPath: "//Alice")?.severity == .good)
        #expect(session.verdict(onPath: "//polkadot")?.severity == .refusal)
        #expect(session.verdict(onPath: "Alice")?.severity == .refusal)
        for path in ["//Alice///secret", "//Alice///", "///"] {
            let verdict = session.verdict(onPath: path)
            #expect(verdict?.severity == .refusal && verdict?.text.plain.hasPrefix("No password here") == true)
        }
        #expect(session.verdict(onPath: "//Alice/")?.severity == .refusal)
    }

    @Test("a phrase is handed out where the backup is shown, and nowhere else")
    func handsPhrasesOut() async throws {
        let session = try await started(MemoryHost(.shipped()))
        #expect(throws: CoreError.notPending) { _ = try session.phrase() }
    }
}
