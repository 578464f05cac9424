import AirgapLink
import Dispatch
import Files
import Navigator
import Screens
import TextForms

/// Files that a person opens or saves.
extension WindowSession {
    /// Reads a payload, and takes it as one that was scanned.
    func readPayload(at path: String) {
        let screen = page?.position.screen
        work("Reading the file") { () throws(FileError) in
            try PayloadFile.payload(at: path, allowsPipes: false)
        } then: { session, payload in
            // The page may be another one by now, as where the vault has locked itself.
            guard session.page?.position == screen.map({ Position($0) }) else { return }
            guard let payload else {
                session.view?.tell(
                    failure: "The file is not hex: an even number of the digits 0-9 and a-f is expected.")
                return
            }
            session.take(payload, for: .payload)
        }
    }

    /// Reads a file of metadata, or a proof, for an action.
    func readContent(at path: String, for action: UserAction) {
        work("Reading the file") { () throws(FileError) in
            try PayloadFile.content(at: path, limit: PayloadFile.limit)
        } then: { session, content in
            guard session.page?.position == Position(.metadataFiles) else { return }
            session.run([Step(action: action, values: CallValues(data: Hex.encode(content)))])
        }
    }

    /// Writes a file in the place of what is there, at once or not at all.
    func write(_ content: FileContent, to path: String) {
        work("Writing the file") { () throws(FileError) in
            try PreparedFile.replace(FilePath(path), with: content.bytes)
        } then: { session, _ in
            session.view?.tell("Saved as \(path).")
        }
    }

    /// Reads or writes a file beside the thread of the core, so that a slow disk keeps no vault from locking itself.
    ///
    /// - Parameters:
    ///   - words: what a person reads meanwhile.
    ///   - body: does it, on any thread.
    ///   - then: gets what came of it.
    func work<Content: Sendable>(
        _ words: Text, _ body: @escaping @Sendable () throws(FileError) -> Content,
        then: @escaping @MainActor (WindowSession, Content) -> Void
    ) {
        guard !isWorking else { return }
        stopScanning()
        isWorking = true
        view?.show(work: words)
        DispatchQueue.global().async { [weak self] in
            let result = Result { () throws(FileError) in try body() }
            DispatchQueue.main.async {
                guard let self else { return }
                self.isWorking = false
                self.view?.show(work: nil)
                self.showNews()
                switch result {
                case .success(let content): then(self, content)
                case .failure(let error): self.view?.tell(failure: Text(own: "\(error)"))
                }
            }
        }
    }
}
