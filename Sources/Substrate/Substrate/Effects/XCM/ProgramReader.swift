extension ArgumentReader {
    func readProgram(_ cursor: inout CardCursor, at place: Location) -> ArgumentReading? {
        cursor.passVersion()
        var program = ProgramReader(reader: self, cursor: cursor)
        guard program.readInstructions(ProgramReader.Scope(place: place, depth: 0, movesOwnAssets: true)) else {
            return nil
        }
        cursor = program.cursor
        return program.reading
    }
}

/// Reads an XCM program, instruction by instruction, each with all its parameters: what has no words of its own stands
/// as the metadata name it, so that nothing is left out, whatever instructions a version of XCM has.
struct ProgramReader {
    let reader: ArgumentReader
    var cursor: CardCursor
    var reading = ArgumentReading()

    /// Where instructions run.
    struct Scope {
        /// The chain, as this one sees it.
        var place: Location
        /// Programs around it.
        var depth: Int
        /// Whether what is withdrawn is taken from the account that sends the program, not out of what it has taken
        /// before.
        var movesOwnAssets: Bool
    }

    /// What is known of the instruction that is being read.
    private struct Instruction {
        let name: String
        /// The indentation of its card.
        let indent: Int
        let scope: Scope
        /// The chain to which it sends what comes behind.
        var destination: Location?
        /// The world that `ExportMessage` leaves for.
        var exported: Location.Consensus?
        var line = ProgramLine()

        /// Whether its assets leave an account.
        var takesAssets: Bool {
            scope.movesOwnAssets
                && (name == "WithdrawAsset" || name == "TransferAsset" || name == "TransferReserveAsset")
        }
    }

    /// - Returns: false where the cards are no instructions, or programs stand too deep inside each other.
    mutating func readInstructions(_ scope: Scope) -> Bool {
        guard scope.depth <= ArgumentReader.Limits.programDepth, let indent = cursor.indent else { return false }
        if cursor.emptyList() {
            reading.lines.append([.words(ProgramLine.indentation(scope.depth) + "no instructions")])
            return true
        }
        while cursor.indent == indent {
            guard let name = cursor.variant() else { return false }
            guard read(Instruction(name: name, indent: indent, scope: scope)) else { return false }
        }
        return true
    }

    private mutating func read(_ first: Instruction) -> Bool {
        var instruction = first
        let position = reading.lines.count
        reading.lines.append([])
        instruction.line.add(.words(ProgramLine.indentation(first.scope.depth) + first.name))
        if first.name == "SetAppendix" || first.name == "SetErrorHandler" {
            guard readNested(instruction) else { return false }
        }
        while cursor.isInside(first.indent) {
            switch cursor.fieldName {
            case "xcm", "remote_xcm", "effects", "message":
                cursor.advance()
                guard readNested(instruction) else { return false }
            case "call" where first.name == "Transact": guard readTransact(&instruction) else { return false }
            default: guard readValue(&instruction) else { return false }
            }
        }
        reading.lines[position] = instruction.line.finished
        return true
    }

    /// A program inside an instruction, which runs where the instruction has sent it.
    private mutating func readNested(_ instruction: Instruction) -> Bool {
        let scope = instruction.scope
        return readInstructions(
            Scope(
                place: instruction.destination ?? scope.place, depth: scope.depth + 1,
                movesOwnAssets: scope.movesOwnAssets && instruction.destination == nil))
    }

    private mutating func readTransact(_ instruction: inout Instruction) -> Bool {
        cursor.advance()
        _ = cursor.field("encoded")
        guard let call = reader.readInlineCall(&cursor) else { return false }
        for line in call.lines {
            instruction.line.add(.words(": "))
            for piece in line { instruction.line.add(piece) }
        }
        reading.hidesCall = reading.hidesCall || call.hidesCall
        return true
    }

    // MARK: Parameters

