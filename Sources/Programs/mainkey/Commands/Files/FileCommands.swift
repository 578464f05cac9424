import ArgumentParser
import BasicFoundation
import Console
import Files
import MainKey
import TextForms

/// What a file is bound to.
struct ContextOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What the file is bound to, for example its name: it opens with the same text only.", valueName: "text"))
    var context = ""

    var bytes: [UInt8] { Array(context.utf8) }
}

/// What a command has done with a file.
private struct FileJSON: Encodable {
    var file: String
    /// The number of plaintext bytes.
    var bytes: UInt64
}

struct Encrypt: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encrypt",
        abstract: "Encrypt a file. - is standard input or output.",
        discussion: """
            The output appears when it is whole, and replaces what was there. That an older output is put back is \
            noticed if the vault lists it (--listed), without a TPM too; that the whole vault is put back with it, \
            only with a TPM and --strict-anchor. One that is not listed is never noticed. Writing a listed file takes \
            two commits of the vault.

            If a rotation begins meanwhile, nothing is replaced and the exit code is 34: encrypt it again. What went \
            to standard output by then does not count.
            """)

    @OptionGroup var context: ContextOptions
    @OptionGroup var listing: ListedOptions

    @Argument(help: "The file, or - for standard input.", completion: .file()) var input: String

    @Argument(help: "Where the encrypted file goes, or - for standard output.", completion: .file()) var destination:
        String

    @Option(name: .customLong("chunk-log2"), help: "Chunks of 2 to this power bytes, 12 to 20.")
    var chunkLog2 = 16

    @OptionGroup var output: OutputOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var place: PlaceOptions

    func validate() throws {
        guard (12...20).contains(chunkLog2) else { throw ValidationError("--chunk-log2 takes 12 to 20.") }
    }

    func run() throws {
        try listing.checkIsFile(input, destination)
        let vault = try credentials.unlocked(place)
        let progress = FileProgress("Encrypting", of: input)
        defer { progress.end() }
        let count = try vault.withUnlocked { vault in
            if input == "-" || destination == "-" {
                try Streams.run(from: input, to: destination) { source, sink in
                    try vault.encrypt(
                        from: source, to: sink, context: context.bytes, chunkLog2: chunkLog2, progress: progress.show)
                }
            } else {
                try vault.encryptFile(
                    at: input, to: destination, context: context.bytes, chunkLog2: chunkLog2,
                    listedAs: listing.name(forFileAt: destination), progress: progress.show)
            }
        }
        try Streams.tell(FileJSON(file: destination, bytes: count), output, to: destination)
    }
}

struct Decrypt: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decrypt",
        abstract: "Decrypt a file. - is standard input or output.",
        discussion: """
            The output appears when the last byte has been verified. To standard output each piece is verified before \
            it is written; that nothing is missing at the end is certain only if the exit code is 0.

            A file that the vault lists under its path is compared with what was written last, also without --listed. \
            What comes from standard input or a pipe is not.
            """)

    @OptionGroup var context: ContextOptions
    @OptionGroup var listing: ListedOptions

    @Argument(help: "The encrypted file, or - for standard input.", completion: .file()) var input: String
    @Argument(help: "Where what it holds goes, or - for standard output.", completion: .file()) var destination: String

    @OptionGroup var output: OutputOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var place: PlaceOptions

    func run() throws {
        try listing.checkIsFile(input)
        let vault = try credentials.unlocked(place)
        let progress = FileProgress("Decrypting", of: input)
        defer { progress.end() }
        let count = try vault.withUnlocked { vault in
            if destination == "-", input != "-", (try? Stat(FilePath(input)))?.type == .regular {
                let reader = try vault.fileReader(
                    at: input, context: context.bytes, listedAs: listing.name(forFileAt: input))
                try Streams.write(reader, 0..<reader.byteCount, progress: progress.show)
                return UInt64(reader.byteCount)
            } else if input == "-" || destination == "-" {
                try listing.checkIsFile(destination)
                return try Streams.run(from: input, to: destination) { source, sink in
                    try vault.decrypt(from: source, to: sink, context: context.bytes, progress: progress.show)
                }
            } else {
                return try vault.decryptFile(
                    at: input, to: destination, context: context.bytes, listedAs: listing.name(forFileAt: input),
                    progress: progress.show)
            }
        }
        try Streams.tell(FileJSON(file: destination, bytes: count), output, to: destination)
    }
}

