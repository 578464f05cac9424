import ArgumentParser
import HotSide

/// The set flag of a command.
enum SetFlagOption: String, EnumerableFlag {
    case fromDatabase = "f"
    case direct = "d"
    case known = "k"
    case populate = "p"
    case total = "t"

    static func name(for value: SetFlagOption) -> NameSpecification { .customShort(Character(value.rawValue)) }

    static func help(for value: SetFlagOption) -> ArgumentHelp? {
        switch value {
        case .fromDatabase: "Write files from the database; ask nobody."
        case .direct: "Ask and write files; leave the database as it is."
        case .known: "Ask and store; write files of what is new."
        case .populate: "Ask and store; write no file."
        case .total: "Ask, store and write files."
        }
    }

    var flag: SetFlag { SetFlag(rawValue: rawValue) ?? .total }
}

/// What a command is about, and what it does.
struct SetOptions: ParsableArguments {
    @Flag(exclusivity: .exclusive)
    var set = SetFlagOption.total

    @Flag(name: .customShort("a"), help: "Every network of the address book.")
    var all = false

    @Option(name: [.customShort("n"), .long], help: ArgumentHelp("One network, by its name.", valueName: "name"))
    var name: String?

    @Option(
        name: [.customShort("u"), .long],
        help: ArgumentHelp("The network at an address: wss://…, https://…", valueName: "url"))
    var url: String?

    @Option(help: ArgumentHelp("A second node of the network, which must tell the same.", valueName: "url"))
    var compare: String?

    func validate() throws {
        let count = (all ? 1 : 0) + (name == nil ? 0 : 1) + (url == nil ? 0 : 1)
        guard count == 1 else { throw ValidationError("Say which networks, once: -a, -n NAME or -u URL.") }
        guard compare == nil || !all else { throw ValidationError("--compare goes with one network.") }
    }

    func reference(_ hot: HotOptions) throws -> Reference {
        if let name { return .name(name) }
        if let url { return .url(try hot.url(url)) }
        return .all
    }

    func other(_ hot: HotOptions) throws -> NodeURL? { try compare.map { try hot.url($0) } }
}

/// A scheme by its name on the command line.
enum SchemeOption: String, ExpressibleByArgument, CaseIterable {
    case ed25519, sr25519, ecdsa, ethereum
}
