import Airgap
import ArgumentParser
import Console
import HotSide

/// How many, and where the film goes.
struct TestFilmOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How many, 1 to \(TestPayloads.limit).", valueName: "number"))
    var count = 10

    @Option(help: ArgumentHelp("The film: .apng, .gif, .html or .y4m.", valueName: "file"), completion: .file())
    var dstFile: String

    @OptionGroup var codes: FilmOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard 1...TestPayloads.limit ~= count else { throw ValidationError("--count is 1 to \(TestPayloads.limit).") }
    }

    /// Writes a payload as phones show them.
    func write(_ payload: [UInt8]) throws {
        let film = try codes.write(.phone(payload), to: dstFile)
        try output.show(film, text: film.text)
    }
}

struct KeyInfoExportToQR: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key-info-export-to-qr",
        abstract: "Make a test film: an export of keys of the public development phrase.")

    @OptionGroup var film: TestFilmOptions

    func run() throws { try film.write(TestPayloads.keyExport(count: film.count)) }
}

struct BulkTransactionTestPayload: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bulk-transaction-test-payload",
        abstract:
            "Make a test film: copies of one transfer in Westend 9122 by the public test key //Alice, to be signed together."
    )

    @OptionGroup var film: TestFilmOptions

    func run() throws { try film.write(TestPayloads.bulk(count: film.count)) }
}