struct Cat: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat", abstract: "Write a part of an encrypted file to standard output.")

    @OptionGroup var context: ContextOptions
    @OptionGroup var listing: ListedOptions

    @Argument(help: "The encrypted file.", completion: .file()) var input: String

    @Option(help: "The first byte.")
    var offset = 0

    @Option(help: "So many bytes at the most; all if not given.")
    var length: Int?

    @OptionGroup var output: OutputOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var place: PlaceOptions

    func validate() throws {
        guard offset >= 0, length ?? 0 >= 0 else { throw ValidationError("Offset and length are not negative.") }
    }

    func run() throws {
        let vault = try credentials.unlocked(place)
        try vault.withUnlocked { vault in
            let reader = try vault.fileReader(
                at: input, context: context.bytes, listedAs: listing.name(forFileAt: input))
            let start = min(offset, reader.byteCount)
            let end = start + min(length ?? .max, reader.byteCount - start)
            if output.json {
                struct Part: Encodable {
                    var offset: Int
                    var size: Int
                    var hex: String
                }
                let bytes = try reader.read(at: start, count: end - start)
                return try output.printJSON(
                    Part(offset: start, size: reader.byteCount, hex: Hex.encode(bytes)))
            }
            try Streams.write(reader, start..<end)
        }
    }
}

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Verify encrypted files from the first to the last byte, and write nothing.",
        discussion: """
            Goes on after a bad file; the exit code is that of the first one. Files that the vault lists are compared \
            with what was written last.
            """)

    @OptionGroup var context: ContextOptions
    @OptionGroup var listing: ListedOptions

    @Argument(help: "Encrypted files.", completion: .file()) var files: [String]

    @OptionGroup var output: OutputOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var place: PlaceOptions

    func run() throws {
        struct Checked: Encodable {
            var file: String
            var bytes: UInt64?
            var error: String?
        }
        let vault = try credentials.unlocked(place)
        var results: [Checked] = []
        var first: MainKeyError?
        // One use for all: a vault may lock after each.
        try vault.withUnlocked { vault in
            for file in files {
                let progress = FileProgress("Checking", of: file)
                defer { progress.end() }
                do throws(MainKeyError) {
                    let count = try vault.checkFile(
                        at: file, context: context.bytes, listedAs: listing.name(forFileAt: file),
                        progress: progress.show)
                    results.append(Checked(file: file, bytes: count))
                } catch {
                    results.append(Checked(file: file, error: error.code))
                    if first == nil { first = error }
                }
            }
        }
        if output.json {
            struct Answer: Encodable {
                var error: String?
                var files: [Checked]
            }
            try output.printJSON(Answer(error: first?.code, files: results))
        } else {
            print(
                Table.text(
                    ["FILE", "BYTES", "RESULT"],
                    results.map { [$0.file, $0.bytes.map { "\($0)" } ?? "-", $0.error ?? "ok"] }))
        }
        if let first { throw ExitCode(first.exitCode) }
    }
}

/// Commands on files of which one at least is a stream.
private enum Streams {
    static func run(
        from input: String, to destination: String, _ body: (_ source: Int32, _ sink: Int32) throws -> UInt64
    ) throws -> UInt64 {
        let source = try source(input)
        // What is half written must not look like a whole file.
        guard destination == "-" else {
            throw Failure.usage("From standard input the output goes to standard output too: - -")
        }
        return try body(source.descriptor.rawValue, STDOUT_FILENO)
    }

    /// Writes a part of a file to standard output, each piece once it is verified.
    static func write(
        _ reader: EncryptedFileReader, _ range: Range<Int>, progress: (UInt64) -> Void = { _ in }
    ) throws {
        for position in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
            try reader.read(at: position, count: min(1 << 20, range.upperBound - position)).withUnsafeBytes {
                try StandardOutput.write($0)
            }
            progress(UInt64(position - range.lowerBound))
        }
    }

    private static func source(_ input: String) throws -> OpenFile {
        if input == "-" { return OpenFile(borrowing: .standardInput, path: "standard input") }
        do throws(MainKeyError) { return try OpenFile(reading: input) } catch {
            if case .notFound = error { throw Failure.unreadable(path: input, reason: "there is none") }
            throw error
        }
    }

    /// Prints the result, unless the file itself went to standard output.
    static func tell(_ result: FileJSON, _ output: OutputOptions, to destination: String) throws {
        guard destination != "-" else { return }
        try output.show(result, text: "\(ScreenText.escape(result.file)): \(result.bytes) bytes.")
    }
}
