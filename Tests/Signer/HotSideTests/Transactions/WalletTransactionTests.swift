import Airgap
import HotSide
import SCALE
import SecretMemory
import StrictJSON
import Substrate
import TestSupport
import Testing
import TextForms

@Suite("A wallet's transactions", .enabled(if: SharedData.has("signer-wire/metadata/statemint2000000_v15.scale")))
struct WalletTransactionTests {
    private static let aliceKey = "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d"

    private func alice(_ scheme: SignatureScheme) throws -> KeyPair {
        var phrase = Array("bottom drive obey lake curtain smoke basket hold race lonely fit walk".utf8)
        let mnemonic = try Mnemonic(phrase: SecretBytes(movingFrom: &phrase))
        return try KeyPair.derive(from: mnemonic, path: DerivationPath(parsing: "//Alice"), scheme: scheme)
    }

    /// A payload of the key's account, and the account.
    private func account(_ pair: KeyPair, _ payload: WalletPayload) throws -> (SignerPayload, WalletAccount) {
        let address = JSON.string(try pair.multiSigner.ss58(prefix: 42))
        let read = try payload.with("address", address).read()
        return (
            read,
            try WalletAccount(
                read.account, scheme: pair.scheme, publicKey: pair.scheme == .ecdsa ? pair.publicKey : nil)
        )
    }

    private func code(_ work: () throws -> Void) -> String {
        do { try work() } catch {
            return (error as? SignerPayloadError)?.code ?? (error as? HotSideError)?.code ?? "\(error)"
        }
        return "done"
    }

