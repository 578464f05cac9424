import AirgapLink
import Foundation
import Navigator
import SignerCore
import TestSupport
import Testing

@testable import Screens
@testable import SignerSession

@MainActor
@Suite("Payloads in files, in a session")
struct PayloadFileSessionTests {
    private let window = FakeWindow()
    private let fields = FakeFields()

    /// A session that shows the camera.
    private func scanning(_ host: MemoryHost) async -> WindowSession {
        let pages = Pages(vault: "test")
        let session = WindowSession(
            .memory(host), pages: { pages.page(of: $0) },
            sources: ScanSources(camera: "/dev/null", terms: PictureReader.Terms(), remedy: ""))
        session.view = window
        session.start()
        _ = await window.nextPage()
        session.perform(.send(.navbarScan), with: fields)
        _ = await window.nextPage()
        return session
    }

    @Test("a file is read and shown as what was scanned is", arguments: ["53ff", "0x53FF\n"])
    func opens(text: String) async throws {
        let folder = try TemporaryFolder()
        let session = await scanning(try MemoryHost(.shipped()))
        session.perform(.window(.openPayload), with: fields)
        window.chooses?(try folder.write(text, to: "payload"))
        let page = await window.nextPage()
        #expect(page.position == Position(.transaction) && page.sheet == nil)
    }

    @Test("what is no hex, no file or a share is told over the page, which stays")
    func refuses() async throws {
        let folder = try TemporaryFolder()
        let session = await scanning(try MemoryHost(.shipped()))
        let share = #"{"v":1,"t":"a","r":2,"d":"1101","n":"xk"}"#
        for (path, said) in [
            (try folder.write("53f", to: "odd"), "not hex"), (folder.path("nothing"), "nothing"),
            ("/dev/null", "regular"),
            (try folder.write(share, to: "share"), "share of a split backup"),
        ] {
            session.perform(.window(.openPayload), with: fields)
            window.chooses?(path)
            let notice = await window.nextNotice().plain
            #expect(notice.contains(said), "\(notice)")
            // It stays: whoever looks at the code in his hand misses what is there for a while.
            #expect(window.failures.last?.plain == notice)
            #expect(session.page?.position == Position(.scan) && !session.isWorking)
        }
    }

    @Test("a file that is chosen when another page is shown by now is not taken")
    func otherPage() async throws {
        let folder = try TemporaryFolder()
        let session = await scanning(try MemoryHost(.shipped()))
        session.perform(.window(.openPayload), with: fields)
        session.perform(.send(.navbarLog), with: fields)
        _ = await window.nextPage()
        window.chooses?(try folder.write("53ff", to: "payload"))
        while session.isWorking { await Task.yield() }
        #expect(session.page?.position == Position(.log))
    }

    @Test("the camera is looked at no longer once a film or a picture is asked for in its place")
    func stopsBeforeAsking() async throws {
        let session = await scanning(try MemoryHost(.shipped()))
        session.perform(.window(.startCamera), with: fields)
        #expect(session.scan != nil)
        session.perform(.window(.openFilm), with: fields)
        #expect(session.scan == nil && window.chooses != nil)
    }

    @Test("a file that is to be saved has a name to begin with, and one that is opened has none")
    func names() async throws {
        let folder = try TemporaryFolder()
        let session = await scanning(try MemoryHost(.shipped()))
        session.perform(.window(.openPayload), with: fields)
        #expect(window.use == .read)
        session.perform(.window(.save(FileContent(name: "proof.bin", bytes: [7]))), with: fields)
        #expect(window.use == .write(named: "proof.bin"))
        let path = folder.path("proof.bin")
        window.chooses?(path)
        #expect(await window.nextNotice().plain.contains("proof.bin"))
        #expect(try Data(contentsOf: URL(filePath: path)) == Data([7]))
    }

    @Test("hex that is typed is shown, and what is no hex, or may be cut, is refused with nothing done")
    func types() async throws {
        let session = await scanning(try MemoryHost(.shipped()))
        let controls = session.page?.body.flatMap { block -> [Control] in
            guard case .fold(_, let blocks) = block else { return [] }
            return blocks.flatMap { if case .buttons(let controls) = $0 { controls } else { [Control]() } }
        }
        let read = try #require(controls?.first { $0.id == "read-payload" })
        for text in ["", "53f", "53 ff", String(repeating: "5", count: 65_534)] {
            fields.texts["payload"] = text
            session.perform(read.message, with: fields)
            #expect(await window.nextNotice().plain.contains("not hex"))
            #expect(session.page?.position == Position(.scan))
        }
        fields.texts["payload"] = " 0x53FF\n"
        session.perform(read.message, with: fields)
        #expect(await window.nextPage().position == Position(.transaction))
    }
}
