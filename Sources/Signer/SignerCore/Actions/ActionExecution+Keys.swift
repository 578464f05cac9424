import Navigator
import SCALE
import Signer
import Substrate
import TextForms

/// Keys on the screen: which are shown, swiped, selected, removed.
extension ActionExecution {
    /// The seed's keys in the network, without the root's card.
    func shownKeys() throws -> [StoredKey] { try vault().shownKeys(seed: state.seed, network: state.network) }

    /// The key that the data name, if it is among those shown.
    func namedKey() throws -> StoredKey {
        let key = Hex.decode(data).flatMap { try? MultiSigner(scaleEncoded: $0) }
        guard let key, let stored = try shownKeys().first(where: { $0.signer == key }) else {
            throw CoreError.keyUnknown(key: data)
        }
        return stored
    }

    /// The network that the data name.
    func namedNetwork() throws -> NetworkKey {
        let key = Hex.decode(data).flatMap { try? NetworkKey(scaleEncoded: $0) }
        guard let key, try vault().networks().contains(where: { $0.key == key }) else {
            throw CoreError.networkUnknown(key: data)
        }
        return key
    }

    func keyIsKnown() -> Bool {
        succeeds {
            switch action {
            case .changeNetwork, .goForward: _ = try namedNetwork()
            default: _ = try namedKey()
            }
        }
    }

    func setNetwork() throws {
        state.network = try namedNetwork()
        state.specialty = .none
    }

    func chooseKey() throws { state.key = try namedKey().signer }

    // MARK: Swiping and selecting

    /// Does nothing while several are being selected.
    func toggleSwipe() throws {
        let key = try namedKey().signer
        switch state.specialty {
        case .selecting: break
        case .swiped(key): state.specialty = .none
        case .swiped, .none: state.specialty = .swiped(key)
        }
    }

    /// Begins a selection if there is none, and does nothing while a key is swiped.
    func toggleInSelection() throws {
        let key = try namedKey().signer
        switch state.specialty {
        case .swiped: break
        case .none: state.specialty = .selecting([key])
        case .selecting(var keys):
            if let index = keys.firstIndex(of: key) { keys.remove(at: index) } else { keys.append(key) }
            state.specialty = .selecting(keys)
        }
    }

    func selectAll() throws {
        guard case .selecting(let keys) = state.specialty else { return }
        let all = try shownKeys().map(\.signer)
        state.specialty = .selecting(keys.count == all.count ? [] : all)
    }

    func selectionIsNonempty() -> Bool {
        if case .selecting(let keys) = state.specialty { !keys.isEmpty } else { false }
    }

    /// The next one of what is shown one by one, or the one before; behind the last is the first.
    func select(_ step: Int) throws {
        func moved(_ index: Int, count: Int) -> Int { count == 0 ? 0 : (index + step + count) % count }
        if var split = state.split {
            split.index = moved(split.index, count: split.shares.count)
            split.shown.insert(split.index)
            state.split = split
        } else if case .selecting(let keys) = state.specialty {
            state.unit = moved(state.unit, count: keys.count)
        }
    }

    // MARK: Removing

    func removesKeys() -> Bool {
        var keys: [MultiSigner] = []
        if state.position.screen == .keyDetails {
            keys = state.key.map { [$0] } ?? []
        } else {
            switch state.specialty {
            case .none: break
            case .swiped(let key): keys = [key]
            case .selecting(let selected): keys = selected
            }
        }
        guard !keys.isEmpty, let network = state.network else { return false }
        return succeeds { try vault().removeKeys(keys, from: network) }
    }
}
