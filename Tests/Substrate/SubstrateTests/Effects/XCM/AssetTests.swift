import TestSupport
import Testing

@testable import Substrate

@Suite("Assets in words")
struct AssetTests {
    private static let usdt = "X2\n  PalletInstance\n    50\n  GeneralIndex\n    1984"

    /// Cards of an asset with an amount, without a version.
    static func asset(parents: Int, interior: String, amount: String) -> String {
        let name = LocationTests.location(parents, interior).split(separator: "\n").dropFirst()
        return "id:\n" + name.joined(separator: "\n") + "\nfun:\n  Fungible\n    \(amount)"
    }

    private static func reading(
        _ asset: String, on network: NetworkSpecs = KnownNetwork.assetHub, sentTo destination: String? = nil
    ) -> ArgumentReading? {
        ReadCards.read(asset, as: .assets, on: network, sentTo: destination)
    }

    @Test(
        "amounts have the unit of what their location is",
        arguments: [
            (1, "Here", "50000000000000", KnownNetwork.assetHub, "5.0000000000000 kDOT"),
            (0, "Here", "50000000000000", KnownNetwork.polkadot, "5.0000000000000 kDOT"),
            (1, "Here", "50000000000000", KnownNetwork.people, "5.0000000000000 kDOT"),
            (1, "Here", "5", KnownNetwork.hydration, "5 units of the token of the relay chain (Polkadot)"),
            (0, usdt, "10000000", KnownNetwork.assetHub, "10.000000 USDT (Assets 1984)"),
            (0, usdt, "1", KnownNetwork.kusamaAssetHub, "0.000001 USDT (Assets 1984)"),
            (
                0, "X2\n  PalletInstance\n    50\n  GeneralIndex\n    7", "10000000", KnownNetwork.assetHub,
                "10000000 units of Assets 7"
            ),
            (
                1, "X1\n  Parachain\n    2000", "5", KnownNetwork.assetHub,
                "5 units of the token of parachain 2000 (Acala)"
            ),
            (1, "Here", "5", TestChain.network, "5 units of the token of the relay chain"),
            (0, "Here", "5", TestChain.network, "5 units of what this chain calls Here"),
            (0, "Here", "5", KnownNetwork.assetHub, "5 units of what this chain calls Here"),
            (0, usdt, "5", KnownNetwork.westend, "5 units of the asset index 1984 in pallet 50 on this chain"),
            (
                2,
                "X2\n  GlobalConsensus\n    Ethereum\n      chain_id:\n        1\n  AccountKey20\n    network:\n      none\n    key:\n"
                    + "      0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
                "5", KnownNetwork.assetHub,
                "5 units of the asset account 0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48 on Ethereum (chain id 1)"
            ),
        ])
    func units(parents: Int, interior: String, amount: String, network: NetworkSpecs, text: String) {
        let reading = Self.reading(Self.asset(parents: parents, interior: interior, amount: amount), on: network)
        #expect(reading?.text(on: network) == [text])
        #expect(reading?.amounts.map(\.value) == [UInt128(amount)])
    }

