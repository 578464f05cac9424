import TestSupport
import Testing
import TextForms

@testable import Substrate

@Suite("Locations in words")
struct LocationTests {
    static let key = "0x90b5ab205c6974c9ea841be688864633dc9ca8a357843eeacf2314649965fe22"
    static let keyBytes = Hex.decode(String(key.dropFirst(2))) ?? []
    static let onPolkadot = "14Gjs1TD93gnwEBfDMHoCgsuf1s2TVKUP6Z1qKmAZnZ8cW5q"
    static let generic = "5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y"
    static let ethereumKey = "0x6b175474e89094c44da98b954eedeac495271d0f"

    /// Cards of a location, with their version.
    static func location(_ parents: Int, _ interior: String) -> String {
        "V4\n  parents:\n    \(parents)\n  interior:\n"
            + interior.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    }

    static func account(_ network: String = "none") -> String {
        "X1\n  AccountId32\n    network:\n      \(network)\n    id:\n      \(key)"
    }

    private static func text(
        _ location: String, on network: NetworkSpecs = KnownNetwork.assetHub, sentTo destination: String? = nil
    ) -> String? {
        ReadCards.read(location, as: .location, on: network, sentTo: destination)?.text(on: network)[0]
    }

    @Test(
        "a chain is called by what it is to this one",
        arguments: [
            (0, "Here", KnownNetwork.assetHub, "this chain"),
            (1, "Here", KnownNetwork.assetHub, "the relay chain (Polkadot)"),
            (1, "X1\n  Parachain\n    2034", KnownNetwork.assetHub, "parachain 2034 (Hydration)"),
            (1, "X1\n  Parachain\n    3333", KnownNetwork.assetHub, "parachain 3333"),
            (1, "X1\n  Parachain\n    1000", KnownNetwork.assetHub, "this chain"),
            (0, "X1\n  Parachain\n    1000", KnownNetwork.polkadot, "parachain 1000 (Polkadot Asset Hub)"),
            (0, "X1\n  Parachain\n    1001", KnownNetwork.westend, "parachain 1001 (Westend Collectives)"),
            (1, "X1\n  Parachain\n    2023", KnownNetwork.kusamaAssetHub, "parachain 2023 (Moonriver)"),
            (2, "X1\n  GlobalConsensus\n    Kusama", KnownNetwork.assetHub, "the relay chain of Kusama"),
            (2, "X1\n  GlobalConsensus\n    Polkadot", KnownNetwork.assetHub, "the relay chain (Polkadot)"),
            (
                2, "X2\n  GlobalConsensus\n    Kusama\n  Parachain\n    1000", KnownNetwork.assetHub,
                "parachain 1000 (Kusama Asset Hub) of Kusama"
            ),
            (
                1, "X2\n  GlobalConsensus\n    Polkadot\n  Parachain\n    1000", KnownNetwork.polkadot,
                "parachain 1000 (Polkadot Asset Hub)"
            ),
            (
                2, "X1\n  GlobalConsensus\n    Ethereum\n      chain_id:\n        1", KnownNetwork.assetHub,
                "Ethereum (chain id 1)"
            ),
            (
                2,
                "X1\n  GlobalConsensus\n    ByGenesis\n      0xe143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e",
                KnownNetwork.assetHub, "the relay chain of Westend"
            ),
            (1, "Here", TestChain.network, "the relay chain"),
            (1, "X1\n  Parachain\n    1000", TestChain.network, "parachain 1000"),
        ])
    func chains(parents: Int, interior: String, network: NetworkSpecs, words: String) {
        #expect(Self.text(Self.location(parents, interior), on: network) == words)
    }

    @Test("a place that cannot be is spelled out instead of being called by a name")
    func oddPlaces() {
        let child = Self.text(Self.location(0, "X1\n  Parachain\n    2034"))
        #expect(child == "a place 0 levels above this chain and from there: parachain 2034")
        let beside = Self.text(Self.location(1, "X1\n  Parachain\n    2034"), on: KnownNetwork.polkadot)
        #expect(beside == "a place 1 levels above this chain and from there: parachain 2034")
        #expect(Self.text(Self.location(7, "Here")) == "a place 7 levels above this chain")
        let world = Self.text(Self.location(0, "X1\n  GlobalConsensus\n    Kusama"))
        #expect(world == "a place 0 levels above this chain and from there: Kusama")
    }

    @Test("an account of this chain has this chain's address")
    func ownAccount() throws {
        let reading = try #require(ReadCards.read(Self.location(0, Self.account()), as: .location))
        #expect(reading.text(on: KnownNetwork.assetHub) == ["account \(Self.onPolkadot) on this chain"])
        #expect(reading.accounts.map(\.account?.text) == [Self.onPolkadot])
        #expect(reading.accounts.map(\.words) == ["on this chain"])
        #expect(reading.amounts.isEmpty && !reading.hidesCall)
    }

