import Airgap
import AirgapLink
import AnimatedCodes
import ArgumentParser
import BasicFoundation
import Console
import Files
import RaptorQ
import Substrate
import TextForms

struct Receive: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recv",
        abstract: "Reads a file from QR codes: a camera, a film, pictures, a folder, or hex lines.",
        discussion: """
            Sources are read one after the other until the file is whole: /dev/video0 and other cameras; \
            .mjpeg, .y4m, .apng, .gif and other pictures; folders of them; .hex and .txt files and - with the \
            content of one code a line, in hex.

            Frames may be missed, doubled, out of order, and of several films at a time: the first file that \
            is whole ends the reading; --all reads on to the end, writes each, and ends with 2 if one is not whole, with 3 if codes contradict each other.

            A film has a budget: five minutes of work, 500000 pictures, 80 Gi pixels. One that has used it up is \
            read no further, which is said; --film-minutes gives it more.
            """)

    @Argument(help: ArgumentHelp("Where codes come from.", valueName: "source"), completion: .file())
    var sources: [String]

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("The file to write; - for standard output.", valueName: "file"), completion: .file())
    var out: String?

    @Option(help: ArgumentHelp("Numbering of repair codes: auto, vault or rfc6330.", valueName: "name"))
    var dialect = Dialect.auto

    @Option(help: ArgumentHelp("Bytes of a file at the most; with K, M or G.", valueName: "size"))
    var maxSize = ByteSize(bytes: 64 << 20)

    @Option(
        help: ArgumentHelp(
            "Keeps what was read and not written, and goes on from there next time.",
            valueName: "file"),
        completion: .file())
    var partial: String?

    @Flag(help: "Read on to the end and write every file: NAME-1, NAME-2, …")
    var all = false

    @OptionGroup var film: FilmOptions
    @OptionGroup var pictures: PictureOptions
    @OptionGroup var output: OutputOptions

    enum Dialect: String, ExpressibleByArgument, CaseIterable {
        case auto, vault, rfc6330

        var numbering: SymbolNumbering? {
            switch self {
            case .auto: nil
            case .vault: .vault
            case .rfc6330: .rfc6330
            }
        }
    }

    func validate() throws {
        guard !sources.isEmpty else { throw ValidationError("Say where codes come from: a camera, a film, a folder.") }
        if all, out.map({ $0 == "-" }) ?? !output.json {
            throw ValidationError("--all may write several files: name them with -o NAME.")
        }
        if output.json, out == "-" { throw ValidationError("--json and -o - would mix on standard output.") }
    }

    func run() throws {
        if out == nil, isatty(STDOUT_FILENO) == 1, !output.json { throw Failure.noOutputFile }
        // A person shall not film for minutes what then has no place.
        let file = try out.flatMap { $0 == "-" ? nil : try PreparedFile(for: FilePath($0)) }
        // What is kept of minutes before a camera is not lost with the terminal, either.
        Interrupt.catchOnce(
            partial == nil ? [SIGINT] : [SIGINT, SIGTERM, SIGHUP], endsInput: sources.contains("-"))
        let begun = try partialFile?.kept() ?? PartialFile.Kept()
        var receiver = LinkReceiver(
            limit: maxSize.bytes, numbering: dialect.numbering, goingOnFromContradiction: begun.isContradicted)
        var payloads = begun.files
        var spent: SpentBudget?
        for content in begun.codes where all || payloads.isEmpty {
            payloads += receiver.receive(.content(content))
        }
        if payloads.isEmpty || all {
            var input = LinkInput(sources, reader: pictures.reader(film))
            payloads += try read(&input, into: &receiver, &spent)
        }
        let unwritten = collected(receiver, files: payloads)
        if payloads.isEmpty || all {
            payloads += try rest(&receiver, isAnythingThere: !payloads.isEmpty, spent: spent)
        }
        guard all || payloads.count == 1 else {
            try partialFile?.keep(unwritten)
            throw Failure.severalFiles(count: payloads.count)
        }
        do { try finish(payloads, receiver, into: file) } catch {
            do { try partialFile?.keep(unwritten) } catch { Failure.tell("\(error)") }
            throw error
        }
        // What was collected is given up once the file is on the disk.
        let left = collected(receiver)
        try partialFile?.keep(left.codes.isEmpty && !all ? PartialFile.Kept() : left)
        guard all else { return }
        if receiver.isContradicted { throw Failure.conflicting(.mixedTransfers) }
        if let progress = receiver.progress {
            throw Failure.incomplete(
                "Of another file, \(progress.distinct) different codes of at least \(progress.needed) were seen."
                    + whereKept)
        }
    }

    /// Reads until a payload is whole; with --all, to the end.
    ///
    /// - Parameter spent: gets what a film has used up of its budget.
    private func read(
        _ input: inout LinkInput, into receiver: inout LinkReceiver, _ spent: inout SpentBudget?
    ) throws -> [LinkReceiver.Received] {
        var payloads: [LinkReceiver.Received] = []
        var line = ReceiveLine()
        defer { line.end() }
        do {
            while !Interrupt.isRequested, all || payloads.isEmpty, let item = try input.next() {
                payloads += receiver.receive(item)
                if case .unread(let path, let failure) = item {
                    if case .overBudget(let film) = failure { spent = film }
                    if !failure.isDamage {
                        line.end()
                        Failure.tell("\(ScreenText.escape(path)): \(failure)")
                    }
                }
                line.show(receiver.line(spentShare: input.spentShare))
            }
        } catch {
            let failure = pictures.failure(error)
            // What was read before is not lost with the source.
            if receiver.counts.distinct == 0, payloads.isEmpty { throw failure }
            line.end()
            Failure.tell(failure.description)
        }
        return payloads
    }

    /// What is whole at the end although no further frame vouches for it.
    private func rest(
        _ receiver: inout LinkReceiver, isAnythingThere: Bool, spent: SpentBudget?
    ) throws -> [LinkReceiver.Received] {
        do throws(TransferError) {
            return try receiver.finish().map { LinkReceiver.Received(payload: $0, isConfirmed: false) }
        } catch {
            guard !isAnythingThere else { return [] }
            try partialFile?.keep(collected(receiver))
            if output.json { try output.printJSON(Summary(files: [], receiver)) }
            if case .unableToDecode = error, let refusal = receiver.lastRefusal, receiver.counts.refused > 0 {
                throw Failure.conflicting(refusal)
            }
            if let spent { throw Failure.overBudget("\(spent)") }
            switch error {
            case .unableToDecode(let distinct, _) where distinct == 0:
                throw Failure.incomplete("No QR code was read. \(advice(receiver))")
            case .unableToDecode, .numberingUnknown:
                throw Failure.incomplete(error.description + whereKept)
            default: throw Failure.conflicting(error)
            }
        }
    }

    private func advice(_ receiver: LinkReceiver) -> String {
        if sources.contains(where: { $0.hasSuffix(".html") }) {
            return "A page (.html) is for browsers: open it there and point a camera at it, or give a film."
        }
        let counts = receiver.counts
        if counts.pictures == 0 { return "The source holds no pictures." }
        return counts.unread == counts.pictures
            ? "What was named is no picture or film: PNG, APNG, GIF, JPEG, MJPEG, PGM and Y4M are read."
            : "Bring the code closer, straight and sharp, and mind reflections."
    }

    private var partialFile: PartialFile? { partial.map { PartialFile($0) } }

    private var whereKept: String { partial.map { " What was read is kept in \($0)." } ?? "" }

    /// - Parameter files: those that are whole.
    private func collected(
        _ receiver: LinkReceiver, files: [LinkReceiver.Received] = []
    ) -> PartialFile.Kept {
        PartialFile.Kept(files: files, codes: receiver.openContents, isContradicted: receiver.isContradicted)
    }

    /// - Parameter file: what is asked for with -o; several payloads take names of their own beside it.
    private func finish(
        _ payloads: [LinkReceiver.Received], _ receiver: LinkReceiver, into file: PreparedFile?
    ) throws {
        var files: [Summary.File] = []
        for (index, received) in payloads.enumerated() {
            let payload = received.payload
            let path = out.map { payloads.count > 1 && $0 != "-" ? "\($0)-\(index + 1)" : $0 } ?? "-"
            if let file, payloads.count == 1 {
                try file.write(payload)
                try file.commit()
            } else if !(output.json && out == nil) {
                try FileBytes.write(payload, to: path)
            }
            files.append(
                Summary.File(
                    path: path == "-" ? nil : path, bytes: payload.count, confirmed: received.isConfirmed))
        }
        let summary = Summary(files: files, receiver)
        if output.json {
            try output.printJSON(summary)
        } else {
            StandardError.write((summary.text + "\n"))
        }
    }
}