    @Test("an asset is named by the chain that it is told to")
    func reanchored() {
        // What Asset Hub calls the relay chain is the relay chain's own token.
        let hub = LocationTests.location(0, "X1\n  Parachain\n    1000")
        let reading = Self.reading(
            Self.asset(parents: 1, interior: "Here", amount: "3"), on: KnownNetwork.polkadot, sentTo: hub)
        #expect(reading?.amounts == [ArgumentReading.Moved(asset: .native, value: 3)])
        // And the other way around: what another parachain calls parachain 1000's assets are this chain's.
        let moonbeam = LocationTests.location(1, "X1\n  Parachain\n    2004")
        let usdt = Self.asset(
            parents: 1, interior: "X3\n  Parachain\n    1000\n  PalletInstance\n    50\n  GeneralIndex\n    1984",
            amount: "3")
        #expect(
            Self.reading(usdt, sentTo: moonbeam)?.amounts
                == [ArgumentReading.Moved(asset: .other(pallet: "Assets", id: "1984"), value: 3)])
        #expect(
            Self.reading(Self.asset(parents: 0, interior: Self.usdt, amount: "3"), sentTo: moonbeam)?.text(
                on: KnownNetwork.assetHub)
                == ["3 units of the asset index 1984 in pallet 50 on parachain 2004 (Moonbeam)"])
    }

    @Test("versions of assets read the same")
    func versions() {
        let location = "parents:\n  1\ninterior:\n  Here"
        let indented = { (steps: Int, text: String) in
            text.split(separator: "\n").map { String(repeating: "  ", count: steps) + $0 }.joined(separator: "\n")
        }
        let three = "V3\n  id:\n    Concrete\n\(indented(3, location))\n  fun:\n    Fungible\n      7"
        let zero = "V0\n  ConcreteFungible\n    id:\n      X1\n        Parent\n    amount:\n      7"
        let five = "V5\n  id:\n\(indented(2, location))\n  fun:\n    Fungible\n      7"
        for text in [three, zero, five] {
            #expect(Self.reading(text)?.amounts == [ArgumentReading.Moved(asset: .native, value: 7)], "\(text)")
        }
        let abstract = "V3\n  id:\n    Abstract\n      0xab\n  fun:\n    Fungible\n      7"
        #expect(Self.reading(abstract)?.text(on: KnownNetwork.assetHub) == ["7 units of the abstract asset 0xab"])
        #expect(Self.reading("V4\n  -")?.lines == [])
    }

    @Test("one thing of a class is no amount")
    func things() {
        let text = Self.asset(parents: 0, interior: "X1\n  PalletInstance\n    52", amount: "0")
            .replacing("Fungible\n    0", with: "NonFungible\n    Index\n      9")
        let reading = Self.reading(text)
        #expect(reading?.text(on: KnownNetwork.assetHub) == ["number 9 of the asset pallet 52 on this chain"])
        #expect(reading?.amounts.map(\.value) == [nil])
    }

    @Test("the path of a swap is assets, not places")
    func path() {
        let path =
            "parents:\n  1\ninterior:\n  Here\nparents:\n  0\ninterior:\n  X2\n    PalletInstance\n      50\n    GeneralIndex\n      1984"
        #expect(
            ReadCards.read(path, as: .assetIDs)?.text(on: KnownNetwork.assetHub)
                == ["the network's own token", "USDT (Assets 1984)"])
        CardText.cards(path).withUnsafeBufferPointer { cards in
            let reader = ArgumentReader(cards: cards, network: KnownNetwork.assetHub)
            #expect(reader.assets(named: cards.indices) == [.native, .other(pallet: "Assets", id: "1984")])
        }
        #expect(ReadCards.read(path, as: .assetID) == nil, "two ids are not one")
    }

    @Test("a symbol never stands without its id, and only on its own chain")
    func registry() {
        let amount = AssetAmount(asset: .other(pallet: "Assets", id: "1984"), value: 1_234_567)
        #expect(amount.text(on: KnownNetwork.assetHub) == "1.234567 USDT (Assets 1984)")
        #expect(amount.text(on: KnownNetwork.polkadot) == "1234567 units of Assets 1984")
        #expect(amount.text(on: TestChain.network) == "1234567 units of Assets 1984")
        let usdc = AssetAmount(asset: .other(pallet: "Assets", id: "1337"), value: .max)
        #expect(
            usdc.text(on: KnownNetwork.assetHub) == "340282366920938463463374607431768.211455 USDC (Assets 1337)")
        #expect(usdc.text(on: KnownNetwork.kusamaAssetHub).hasPrefix("3402823669"))
        let foreign = AssetAmount(asset: .other(pallet: "ForeignAssets", id: "1984"), value: 5)
        #expect(foreign.text(on: KnownNetwork.assetHub) == "5 units of ForeignAssets 1984")
    }
}
