import TextForms

/// Instructions of XCM 4 and 5, as chains encode them.
enum Instruction {
    // MARK: Assets and places

    /// The token of the relay chain, as a parachain names it.
    static func relayToken(_ amount: UInt128) -> [UInt8] { [1, 0, 0] + Value.compact(amount) }

    /// An account on the chain itself.
    static func account(_ id: [UInt8]) -> [UInt8] { [0, 1, 1, 0] + id }

    /// A parachain beside the chain itself.
    static func sibling(_ id: UInt128) -> [UInt8] { [1, 1, 0] + Value.compact(id) }

    /// Whatever the program holds then.
    static let everything: [UInt8] = [1, 0]

    // MARK: Instructions

    static let clearOrigin: [UInt8] = [10]

    static func withdraw(_ assets: [UInt8]...) -> [UInt8] { [0] + Value.sequence(assets) }
    static func burn(_ assets: [UInt8]...) -> [UInt8] { [28] + Value.sequence(assets) }
    static func deposit(_ assets: [UInt8] = everything, to place: [UInt8]) -> [UInt8] { [13] + assets + place }
    static func alias(_ place: [UInt8]) -> [UInt8] { [46] + place }
    static func appendix(_ program: [[UInt8]]) -> [UInt8] { [22] + Value.sequence(program) }

    /// In version 4, which says what the call may weigh.
    static func transact(_ kind: OriginKind, _ call: [UInt8]) -> [UInt8] {
        [6, kind.rawValue] + Value.compact(4_000_000_000) + Value.compact(1_000_000) + Value.bytes(call)
    }

    enum OriginKind: UInt8, CaseIterable {
        case native, sovereignAccount, superuser, xcm
    }

    /// In version 5, without assets for its fees.
    static func transfer(to chain: [UInt8], preservesOrigin: Bool, _ program: [[UInt8]]) -> [UInt8] {
        [49] + chain + [0, preservesOrigin ? 1 : 0] + Value.sequence([]) + Value.sequence(program)
    }
}

extension Chain {
    /// Executes a program on an asset hub.
    func execute(_ program: [[UInt8]], version: UInt8 = 4) throws -> [UInt8] {
        try call(
            "PolkadotXcm", method: "execute", arguments: [version] + Value.sequence(program),
            Value.compact(0) + Value.compact(0))
    }
}
