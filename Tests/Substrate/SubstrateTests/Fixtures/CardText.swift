import TextForms

@testable import Substrate

/// Cards written down as people read them, one a line, indented by two blanks a step: `name:` is a field, `#0` a field
/// without a name, `Name` a variant, `12` a number, `0x…` bytes, `-` an empty list, `none`, `true` and `false` are what
/// they say, `*5000` an amount of the network's token, `@0x…` an account, `Pallet.method()` a call.
enum CardText {
    static func cards(_ text: String) -> [Card] {
        text.split(separator: "\n").flatMap { line in
            let indent = line.prefix { $0 == " " }.count / 2
            return kinds(String(line.drop { $0 == " " })).enumerated().map {
                Card(indent: indent + $0.offset, kind: $0.element)
            }
        }
    }

    private static let noType = FieldType(blob: [0], offset: 0)

    private static func kinds(_ text: String) -> [CardKind] {
        if text.hasSuffix("()") {
            let names = text.dropLast(2).split(separator: ".")
            return [.pallet(name: String(names[0])), .method(name: String(names[1]), docs: .empty)]
        }
        return [kind(text)]
    }

    private static func kind(_ text: String) -> CardKind {
        let rest = String(text.dropFirst())
        if text.hasSuffix(":") {
            return .fieldName(FieldName(name: String(text.dropLast()), docs: .empty, type: noType))
        }
        switch text.first {
        case "#": return .fieldNumber(FieldNumber(number: Int(rest) ?? 0, docs: .empty, type: noType))
        case "-": return .default("")
        case "*":
            return .balance(
                Amount(UInt128(rest) ?? 0, decimals: TestChain.network.decimals, unit: TestChain.network.unit))
        case "@":
            let address = AccountAddress(accountID: Hex.decode(String(rest.dropFirst(2))) ?? [], prefix: 42)
            return address.map { .id($0) } ?? .none
        default: break
        }
        if text == "none" { return .none }
        if text.hasPrefix("0x") { return .bytes(Hex.decode(String(text.dropFirst(2))) ?? [], text: nil) }
        if text == "true" || text == "false" || UInt128(text) != nil { return .default(text) }
        return .enumVariantName(name: text, docs: .empty)
    }
}

/// The networks that the tests of arguments read for.
enum KnownNetwork {
    static let assetHub = network(
        .polkadot, genesis: "68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f")
    static let kusamaAssetHub = network(
        .kusama, genesis: "48239ef607d7928874027a43a67689209727dfb3d3dc5e5b03a39bdc2eda771a")
    static let people = network(
        .polkadot, genesis: "67fa177a097bfa18f77ea95ab56e9bcdfeb0e5b8a40e46298bb93e16b6fc5008")
    static let hydration = network(
        .polkadot, genesis: "afdc188f45c71dacbaa0b62e16a91f726c7b8699a9748cdf715459de6b7f366d")
    static let polkadot = network(.polkadot, genesis: KnownChain.Relay.polkadot.genesis)
    static let kusama = network(.kusama, genesis: KnownChain.Relay.kusama.genesis)
    static let westend = network(.westend, genesis: KnownChain.Relay.westend.genesis)

    private static func network(_ relay: KnownChain.Relay, genesis: String) -> NetworkSpecs {
        var specs = TestChain.network
        specs.base58Prefix = relay.prefix
        specs.genesisHash = Hex.decode(genesis).flatMap { Hash256($0) } ?? specs.genesisHash
        (specs.unit, specs.decimals) =
            switch relay {
            case .polkadot: ("DOT", 10)
            case .kusama: ("KSM", 12)
            case .westend: ("WND", 12)
            }
        return specs
    }
}

extension ArgumentReading {
    /// The lines as a screen might show them.
    func text(on network: NetworkSpecs) -> [String] {
        lines.map { line in
            line.map { piece in
                switch piece {
                case .indentation(let depth): String(repeating: "  ", count: depth)
                case .words(let words): words
                case .account(let address): address.text
                case .amount(let amount): amount.text(on: network)
                case .number(let number): number
                case .text(let text): "“\(text)”"
                case .bytes(let bytes): "0x\(Hex.encode(bytes))"
                }
            }.joined()
        }
    }
}

enum ReadCards {
    /// Reads cards that are written down as ``CardText``.
    static func read(
        _ text: String, as kind: StructuredKind, on network: NetworkSpecs = KnownNetwork.assetHub,
        sentTo destination: String? = nil
    ) -> ArgumentReading? {
        let value = CardText.cards(text)
        let other = destination.map(CardText.cards) ?? []
        return (value + other).withUnsafeBufferPointer { cards in
            ArgumentReader(cards: cards, network: network).read(
                0..<value.count, as: kind, sentTo: destination == nil ? nil : value.count..<cards.count)
        }
    }
}
