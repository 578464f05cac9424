extension ArgumentReader {
    /// - Parameter begins: what is known of the program before its first instruction.
    func readProgram(
        _ cursor: inout CardCursor, at place: Location, begins course: ProgramReader.Course
    ) -> ArgumentReading? {
        cursor.passVersion()
        var program = ProgramReader(reader: self, cursor: cursor)
        let scope = ProgramReader.Scope(place: place, depth: 0, movesOwnAssets: true)
        guard program.readWhole(scope, begins: course) else { return nil }
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

    /// What a program has done up to an instruction.
    struct Course {
        /// Whether it holds assets that no instruction has left to anybody, or sent on.
        var holdsAssets = false
        /// Whether the program itself took them, not one around it.
        var hasTakenAssets = false
        /// Whether what it still holds is left to somebody when it has ended.
        var isEmptiedInTheEnd = false
        /// Whether it may run for somebody else than the account that began it.
        var hasOtherOrigin = false

        mutating func pass(_ instruction: String) {
            switch instruction {
            case "WithdrawAsset", "ReserveAssetDeposited", "ReceiveTeleportedAsset", "ClaimAsset":
                (holdsAssets, hasTakenAssets) = (true, true)
            case "DepositAsset", "DepositReserveAsset", "InitiateReserveWithdraw", "InitiateTeleport",
                "InitiateTransfer", "BurnAsset":
                (holdsAssets, hasTakenAssets) = (false, false)
            default: break
            }
        }
    }

    /// What is known of the instruction that is being read.
    private struct Instruction {
        let name: String
        /// The indentation of its card.
        let indent: Int
        let scope: Scope
        /// The chain to which it sends what comes behind.
        var destination: Location?
        /// Whether what comes behind acts there for the account that sends it.
        var preservesOrigin = false
        /// The world that `ExportMessage` leaves for.
        var exported: Location.Consensus?
        var line: ProgramLine

        init(name: String, indent: Int, scope: Scope) {
            (self.name, self.indent, self.scope) = (name, indent, scope)
            line = ProgramLine(depth: scope.depth, name)
        }

        /// Whether its assets leave an account.
        var takesAssets: Bool {
            scope.movesOwnAssets
                && (name == "WithdrawAsset" || name == "TransferAsset" || name == "TransferReserveAsset")
        }

        var changesOrigin: Bool { scope.movesOwnAssets && OriginResolver.changesOfOrigin.contains(name) }
    }

    /// Reads a program to its end, and notes what it leaves to nobody.
    ///
    /// - Returns: false where the cards are no instructions, or programs stand too deep inside each other.
    mutating func readWhole(_ scope: Scope, begins course: Course) -> Bool {
        var course = course
        guard readInstructions(scope, &course) else { return false }
        if course.holdsAssets, !course.isEmptiedInTheEnd { reading.marks.insert(.strands) }
        return true
    }

    private mutating func readInstructions(_ scope: Scope, _ course: inout Course) -> Bool {
        guard scope.depth <= ArgumentReader.Limits.programDepth, let indent = cursor.indent else { return false }
        if cursor.emptyList() {
            reading.lines.append(ProgramLine(depth: scope.depth, "no instructions").pieces)
            return true
        }
        while cursor.indent == indent {
            guard let name = cursor.variant() else { return false }
            guard read(Instruction(name: name, indent: indent, scope: scope), &course) else { return false }
        }
        return true
    }

    private mutating func read(_ first: Instruction, _ course: inout Course) -> Bool {
        var instruction = first
        let position = reading.lines.count
        reading.lines.append([])
        course.pass(first.name)
        if first.name == "BurnAsset" { reading.marks.insert(.burns) }
        if first.changesOrigin {
            // Without any origin nothing is taken or done for somebody else.
            if first.name != "ClearOrigin" { reading.marks.insert(.changesOrigin) }
            course.hasOtherOrigin = course.hasOtherOrigin || first.name != "ExecuteWithOrigin"
        }
        if first.name == "SetAppendix" || first.name == "SetErrorHandler" {
            guard readNested(instruction, &course) else { return false }
        }
        while cursor.isInside(first.indent) {
            switch cursor.fieldName {
            case "xcm", "remote_xcm", "effects", "message":
                cursor.advance()
                guard readNested(instruction, &course) else { return false }
            case "call" where first.name == "Transact": guard readTransact(&instruction) else { return false }
            default: guard readValue(&instruction, course) else { return false }
            }
        }
        reading.lines[position] = instruction.line.pieces
        return true
    }

    /// A program inside an instruction, which runs where the instruction has sent it.
    private mutating func readNested(_ instruction: Instruction, _ course: inout Course) -> Bool {
        let scope = instruction.scope
        let isOwn = instruction.destination == nil || instruction.preservesOrigin
        let inside = Scope(
            place: instruction.destination ?? scope.place, depth: scope.depth + 1,
            movesOwnAssets: scope.movesOwnAssets && isOwn)
        var inner = Course(hasOtherOrigin: course.hasOtherOrigin)
        switch instruction.name {
        case "ExecuteWithOrigin":
            // What it holds is the outer program's, for whom it runs is not.
            let outer = course.hasOtherOrigin
            course.hasOtherOrigin = true
            guard readInstructions(inside, &course) else { return false }
            course.hasOtherOrigin = outer
            return true
        case "SetAppendix", "SetErrorHandler":
            inner.holdsAssets = true
            guard readInstructions(inside, &inner) else { return false }
            if instruction.name == "SetAppendix" { course.isEmptiedInTheEnd = !inner.holdsAssets }
            if inner.hasTakenAssets { reading.marks.insert(.strands) }
            return true
        case "ExportMessage", "BuyExecution": break
        default:
            // It is sent with assets; up to version 1 the effects of a withdrawal stand inside it.
            inner.holdsAssets = true
            if instruction.name != "TransferReserveAsset" { course.holdsAssets = false }
        }
        return readWhole(inside, begins: inner)
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
    private mutating func readValue(_ instruction: inout Instruction, _ course: Course) -> Bool {
        let label = cursor.fieldName
        if label == "parents" { return readLocation(nil, &instruction) }
        if cursor.isAtAsset {
            var trial = cursor
            if let asset = trial.asset() {
                cursor = trial
                add(asset, &instruction, after: course)
                return true
            }
        }
        guard let label else { return readCard(&instruction) }
        cursor.advance()
        instruction.line.startParameter(label)
        if instruction.name == "ExportMessage" { return readExport(label, &instruction) }
        if label == "preserve_origin" {
            var trial = cursor
            instruction.preservesOrigin = trial.bool() ?? false
        }
        return cursor.fieldName == "parents" ? readLocation(label, &instruction) : true
    }

    private mutating func readLocation(_ label: String?, _ instruction: inout Instruction) -> Bool {
        guard let told = cursor.location() else { return false }
        if label == "beneficiary" {
            let found = reader.beneficiary(told, at: instruction.scope.place)
            instruction.line.addValue(found.pieces)
            reading.accounts.append(found.account)
            return true
        }
        let location = told.seen(through: instruction.scope.place).simplified(on: reader.chain)
        instruction.line.addValue(reader.words.pieces(location))
        let isTarget = label == "dest" || label == "destination" || label == "reserve"
        if isTarget { instruction.destination = location }
        // What the program runs for from then on gets nothing by that.
        let isReceiver = instruction.name != "AliasOrigin" && (!isTarget || !location.split.inside.isEmpty)
        if isReceiver { reading.accounts.append(reader.words.recipient(location)) }
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

    private mutating func add(_ asset: LocatedAsset, _ instruction: inout Instruction, after course: Course) {
        let place = instruction.scope.place
        instruction.line.addValue(reader.pieces(asset, at: place))
        guard instruction.takesAssets else { return }
        var moved = reader.moved(asset, at: place)
        // Out of another account, or of this one under another name: no total says which.
        if course.hasOtherOrigin { moved.value = nil }
        reading.amounts.append(moved)
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
    private(set) var pieces: [ValuePiece]
    private var isFirst = true

    /// - Parameter depth: programs around the instruction.
    init(depth: Int, _ name: String) {
        pieces = (depth > 0 ? [.indentation(depth)] : []) + [.words(name)]
    }

    mutating func add(_ piece: ValuePiece) { pieces.append(piece) }

    /// The name of a parameter, whose value comes next.
    mutating func startParameter(_ name: String) {
        add(.words("\(isFirst ? " " : ", ")\(name)"))
        isFirst = false
    }

    mutating func addValue(_ value: [ValuePiece]) {
        add(.words(" "))
        pieces += value
        isFirst = false
    }
}