    /// The cards of a parameter, or one of them.
    private mutating func readValue(_ instruction: inout Instruction) -> Bool {
        let label = cursor.fieldName
        if label == "parents" { return readLocation(nil, &instruction) }
        if cursor.isAtAsset {
            var trial = cursor
            if let asset = trial.asset() {
                cursor = trial
                add(asset, &instruction)
                return true
            }
        }
        guard let label else { return readCard(&instruction) }
        cursor.advance()
        instruction.line.startParameter(label)
        if instruction.name == "ExportMessage" { return readExport(label, &instruction) }
        return cursor.fieldName == "parents" ? readLocation(label, &instruction) : true
    }

    private mutating func readLocation(_ label: String?, _ instruction: inout Instruction) -> Bool {
        guard let told = cursor.location() else { return false }
        let location = told.seen(through: instruction.scope.place).simplified(on: reader.chain)
        instruction.line.addValue(reader.words.pieces(location))
        let isTarget = label == "dest" || label == "destination" || label == "reserve"
        if isTarget { instruction.destination = location }
        if !isTarget || !location.split.inside.isEmpty { reading.accounts.append(reader.words.recipient(location)) }
        return true
    }

    /// Reads which world a message leaves for, and the chain there.
    private mutating func readExport(_ label: String, _ instruction: inout Instruction) -> Bool {
        switch label {
        case "network": return cursor.consensus(&instruction.exported) && addExported(&instruction, [])
        case "destination":
            guard let interior = cursor.interior() else { return false }
            return addExported(&instruction, interior)
        default: return true
        }
    }

    private func addExported(_ instruction: inout Instruction, _ interior: [Location.Junction]) -> Bool {
        guard let world = instruction.exported else { return false }
        let levels = reader.chain?.parachain == nil ? 1 : 2
        let place = Location(parents: levels, interior: [.consensus(world)] + interior)
        instruction.destination = place
        instruction.line.addValue(reader.words.pieces(place))
        return true
    }

    private mutating func add(_ asset: LocatedAsset, _ instruction: inout Instruction) {
        let place = instruction.scope.place
        instruction.line.addValue(reader.pieces(asset, at: place))
        if instruction.takesAssets { reading.amounts.append(reader.moved(asset, at: place)) }
    }

    /// A card that stands for itself, or the name of an asset.
    private mutating func readCard(_ instruction: inout Instruction) -> Bool {
        switch cursor.variantName {
        case "AllOf", "AllOfCounted":
            cursor.advance()
            guard cursor.field("id"), let name = cursor.assetName(), cursor.field("fun"), let kind = cursor.variant()
            else { return false }
            instruction.line.addValue(
                [.words(kind == "NonFungible" ? "all things of " : "all of ")]
                    + reader.pieces(name, at: instruction.scope.place))
        case "Concrete", "Abstract":
            guard let name = cursor.assetName() else { return false }
            instruction.line.addValue(reader.pieces(name, at: instruction.scope.place))
        default:
            if let piece = cursor.kind.flatMap({ ValuePiece(card: $0) }) { instruction.line.addValue([piece]) }
            cursor.advance()
        }
        return true
    }
}

/// The line of an instruction: its name, then its parameters.
struct ProgramLine {
    private var pieces: [ValuePiece] = []
    private var surplus = 0
    private var isFirst = true

    /// Pieces of one line; how many more there are is said behind them.
    static let pieceLimit = 96

    static func indentation(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

    mutating func add(_ piece: ValuePiece) {
        guard pieces.count < Self.pieceLimit else {
            surplus += 1
            return
        }
        pieces.append(piece)
    }

    /// The name of a parameter, whose value comes next.
    mutating func startParameter(_ name: String) {
        add(.words("\(isFirst ? " " : ", ")\(name)"))
        isFirst = false
    }

    mutating func addValue(_ value: [ValuePiece]) {
        add(.words(" "))
        for piece in value { add(piece) }
        isFirst = false
    }

    var finished: [ValuePiece] {
        surplus == 0 ? pieces : pieces + [.words(" and \(surplus) values more")]
    }
}