    @Test("the request is the one that wallets make (code 02)")
    func request() async throws {
        let hot = try await WalletPayload.side()
        let payload = try WalletPayload.westend.read()
        let transaction = try hot.transaction(payload, by: WalletAccount(payload.account))
        let call = "0403008eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48070010a5d4e8"
        #expect(
            Hex.encode(transaction.request)
                == "530102\(Self.aliceKey)a4\(call)b501b800a223000007000000\(NodesTests.westend)"
                + String(repeating: "53", count: 32) + NodesTests.westend)
        #expect(!transaction.hasProof && transaction.metadataHash == nil)
    }

    @Test("where the chain checks the metadata hash the request brings a proof of it (code 06)")
    func proven() async throws {
        let hot = try await WalletPayload.side()
        let payload = try WalletPayload.assetHub.read()
        let transaction = try hot.transaction(payload, by: WalletAccount(payload.account))
        guard case .transaction(let read) = try Payload(transaction.request), let proof = read.proof else {
            Issue.record("no transaction with a proof")
            return
        }
        #expect(transaction.request[2] == 6 && transaction.hasProof)
        #expect(try proof.digest().hash == transaction.metadataHash)
        #expect(proof.extraInfo.tokenSymbol == "DOT" && proof.extraInfo.specVersion == 2_000_000)
        // Asked for or not, the hash that is signed is the chain's; another one is refused.
        let hash = try #require(transaction.metadataHash)
        let stated = WalletPayload.assetHub.with("mode", .integer(1)).with(
            "metadataHash", .string("0x" + hash.hex))
        let same = try hot.transaction(stated.read(), by: WalletAccount(payload.account))
        #expect(same.request == transaction.request)
        let other = stated.with("metadataHash", .string("0x" + String(repeating: "11", count: 32)))
        #expect(
            code { _ = try hot.transaction(other.read(), by: WalletAccount(payload.account)) } == "MetadataHashMismatch"
        )
    }

    @Test("metadata 16 are as good, and extensions that add nothing are left empty")
    func version16() async throws {
        let hot = try await WalletPayload.side()
        try hot.store(metadata: SharedData.bytes("signer-wire/metadata/polkadot2003000_v16.scale"))
        let genesis = "91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3"
        let names = [
            "AuthorizeCall", "CheckNonZeroSender", "CheckSpecVersion", "CheckTxVersion", "CheckGenesis",
            "CheckMortality", "CheckNonce", "CheckWeight", "ChargeTransactionPayment", "PrevalidateAttests",
            "CheckMetadataHash",
        ]
        let payload = try WalletPayload.westend.with("specVersion", .string("0x001e9038"))
            .with("transactionVersion", .string("0x0000001a")).with("genesisHash", .string("0x" + genesis))
            .with("method", .string("0x00000c616263")).with("signedExtensions", .array(names.map { .string($0) }))
            .read()
        let transaction = try hot.transaction(payload, by: WalletAccount(payload.account))
        guard case .transaction(let read) = try Payload(transaction.request), let proof = read.proof else {
            Issue.record("no transaction with a proof")
            return
        }
        #expect(try proof.digest().hash == transaction.metadataHash)
    }

    @Test("nobody's transaction is changed who does not allow it")
    func unchanged() async throws {
        let hot = try await WalletPayload.side()
        let fixed = WalletPayload.assetHub.with("withSignedTransaction", .bool(false))
        let payload = try fixed.read()
        let transaction = try hot.transaction(payload, by: WalletAccount(payload.account))
        #expect(transaction.request[2] == 2 && transaction.metadataHash == nil)
        let without = fixed.with("mode", .integer(1))
        #expect(
            code { _ = try hot.transaction(without.read(), by: WalletAccount(payload.account)) }
                == "MetadataHashMissing")
        let plain = try hot.transaction(
            WalletPayload.assetHub.read(), by: WalletAccount(payload.account), proof: .never)
        #expect(plain.request == transaction.request)
    }

    @Test(
        "the vault's signature makes the transaction that the chain takes",
        arguments: [
            SignatureScheme.sr25519, .ed25519, .ecdsa,
        ], [WalletPayload.westend, WalletPayload.assetHub])
    func extrinsic(_ scheme: SignatureScheme, _ wallet: WalletPayload) async throws {
        let hot = try await WalletPayload.side()
        let pair = try alice(scheme)
        let (payload, account) = try account(pair, wallet)
        let transaction = try hot.transaction(payload, by: account)
        guard case .transaction(let read) = try Payload(transaction.request), let parts = read.parts() else {
            Issue.record("the request is no transaction")
            return
        }
        let signable = Array(read.bytes[parts.call]) + Array(read.bytes[parts.extensions])
        let signature = try pair.sign(SigningPayload.message(for: signable))
        let answer = Hex.encode([scheme.rawValue] + signature)
        let bytes = try transaction.extrinsic(answer: answer)
        var decoder = ScaleDecoder(bytes)
        let body = try decoder.byteSequence()
        #expect(decoder.isAtEnd && body[0] == 0x84 && body[1] == 0)
        #expect(Array(body[2..<34]) == pair.multiSigner.accountID)
        #expect(Array(body[34..<35 + signature.count]) == [scheme.rawValue] + signature)
        #expect(body.suffix(payload.method.count).elementsEqual(payload.method))
        #expect(try transaction.extrinsic(answer: "0x" + answer) == bytes)

        var damaged = signature
        damaged[5] ^= 1
        #expect(
            code { _ = try transaction.extrinsic(answer: Hex.encode([scheme.rawValue] + damaged)) } == "BadSignature")
        let elsewhere = try pair.sign(SigningPayload.message(for: signable + [0]))
        #expect(
            code { _ = try transaction.extrinsic(answer: Hex.encode([scheme.rawValue] + elsewhere)) } == "BadSignature")
        let other: SignatureScheme = scheme == .ed25519 ? .sr25519 : .ed25519
        #expect(
            code { _ = try transaction.extrinsic(answer: Hex.encode([other.rawValue] + signature.prefix(64))) }
                == "AnswerOfOtherScheme")
        for text in ["", "01", "hello", String(answer.dropLast(2)), answer + "00"] {
            #expect(code { _ = try transaction.extrinsic(answer: text) } == "AnswerMalformed")
        }
    }

    @Test(
        "what does not agree with the stored metadata is refused",
        arguments: [
            ("genesisHash", JSON.string("0x" + String(repeating: "77", count: 32)), "UnknownNetwork"),
            ("specVersion", .string("0x000023a3"), "WrongNetworkVersion"),
            ("transactionVersion", .string("0x00000008"), "WrongTransactionVersion"),
            ("signedExtensions", .array([.string("CheckSpecVersion")]), "ExtensionsDiffer"),
            ("method", .string("0xff00"), "DoesNotDecode"), ("method", .string("0x0403"), "DoesNotDecode"),
            ("mode", .integer(1), "MetadataHashNotTaken"), ("assetId", .string("0x00"), "AssetNotTaken"),
            ("era", .string("0x00"), "DoesNotDecode"),
        ])
    func disagreement(_ name: String, _ value: JSON, _ expected: String) async throws {
        let hot = try await WalletPayload.side()
        let payload = WalletPayload.westend.with(name, value)
        #expect(
            code { _ = try hot.transaction(payload.read(), by: WalletAccount(payload.read().account)) } == expected)
    }

    @Test("accounts and keys that do not go together are refused")
    func accounts() throws {
        let payload = try WalletPayload.westend.read()
        #expect(code { _ = try WalletAccount(payload.account, scheme: .ethereum) } == "SchemeDoesNotFit")
        #expect(code { _ = try WalletAccount(payload.account, scheme: .ecdsa) } == "PublicKey")
        let key = try alice(.ecdsa).publicKey
        #expect(code { _ = try WalletAccount(payload.account, scheme: .ecdsa, publicKey: key) } == "PublicKey")
        let ethereum = try WalletPayload.westend.with("address", .string("0x" + String(repeating: "12", count: 20)))
            .read()
        #expect(code { _ = try WalletAccount(ethereum.account, scheme: .sr25519) } == "SchemeDoesNotFit")
        #expect(code { _ = try WalletAccount(ethereum.account, publicKey: key) } == "PublicKey")
        #expect(code { _ = try WalletAccount(ethereum.account) } == "done")
    }
}