extension Receive {
    /// What was read.
    struct Summary: Encodable {
        struct File: Encodable {
            let path: String?
            let bytes: Int
            /// Whether more codes than it took fit it, of numbered pieces each one again: codes of two files of one
            /// size could be mixed otherwise.
            let confirmed: Bool
        }

        let files: [File]
        let pictures: Int
        let codes: Int
        let distinct: Int
        let refused: Int
        let needed: Int?

        init(files: [File], _ receiver: LinkReceiver) {
            self.files = files
            pictures = receiver.counts.pictures
            codes = receiver.counts.codes
            distinct = receiver.counts.distinct
            refused = receiver.counts.refused
            needed = receiver.progress?.needed
        }

        var text: String {
            let names = files.map { "\($0.bytes) bytes" + ($0.path.map { " in \($0)" } ?? "") }.joined(separator: ", ")
            let conflicts = refused > 0 ? ", \(refused) that did not fit" : ""
            let doubt =
                files.allSatisfy(\.confirmed)
                ? ""
                : "\nNo code more than it takes has shown that all are of one file: compare it with its source."
            return "\(names); \(distinct) different codes\(conflicts) in \(pictures) pictures.\(doubt)"
        }
    }
}

extension LinkReceiver {
    fileprivate func line(spentShare: Double?) -> ReceiveLine.Counts {
        ReceiveLine.Counts(
            pictures: counts.pictures, codes: counts.codes, refused: counts.refused,
            parts: progress.map { ($0.distinct, $0.needed) }, spentShare: spentShare)
    }
}
