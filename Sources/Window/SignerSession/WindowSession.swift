import Dispatch
import Navigator
import Screens
import SecretMemory
import SignerCore

/// What a window does with a vault: actions of a person go to the core, on a thread of its own; pages come back.
///
///     let session = WindowSession(.folder(host), pages: pages.page(of:), scanning: sources)
///     session.view = view
///     session.start()
///
/// One thing is done at a time. While it is, the window takes nothing else from the person; what happens around the
/// vault waits. Secrets leave their fields before anything is done with them, and are let go of when it is done.
@MainActor
package final class WindowSession {
    package weak var view: (any SessionView)?

    let thread: CoreThread
    private let core: Core
    private let pages: @Sendable (ActionResult) -> Page
    let sources: ScanSources
    /// What the person sees; nil before the first page.
    private(set) var page: Page?
    var isWorking = false
    /// What happened around the vault while something else was being done, until that is done or brings a newer page.
    private var news: Page?
    private var lastSign: ContinuousClock.Instant?
    var scan: RunningScan?
    /// What a scan has brought while something else was being done.
    var scanned: [UInt8]?
    /// How many films were begun in the camera's place.
    var filmsRead = 0

    /// How often at the most the core is told that somebody is there.
    private static let signsEvery = Duration.seconds(1)

    /// - Parameters:
    ///   - pages: makes the page of a result.
    ///   - sources: what is scanned.
    package init(
        _ vault: SessionVault, pages: @escaping @Sendable (ActionResult) -> Page, sources: ScanSources
    ) {
        self.pages = pages
        self.sources = sources
        core = Core(host: vault.host)
        thread = CoreThread { next in vault.whileWaiting(until: { $0?.isByPerson ?? true }, next) }
    }

    /// Shows the first page.
    package func start() { run([Step(action: .start, values: CallValues(data: ""))]) }

    /// Lets go of everything that is secret and locks the vault, once the action under way is done. From any thread.
    nonisolated package func close() { core.close() }

    // MARK: Actions

    /// An action with what goes along.
    struct Step: Sendable {
        var action: UserAction
        var values: CallValues
        /// The page that the person saw; nil where it does not matter.
        var page: Position?
    }

    /// What came of steps: the last page, and why it did not go on.
    struct Outcome: Sendable {
        var page: Page?
        var failure: CoreError?
    }

    /// Does steps one after the other, until one does not go.
    func run(_ steps: [Step]) {
        isWorking = true
        view?.show(work: Self.work(of: steps))
        thread.run { [weak self, core, pages] in
            let outcome = Self.outcome(of: steps, core, pages)
            DispatchQueue.main.async { self?.finish(outcome) }
        }
    }

    /// Does steps while the window waits: those that a key asks for, which are quick and come close behind each other.
    private func runAtOnce(_ steps: [Step]) {
        let outcome = thread.wait { [core, pages] in Self.outcome(of: steps, core, pages) }
        if outcome.page != nil { pagesAtOnce += 1 }
        show(outcome)
    }

    /// Pages that were shown while the window waited for them. What the thread did before one of these, and tells
    /// behind it, is older than it.
    private var pagesAtOnce = 0

    nonisolated private static func outcome(
        of steps: [Step], _ core: Core, _ pages: @Sendable (ActionResult) -> Page
    ) -> Outcome {
        var outcome = Outcome()
        for step in steps {
            do throws(CoreError) {
                let result = try core.action(
                    step.action, data: step.values.data, secret: step.values.secret,
                    credential: step.values.credential, on: step.page)
                outcome.page = pages(result)
                if result.rule == nil || result.alert != nil { break }
            } catch {
                outcome.failure = error
                break
            }
        }
        return outcome
    }

    private func finish(_ outcome: Outcome) {
        isWorking = false
        view?.show(work: nil)
        show(outcome)
        showNews()
        takeScanned()
    }

    private func show(_ outcome: Outcome) {
        if let page = outcome.page { show(page) }
        if let failure = outcome.failure { view?.tell(Text(own: failure.description)) }
    }

    private func show(_ page: Page) {
        (self.page, news) = (page, nil)
        // Nothing of another place goes on behind this one.
        followScanner(to: page)
        view?.show(page)
    }

    /// What a person reads while steps take their time.
    private static func work(of steps: [Step]) -> Text {
        switch steps.first?.action {
        case .start: "Looking at this machine"
        case .transactionFetched, .shareFetched: "Reading what was scanned"
        case .runSelfCheck: "Checking"
        default: "Working"
        }
    }

    // MARK: What happens around the vault

    /// The network of this machine is not what it was.
    ///
    /// - Parameter seen: is called once the core has looked.
    package func networkChanged(seen: @escaping @Sendable () -> Void) {
        thread.follow { [weak self, core, pages, pagesAtOnce] in
            let page = Self.page(after: .network, core, pages)
            seen()
            DispatchQueue.main.async { if self?.pagesAtOnce == pagesAtOnce { self?.tell(of: page) } }
        }
    }

    /// The vault has locked itself, or somebody has locked it.
    package func vaultLocked() {
        // What it says is gone from the vault is gone from the screen first.
        view?.hideSecrets()
        thread.follow { [weak self, core, pages, pagesAtOnce] in
            let page = Self.page(after: .lock, core, pages)
            DispatchQueue.main.async { if self?.pagesAtOnce == pagesAtOnce { self?.tell(of: page) } }
        }
    }

    private enum Cause { case network, lock }

    /// - Returns: nil where nothing is different.
    nonisolated private static func page(
        after cause: Cause, _ core: Core, _ pages: @Sendable (ActionResult) -> Page
    ) -> Page? {
        guard let position = try? core.position(), position.screen != .nowhere else {
            // Looked at all the same: what nobody looks at is told again at once.
            if cause == .network { _ = core.host.detector() }
            return nil
        }
        if cause == .lock, position.screen == .unlock { return nil }
        guard let result = try? core.hostChanged() else { return nil }
        return pages(result)
    }

    private func tell(of page: Page?) {
        guard let page else { return }
        news = page
        // An action that waits behind this brings a newer page; work on a file, and an action that is refused, do not.
        if !isWorking { showNews() }
    }

    /// Shows what happened around the vault, where the page does not show it yet.
    func showNews() {
        guard let news else { return }
        self.news = nil
        if news != page { show(news) }
    }
}

