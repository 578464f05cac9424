import PictureService
import Synchronization
import Threads

/// Reads one payload from cameras, films, pictures, folders and hex lines, on a thread of its own, and tells those who
/// watch how far it has come.
///
///     let session = ScanSession(["/dev/video0"], terms: terms)
///     session.start {
///         mainLoop.post { if let update = session.takeUpdate() { view.show(update) } }
///     } end: { result in
///         mainLoop.post { finish(result) }
///     }
///
/// Nothing piles up before a viewer that is slow: there is one update, the newest, until it is taken. A process scans
/// by one camera at a time: a second scan waits for the first to end.
package final class ScanSession: Sendable {
    private let names: [String]
    private let terms: PictureReader.Terms
    private let limit: Int
    private let isWhole: @Sendable ([UInt8]) -> Bool
    private let openCamera: @Sendable (String) throws(LinkError) -> Camera
    private let now: @Sendable () -> Duration
    private let state = Mutex(State())

    private struct State {
        var run: ScanRun?
        var update: ScanUpdate?
    }

    /// The last scan of a camera in this process, which may have it open yet.
    private static let lastOfCamera = Mutex<ScanRun?>(nil)

    /// Bytes of a payload at the most that comes in several codes, unless said otherwise.
    package static let payloadLimit = 4 << 20

    /// - Parameters:
    ///   - names: of sources, read one after the other, as of ``LinkInput``.
    ///   - terms: how pictures are read.
    ///   - limit: bytes of a payload at the most.
    ///   - openCamera: opens a camera by its path.
    ///   - isWhole: says of a code's content that it is a payload by itself, whatever its first bytes are.
    package convenience init(
        _ names: [String], terms: PictureReader.Terms, limit: Int = payloadLimit,
        openCamera: @escaping @Sendable (String) throws(LinkError) -> Camera = { path throws(LinkError) in
            try Camera(path: path)
        },
        isWhole: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }
    ) {
        let clock = SuspendingClock()
        let begin = clock.now
        self.init(
            names, terms: terms, limit: limit, isWhole: isWhole, openCamera: openCamera, now: { clock.now - begin })
    }

    /// - Parameters:
    ///   - openCamera: opens a camera by its path.
    ///   - now: gives the time since some beginning.
    init(
        _ names: [String], terms: PictureReader.Terms, limit: Int = payloadLimit,
        isWhole: @escaping @Sendable ([UInt8]) -> Bool = { _ in false },
        openCamera: @escaping @Sendable (String) throws(LinkError) -> Camera, now: @escaping @Sendable () -> Duration
    ) {
        (self.names, self.terms, self.limit, self.isWhole) = (names, terms, limit, isWhole)
        (self.openCamera, self.now) = (openCamera, now)
    }

    deinit { stop() }

    /// Begins to read; what is being read is stopped and forgotten. Both closures run on the session's thread.
    ///
    /// - Parameters:
    ///   - news: is called when there is something to take by ``takeUpdate()`` and was nothing before.
    ///   - end: is called once, unless the scan is stopped, with the payload or with why there is none.
    package func start(
        news: @escaping @Sendable () -> Void, end: @escaping @Sendable (Result<[UInt8], ScanError>) -> Void
    ) {
        let run = ScanRun(news: news, end: end)
        let before = state.withLock { state in
            defer { (state.run, state.update) = (run, nil) }
            return state.run
        }
        before?.stop()
        let ofCamera = names.contains(where: LinkInput.isCamera) ? Self.replaceLast(by: run) : nil
        SystemThread.start { [weak self] in
            // A camera is given back before it is opened anew.
            ofCamera?.waitUntilOver()
            defer { run.setOver() }
            guard let reading = self?.reading(for: run), let result = reading.payload() else { return }
            self?.finish(run, with: result)
        }
    }

    /// Ends the scan, and forgets what came. A picture that is being read is not waited for; nothing is told any more.
    package func stop() {
        let run = state.withLock { state in
            defer { (state.run, state.update) = (nil, nil) }
            return state.run
        }
        run?.stop()
    }

    /// Forgets what was collected, and goes on: a camera stays open, a film is read from its begin.
    package func restart() {
        state.withLock { state in
            state.update = nil
            state.run?.restart()
        }
    }

    /// The newest update, once.
    package func takeUpdate() -> ScanUpdate? {
        state.withLock { state in
            defer { state.update = nil }
            return state.update
        }
    }

    private static func replaceLast(by run: ScanRun) -> ScanRun? {
        lastOfCamera.withLock { last in
            defer { last = run }
            return last
        }
    }

    private func reading(for run: ScanRun) -> ScanReading {
        ScanReading(
            names: names, terms: terms, limit: limit, isWhole: isWhole, openCamera: openCamera, now: now, run: run,
            tell: { [weak self] update in self?.tell(update, of: run) })
    }

    private func tell(_ update: ScanUpdate, of run: ScanRun) {
        let isNews = state.withLock { state in
            guard state.run === run, run.isWanted else { return false }
            defer { state.update = update }
            return state.update == nil
        }
        if isNews { run.news() }
    }

    private func finish(_ run: ScanRun, with result: Result<[UInt8], ScanError>) {
        let isCurrent = state.withLock { state in
            guard state.run === run, run.isWanted else { return false }
            (state.run, state.update) = (nil, nil)
            return true
        }
        if isCurrent { run.end(result) }
    }
}

/// One scan from its start to its end, as its thread and those who stop it see it.
final class ScanRun: Sendable {
    let news: @Sendable () -> Void
    let end: @Sendable (Result<[UInt8], ScanError>) -> Void
    private let wishes = Mutex(Wishes())
    private let over = Condition()
    private let isOver = Mutex(false)

    private struct Wishes {
        var isStopped = false
        var restarts = false
    }

    init(news: @escaping @Sendable () -> Void, end: @escaping @Sendable (Result<[UInt8], ScanError>) -> Void) {
        (self.news, self.end) = (news, end)
    }

    var isWanted: Bool { wishes.withLock { !$0.isStopped } }

    func stop() { wishes.withLock { $0.isStopped = true } }

    func restart() { wishes.withLock { $0.restarts = true } }

    /// - Returns: whether a restart was asked for since the last call.
    func takeRestart() -> Bool {
        wishes.withLock { wishes in
            defer { wishes.restarts = false }
            return wishes.restarts
        }
    }

    func setOver() {
        over.withLock {
            isOver.withLock { $0 = true }
            over.broadcast()
        }
    }

    func waitUntilOver() {
        over.withLock { while !isOver.withLock({ $0 }) { over.wait() } }
    }
}
