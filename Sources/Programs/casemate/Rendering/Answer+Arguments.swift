import Signer
import Substrate

extension Answer {
    /// The arguments of a call, with the lines that are shown of each: ``callCards`` hold all of them.
    func arguments(of leaf: CallLeaf) -> [CallArgument] {
        guard let effects, let network else { return [] }
        return CallArguments(of: leaf, in: callCards, effects: effects, network: network).all.map { argument in
            let rest = argument.value.count - Self.argumentLineLimit
            guard rest > 0 else { return argument }
            var cut = argument
            cut.value = argument.value.prefix(Self.argumentLineLimit) + [[.words("and \(rest) more, see in full")]]
            return cut
        }
    }

    /// Lines of one argument at the most.
    private static let argumentLineLimit = 16
}
