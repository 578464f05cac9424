import AirgapLink
import Dispatch
import Screens
import SecretMemory
import SplitBackup
import TextForms

/// What is scanned, and how.
package struct ScanSources: Sendable {
    /// The device file of the camera, `/dev/video0` for the first.
    package var camera: String
    /// Films, pictures and folders that are read in the camera's place, one for each scan; the last again and again.
    package var films: [String]
    /// How pictures are read.
    package var terms: PictureReader.Terms
    /// What to do where pictures are not read for want of a sandbox.
    package var remedy: Text
    /// Opens a camera by its path. A test gives one that it pretends.
    package var openCamera: @Sendable (String) throws(LinkError) -> Camera = { path throws(LinkError) in
        try Camera(path: path)
    }

    package init(camera: String, films: [String] = [], terms: PictureReader.Terms, remedy: Text) {
        (self.camera, self.films, self.terms, self.remedy) = (camera, films, terms, remedy)
    }
}

/// A scan that goes on.
struct RunningScan {
    let session: ScanSession
    let purpose: Scanner.Purpose
}

extension WindowSession {
    func perform(_ call: WindowCall) {
        switch call {
        case .startCamera: startCamera()
        case .openFilm:
            // What a camera still reads would be taken behind the question.
            if scan != nil { stopScanning() }
            view?.chooseSource { [weak self] path in self?.startScan(of: path) }
        case .openPayload:
            view?.chooseFile("A payload in a file", to: .read) { [weak self] path in self?.readPayload(at: path) }
        case .openMetadata:
            view?.chooseFile("Metadata in a file", to: .read) { [weak self] path in
                self?.readContent(at: path, for: .metadataFetched)
            }
        case .openProof:
            view?.chooseFile("A proof, or a payload with one", to: .read) { [weak self] path in
                self?.readContent(at: path, for: .proofFetched)
            }
        case .save(let content):
            view?.chooseFile("Where it goes", to: .write(named: content.name)) { [weak self] path in
                self?.write(content, to: path)
            }
        case .stopScanning: stopScanning()
        case .restartScanning: scan?.session.restart()
        case .closeWindow: view?.close()
        }
    }

    /// Takes the next film that is to be read in the camera's place, or the camera.
    private func startCamera() {
        guard !sources.films.isEmpty else { return startScan(of: sources.camera) }
        let film = sources.films[min(filmsRead, sources.films.count - 1)]
        filmsRead += 1
        startScan(of: film)
    }

    private func startScan(of path: String) {
        guard let scanner = page?.scanner else { return }
        stopScanning()
        let session = ScanSession([path], terms: sources.terms, openCamera: sources.openCamera) {
            BackupShare.isPlausible($0)
        }
        scan = RunningScan(session: session, purpose: scanner.purpose)
        view?.show(ScanUpdate())
        session.start { [weak self, weak session] in
            DispatchQueue.main.async {
                guard let self, let session, self.scan?.session === session, let update = session.takeUpdate() else {
                    return
                }
                self.view?.show(update)
            }
        } end: { [weak self, weak session] result in
            DispatchQueue.main.async {
                guard let self, let session, self.scan?.session === session else { return }
                self.finishScan(result)
            }
        }
    }

    private func finishScan(_ result: Result<[UInt8], ScanError>) {
        switch result {
        case .success(let payload):
            scanned = payload
            takeScanned()
        case .failure(let error):
            stopScanning()
            view?.tell(failure: text(of: error))
        }
    }

    private func text(of error: ScanError) -> Text {
        let text = Text(own: "\(error)")
        if case .link(.noSandbox) = error { return "\(text) \(sources.remedy)" }
        return text
    }

    /// Does what was scanned, unless something else is being done.
    func takeScanned() {
        guard !isWorking, let payload = scanned, let scan else { return }
        stopScanning()
        take(payload, for: scan.purpose)
    }

    func take(_ payload: [UInt8], for purpose: Scanner.Purpose) {
        switch purpose {
        case .payload where BackupShare.isPlausible(payload):
            view?.tell(
                failure:
                    "This code is a share of a split backup and asks for no signature. Recover the seed with it: go to the key sets, and choose to put a seed together from shares."
            )
        case .payload: run([Step(action: .transactionFetched, values: CallValues(data: Hex.encode(payload)))])
        case .share:
            run([Step(action: .shareFetched, values: CallValues(data: String(decoding: payload, as: UTF8.self)))])
        }
    }

    func stopScanning() {
        scan?.session.stop()
        (scan, scanned) = (nil, nil)
        view?.show(nil as ScanUpdate?)
    }

    /// Ends a scan where a page has no scanner any more, or one for something else.
    func followScanner(to page: Page) {
        if let scan, scan.purpose != page.scanner?.purpose { stopScanning() }
    }
}

extension Page {
    /// All blocks, those of folds and of what lies over the page too.
    private var blocks: [Block] {
        func flat(_ blocks: [Block]) -> [Block] {
            blocks.flatMap { block in
                if case .fold(_, let inner) = block { flat(inner) } else { [block] }
            }
        }
        return flat(body) + flat(sheet?.body ?? []) + flat(alert?.body ?? [])
    }

    /// The scanner of the page; nil for none.
    var scanner: Scanner? {
        for case .scanner(let scanner) in blocks { return scanner }
        return nil
    }

    /// The secrets to choose from; nil for none.
    var choices: SecretChoices? {
        for case .guesses(let choices) in blocks { return choices }
        return nil
    }
}
