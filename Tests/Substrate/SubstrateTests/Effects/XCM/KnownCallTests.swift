import TestSupport
import Testing
import TextForms

@testable import Substrate

@Suite("Calls of real chains in words")
struct KnownCallTests {
    private static let key = String(LocationTests.key.dropFirst(2))
    private static let stranger = LocationTests.onPolkadot

    @Test("a transfer to another chain says the chain, the beneficiary there and the amount")
    func transferAssets() throws {
        let call = try ReadCall(
            "1f0b04010100511f0400010100\(Self.key)04040100000b00203d88792d0000000000", on: .statemint)
        #expect(try call.text("dest") == ["parachain 2004 (Moonbeam)"])
        let beneficiary = try call.read("beneficiary", sentTo: "dest")
        #expect(
            beneficiary.text(on: call.network) == [
                "account \(LocationTests.generic) (in the generic form; the key is 0x\(Self.key)) on parachain 2004 (Moonbeam)"
            ])
        // Accounts there have 20 bytes.
        #expect(beneficiary.accounts.map(\.words) == ["an account of 32 bytes on parachain 2004 (Moonbeam)"])
        #expect(beneficiary.accounts.map(\.isNoAccount) == [true])
        let assets = try call.read("assets")
        #expect(assets.text(on: call.network) == ["5.0000000000000 kDOT"])
        #expect(assets.amounts == [ArgumentReading.Moved(asset: .native, value: 50_000_000_000_000)])
    }

    @Test("an authorized alias is an account in words")
    func alias() throws {
        let call = try ReadCall("1f0e0400010100\(Self.key)00", on: .statemint)
        let reading = try call.read("aliaser")
        #expect(reading.text(on: call.network) == ["account \(Self.stranger) on this chain"])
        #expect(reading.accounts.map(\.account?.text) == [Self.stranger])
    }

    @Test("the path of a swap names its assets")
    func swap() throws {
        let call = try ReadCall(
            "37030801000002043205011f00e8764817000000000000000000000000879303000000000000000000000000\(Self.key)00",
            on: .statemint)
        #expect(try call.text("path", as: .assetIDs) == ["the network's own token", "USDT (Assets 1984)"])
    }

    @Test("a message with a Transact for another chain hides a call, even where it would decode here")
    func sentTransact() throws {
        let call = try ReadCall(
            "1f0004010100511f0404060102286bee02093d00900a0400\(Self.key)00", on: .statemint)
        let message = try call.read("message", sentTo: "dest")
        #expect(message.hidesCall)
        #expect(message.text(on: call.network)[0].contains("a call that cannot be shown, 36 bytes: 0x0a0400"))
        #expect(call.call.opaqueCalls.map(\.use) == [.elsewhere] && call.call.calls.count == 1)
    }

    @Test("a Transact that is executed here is decoded")
    func executedTransact() throws {
        let call = try ReadCall(
            "1f030404060102286bee02093d00900a0400\(Self.key)000000", on: .statemint)
        let message = try call.read("message")
        #expect(!message.hidesCall)
        #expect(message.text(on: call.network)[0].hasSuffix("the call Balances.transfer_all, shown by itself"))
        #expect(call.call.opaqueCalls.isEmpty && call.call.calls.count == 2)
    }

    @Test("a vote is an aye with a conviction and an amount")
    func vote() throws {
        let call = try ReadCall("3d0004008300a0724e180900000000000000000000", on: .statemint)
        #expect(try call.text("vote") == ["aye, conviction 3x, 1.0000000000000 kDOT"])
        let delegation = try ReadCall("3d01010000\(Self.key)0300a0724e180900000000000000000000", on: .statemint)
        #expect(try delegation.text("conviction") == ["conviction 3x"])
    }

    @Test("a referendum says its origin, its call and when it is enacted")
    func referendum() throws {
        let call = try ReadCall("3e00000001140000086869010a000000", on: .statemint)
        #expect(try call.text("proposal_origin") == ["system.Root"])
        #expect(try call.text("proposal") == ["the call System.remark, shown by itself"])
        #expect(try call.text("enactment_moment") == ["after 10 blocks"])
        let byHash = try ReadCall("3e00000002\(Self.key)0900000000f4010000", on: .statemint)
        #expect(try byHash.read("proposal").hidesCall)
        #expect(try byHash.text("enactment_moment") == ["at block 500"])
    }

    @Test("old versions of XCM are read by Westend's metadata of 2021")
    func westend() throws {
        // limited_teleport_assets in version 1: to parachain 1000, for the account there, of WND.
        let call = try ReadCall(
            "630901000100a10f0100010100\(Self.key)010400000000070010a5d4e80000000000", on: .westend)
        #expect(try call.text("dest") == ["parachain 1000 (Westend Asset Hub)"])
        #expect(
            try call.text("beneficiary", sentTo: "dest")
                == ["account \(LocationTests.generic) on parachain 1000 (Westend Asset Hub)"])
        #expect(try call.text("assets") == ["1.000000000000 WND"])
    }
}
