import ArgumentParser
import RaptorQ

/// Options that say how an object is cut.
struct CodeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Bytes of a symbol at the most (P'), 1 to 65535.", valueName: "bytes"))
    var symbolSize = 1072

    @Option(help: ArgumentHelp("Working memory that sub-blocks fit in (WS).", valueName: "size"))
    var workingMemory = ByteSize(bytes: ObjectParameters.defaultWorkingMemory)

    func parameters(objectSize: Int) throws -> ObjectParameters {
        try ObjectParameters.defaults(
            objectSize: objectSize, maximumPayloadSize: symbolSize, workingMemory: workingMemory.bytes)
    }
}

/// The numberings of repair symbols by their names.
enum Numbering: String, ExpressibleByArgument, CaseIterable {
    case rfc6330, vault

    var numbering: SymbolNumbering { self == .vault ? .vault : .rfc6330 }
}