extension WindowSession: PageHandler {
    package func perform(_ message: Message, with values: any FieldValues) {
        guard !isWorking else { return }
        switch message {
        case .window(let call): perform(call)
        case .core(let calls): perform(calls, with: values)
        }
    }

    private func perform(_ calls: [CoreCall], with values: any FieldValues) {
        do {
            for call in calls { try call.check(values) }
            let choices = page?.choices
            var steps = try calls.map { call in
                Step(action: call.action, values: try call.values(values, choices: choices))
            }
            // Those behind it are meant for the page that it leads to.
            if !steps.isEmpty { steps[0].page = page?.position }
            steps.allSatisfy(\.isOfOneKey) ? runAtOnce(steps) : run(steps)
        } catch CallError.needs(let otherwise) {
            view?.tell(otherwise)
        } catch CallError.otherPage {
            view?.tell("That belongs to another page. Nothing was done.")
        } catch {
            view?.tell("Nothing was done. \(own: "\(error)")")
        }
    }

    package func verdict(onPath path: String) -> FieldVerdict? {
        guard !isWorking else { return nil }
        return thread.wait { [core] in
            do { return FieldVerdict(try core.derivationCheck(path), of: path) } catch { return nil }
        }
    }

    package func phrase() throws -> SecretBytes {
        guard !isWorking else { throw CoreError.busy }
        return try thread.wait { [core] in Result { try core.backupPhrase() } }.get()
    }

    package func personIsThere() {
        let now = ContinuousClock.now
        guard lastSign.map({ now - $0 >= Self.signsEvery }) ?? true else { return }
        lastSign = now
        thread.run {}
    }
}

extension WindowSession.Step {
    /// Whether it belongs to one key of many that are typed.
    fileprivate var isOfOneKey: Bool { action == .textEntry || action == .pushWord }
}
