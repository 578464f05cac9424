import ArgumentParser
import BasicFoundation
import Console
import MainKey
import TextForms

struct Seal: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seal",
        abstract: "Seal a value for a column: standard input to hex.",
        discussion: """
            A sealed value opens in its own column only, and in its own row if it is tied to one; an older value of \
            that row opens too, until the keys are rotated. Nothing is trimmed.
            """)

    @OptionGroup var column: ColumnOptions
    @OptionGroup var row: RowOptions

    @Option(help: "Hide the length up to a multiple of 16, 32, 64, 128 or 256 bytes.")
    var pad = 0

    @Option(
        name: .customLong("as"),
        help: "What the input is: \(ValueForm.allCases.map(\.rawValue).joined(separator: ", ")).")
    var form = ValueForm.text

    @OptionGroup var output: OutputOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var place: PlaceOptions

    func run() throws {
        let row = try row.binding()
        let vault = try credentials.unlocked(place)
        let input = try StandardInput.read()
        let sealed = try form.withValue(input) { value in
            try vault.withUnlocked { vault in try Self.seal(value, in: vault, column.purpose, row: row, padding: pad) }
        }
        try output.show(["sealed": Hex.encode(sealed)], text: Hex.encode(sealed))
    }

    private static func seal(
        _ value: some SealableValue, in vault: borrowing UnlockedVault, _ purpose: SealedPurpose, row: RowBinding,
        padding: Int
    ) throws -> [UInt8] {
        let epoch = try vault.currentEpoch
        let sealed = try vault.seal(value, purpose, row: row, padding: padding)
        try vault.checkIsActive(epoch)
        return sealed
    }
}

struct Open: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a sealed value: hex, as an argument or on standard input, to standard output.")

    @OptionGroup var column: ColumnOptions
    @OptionGroup var row: RowOptions

    @Argument(help: "The sealed value in hex; standard input if there is none.")
    var sealed: String?

    @OptionGroup var output: OutputOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var place: PlaceOptions

    func run() throws {
        let row = try row.binding()
        guard let bytes = Hex.decode(try sealed ?? StandardInput.readWord()) else { throw Failure.notHex("The value") }
        let vault = try credentials.unlocked(place)
        let json = output.json
        let shown = try vault.withUnlocked { vault -> Result<OpenedJSON?, any Error> in
            try vault.withOpened(bytes, column.purpose, row: row) { form, payload in
                Result { try Self.show(payload, as: form, json: json) }
            }
        }
        if let shown = try shown.get() { try output.printJSON(shown) }
    }

    /// Writes an opened value to standard output.
    ///
    /// - Returns: what is to be printed instead, for JSON.
    private static func show(
        _ payload: UnsafeRawBufferPointer, as form: SealableForm, json: Bool
    ) throws -> OpenedJSON? {
        try ValueForm.withText(of: payload, as: form) { text in
            if json { return OpenedJSON(form, text) }
            try StandardOutput.write(text)
            return nil
        }
    }
}

/// An opened value; bytes that are no text are hex.
private struct OpenedJSON: Encodable {
    var form: String
    var value: String?
    var hex: String?

    init(_ form: SealableForm, _ text: UnsafeRawBufferPointer) {
        self.form = "\(form)"
        if form == .bytes { hex = Hex.encode(text) } else { value = String(decoding: text, as: UTF8.self) }
    }
}

struct Index: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "The blind index of a value: standard input to hex.",
        discussion: """
            Equal values of a column have equal indexes, by which they are found. While a rotation is under way there \
            is one for each epoch, the newest last.
            """)

    @OptionGroup var column: ColumnOptions

    @Option(help: "Bytes, 4 to 32.")
    var length = 16

    @Option(
        name: .customLong("as"),
        help: "What the input is: \(ValueForm.allCases.map(\.rawValue).joined(separator: ", ")).")
    var form = ValueForm.text

    @OptionGroup var output: OutputOptions
    @OptionGroup var credentials: CredentialOptions
    @OptionGroup var place: PlaceOptions

    func validate() throws {
        guard (4...32).contains(length) else { throw ValidationError("An index has 4 to 32 bytes.") }
    }

    func run() throws {
        let vault = try credentials.unlocked(place)
        let input = try StandardInput.read()
        let indexes = try form.withValue(input) { value in
            try vault.withUnlocked { vault -> [String] in try self.indexes(of: value, in: vault) }
        }
        try output.show(["indexes": indexes], text: indexes.joined(separator: "\n"))
    }

    private func indexes(of value: some SealableValue, in vault: borrowing UnlockedVault) throws -> [String] {
        let active = try vault.currentEpoch
        var indexes: [String] = []
        for epoch in try vault.heldEpochs {
            indexes.append(
                Hex.encode(
                    try vault.blindIndex(
                        value, table: column.table, column: column.column, epoch: epoch, count: length)))
        }
        try vault.checkIsActive(active)
        return indexes
    }
}
