import Testing
import TextForms

@testable import Substrate

/// A call of a chain whose metadata are shipped, read argument by argument.
struct ReadCall {
    let call: DecodedCall
    let network: NetworkSpecs

    /// - Parameter hex: the call without its length.
    init(_ hex: String, on chain: ShippedChain) throws {
        let bytes = try #require(Hex.decode(hex))
        let decoder = try chain.decoder()
        call = try decoder.readCall(bytes).expanded(in: bytes, by: decoder)
        network = chain.network
    }

    /// An argument of the outermost call.
    func read(_ name: String, as kind: StructuredKind? = nil, sentTo destination: String? = nil) throws
        -> ArgumentReading
    {
        try call.cards.withUnsafeBufferPointer { cards in
            let tree = CallTree(cards, calls: call.calls)
            let value = try #require(tree.argument(name, of: tree.nodes[0]))
            var told = kind
            if case .fieldName(let field) = cards[value.lowerBound - 1].kind {
                told = told ?? StructuredKind(typePath: field.type.path)
            }
            let reader = ArgumentReader(cards: cards, network: network)
            let place = destination.flatMap { tree.argument($0, of: tree.nodes[0]) }
            let known = try #require(told)
            return try #require(reader.read(value, as: known, sentTo: place))
        }
    }

    func text(_ name: String, as kind: StructuredKind? = nil, sentTo destination: String? = nil) throws -> [String] {
        try read(name, as: kind, sentTo: destination).text(on: network)
    }
}