    @Test("an account elsewhere has the address of that chain, or the generic one with its key")
    func accountsElsewhere() {
        let there = Self.location(0, Self.account())
        let relay = Self.location(1, "Here")
        #expect(
            Self.text(there, sentTo: relay) == "account \(Self.onPolkadot) on the relay chain (Polkadot)")
        let people = Self.location(1, "X1\n  Parachain\n    1004")
        #expect(
            Self.text(there, sentTo: people) == "account \(Self.onPolkadot) on parachain 1004 (Polkadot People)")
        let hydration = Self.location(1, "X1\n  Parachain\n    2034")
        #expect(
            Self.text(there, sentTo: hydration)
                == "account \(Self.generic) (in the generic form; the key is \(Self.key)) on parachain 2034 (Hydration)"
        )
        #expect(
            Self.text(there, on: TestChain.network, sentTo: relay)
                == "account \(Self.generic) (in the generic form; the key is \(Self.key)) on the relay chain")
    }

    @Test("the network of an account is said where it is not that of the place")
    func networks() {
        #expect(Self.text(Self.location(0, Self.account("Polkadot"))) == "account \(Self.onPolkadot) on this chain")
        #expect(
            Self.text(Self.location(0, Self.account("Kusama")))
                == "account \(Self.onPolkadot) (of the network Kusama) on this chain")
    }

    @Test("what is sent to Ethereum is for an account of Ethereum")
    func ethereum() throws {
        let beneficiary = Self.location(
            0, "X1\n  AccountKey20\n    network:\n      none\n    key:\n      \(Self.ethereumKey)")
        let world = Self.location(2, "X1\n  GlobalConsensus\n    Ethereum\n      chain_id:\n        1")
        let reading = try #require(ReadCards.read(beneficiary, as: .location, sentTo: world))
        #expect(
            reading.text(on: KnownNetwork.assetHub)
                == ["Ethereum account \(Self.ethereumKey) on Ethereum (chain id 1)"])
        #expect(reading.accounts[0].account?.text == Self.ethereumKey)
    }

    @Test("who is paid by a treasury is told by the chain that has what it pays")
    func treasury() throws {
        let chain = "parents:\n      1\n    interior:\n      X1\n        Parachain\n          1004"
        let asset = "V4\n  location:\n    \(chain)\n  asset_id:\n    parents:\n      1\n    interior:\n      Here"
        let paid = try #require(
            ReadCards.read(Self.location(0, Self.account()), as: .beneficiary, sentTo: asset))
        #expect(paid.accounts.map(\.words) == ["on parachain 1004 (Polkadot People)"])
        #expect(paid.accounts.map(\.isNoAccount) == [false])
    }

    @Test("from every chain that this release knows, an account that cannot be on another one is none")
    func kinds() throws {
        let moonbeam = Self.location(
            1, "X2\n  Parachain\n    2004\n  AccountId32\n    network:\n      none\n    id:\n      \(Self.key)")
        let ethereum = Self.location(
            0, "X1\n  AccountKey20\n    network:\n      none\n    key:\n      \(Self.ethereumKey)")
        for network in [KnownNetwork.hydration, KnownNetwork.people, KnownNetwork.assetHub] {
            let there = try #require(ReadCards.read(moonbeam, as: .location, on: network))
            #expect(there.accounts.map(\.isNoAccount) == [true], "\(network.name)")
            // Without the key, which a sentence would cut together with what stands behind it.
            #expect(there.accounts.map(\.words) == ["an account of 32 bytes on parachain 2004 (Moonbeam)"])
        }
        // A system parachain has accounts of 32 bytes, others may take both.
        for (network, isNone) in [(KnownNetwork.people, true), (KnownNetwork.hydration, false)] {
            let here = try #require(ReadCards.read(ethereum, as: .beneficiary, on: network))
            #expect(here.accounts.map(\.isNoAccount) == [isNone])
        }
        #expect(Self.text(moonbeam, on: KnownNetwork.hydration)?.hasSuffix("parachain 2004 (Moonbeam)") == true)
    }

    @Test("who gets a deposit is what its own chain makes of the place that it is told, not where that would be")
    func beneficiaries() throws {
        func reading(_ location: String, sentTo chain: String? = nil) throws -> ArgumentReading {
            try #require(ReadCards.read(location, as: .beneficiary, sentTo: chain))
        }
        func account(_ steps: String) -> String {
            steps + "AccountId32\n    network:\n      none\n    id:\n      \(Self.key)"
        }
        let hydration = Self.location(1, "X1\n  Parachain\n    2034")
        let plain = Self.location(0, Self.account())
        for place in try [reading(plain), reading(plain, sentTo: hydration)] {
            #expect(place.accounts[0].account != nil && !place.accounts[0].isNoAccount)
        }
        let inside = account("X2\n  Parachain\n    1000\n  ")
        let world = account("X3\n  GlobalConsensus\n    Polkadot\n  Parachain\n    1000\n  ")
        for (told, chain) in [
            (Self.location(1, inside), nil), (Self.location(1, inside), hydration), (Self.location(2, world), nil),
            (Self.location(1, Self.account()), nil), (Self.location(0, inside), Self.location(1, "Here")),
        ] {
            let place = try reading(told, sentTo: chain).accounts[0]
            #expect(place.account == nil && place.isNoAccount, "\(told)")
        }
        #expect(
            try reading(Self.location(1, inside), sentTo: hydration).text(on: KnownNetwork.assetHub) == [
                "whatever parachain 2034 (Hydration) makes of account \(Self.key) of parachain 1000 (Polkadot Asset Hub), "
                    + "never that account itself"
            ])
        #expect(
            try reading(Self.location(1, inside)).accounts[0].words
                == "whatever this chain makes of an account of parachain 1000 (Polkadot Asset Hub)")
    }

    @Test("places that are no accounts are named from the inside outwards")
    func otherPlaces() throws {
        let asset = try #require(
            ReadCards.read(
                Self.location(0, "X2\n  PalletInstance\n    50\n  GeneralIndex\n    1984"), as: .location))
        #expect(asset.text(on: KnownNetwork.assetHub) == ["index 1984 in pallet 50 on this chain"])
        #expect(asset.accounts.map(\.account) == [nil])
        #expect(asset.accounts.map(\.words) == ["index 1984 in pallet 50 on this chain"])
        let key = "X1\n  GeneralKey\n    length:\n      2\n    data:\n      0x6869\(String(repeating: "00", count: 30))"
        #expect(Self.text(Self.location(0, key)) == "key 0x6869 on this chain")
        // Bytes behind the length are part of the place's identity: another asset than the one without them.
        let zeros = String(repeating: "00", count: 29)
        for (length, data) in [(2, "6869\(zeros)01"), (1, "6869\(zeros)01"), (33, "6869\(zeros)00")] {
            let other = "X1\n  GeneralKey\n    length:\n      \(length)\n    data:\n      0x\(data)"
            #expect(Self.text(Self.location(0, other)) == "key 0x\(data) of length \(length) on this chain")
        }
        let body =
            "X1\n  Plurality\n    id:\n      Index\n        3\n    part:\n      Fraction\n        nom:\n          1\n        denom:\n          2"
        #expect(Self.text(Self.location(1, body)) == "1/2 of the body Index 3 on the relay chain (Polkadot)")
    }

    @Test("versions 0 to 5 of a location read the same")
    func versions() {
        let account = "account \(Self.onPolkadot) on the relay chain (Polkadot)"
        let zero = """
            V0
              X2
                #0
                  Parent
                #1
                  AccountId32
                    network:
                      Any
                    id:
                      \(Self.key)
            """
        #expect(Self.text(zero) == account)
        for version in ["V1", "V2", "V3", "V4", "V5"] {
            let location = Self.location(1, Self.account(version < "V3" ? "Any" : "none"))
            #expect(Self.text(version + location.dropFirst(2)) == account)
        }
        #expect(Self.text("parents:\n  0\ninterior:\n  Here") == "this chain")
        #expect(Self.text("V0\n  Null") == "this chain")
        let two = "X2\n  #0\n    Parachain\n      2004\n  #1\n    PalletInstance\n      3"
        #expect(Self.text("V2" + Self.location(1, two).dropFirst(2)) == "pallet 3 on parachain 2004 (Moonbeam)")
    }

    @Test("cards that are no location are none")
    func refusals() {
        for text in [
            "V4", "V4\n  parents:\n    256\n  interior:\n    Here", "V4\n  parents:\n    1", "Here", "12",
            "V4\n  parents:\n    0\n  interior:\n    X2\n      OnlyChild",
            "V4\n  parents:\n    0\n  interior:\n    X1\n      Parachain\n        4294967296",
            "V4\n  parents:\n    0\n  interior:\n    X9\n      OnlyChild",
            "V4\n  parents:\n    0\n  interior:\n    X1\n      Novelty\n        1",
            Self.location(0, "Here") + "\n12",
            "V0\n  X2\n    #0\n      OnlyChild\n    #1\n      Parent",
        ] {
            #expect(ReadCards.read(text, as: .location) == nil, "\(text)")
        }
        #expect(ReadCards.read(Self.location(0, "Here"), as: .location, sentTo: "12") == nil)
    }
}
