import SCALE
import StrictJSON
import Substrate
import TextForms

/// What a dapp or wallet wants signed: a `SignerPayloadJSON` as polkadot-js makes it.
///
/// Numbers are hex with `0x`, as `toPayload()` writes them. Members that are not known are refused unless they are
/// `null`: the extension of a chain that they may stand for would be left out of what is signed.
public struct SignerPayload: Hashable, Sendable {
    /// An account, as its address names it.
    public enum Account: Hashable, Sendable {
        /// 32 bytes: a key, or the hash of one.
        case account([UInt8])
        /// The 20 bytes of an Ethereum address.
        case ethereum([UInt8])
    }

    /// Who is to sign.
    public let account: Account
    /// The call, without its length.
    public let method: [UInt8]
    /// When the transaction is valid.
    public let era: Era
    /// The block that the era counts from.
    public let blockHash: Hash256
    /// The genesis of the network.
    public let genesisHash: Hash256
    /// How many transactions the account has sent.
    public let nonce: UInt64
    /// In the token's smallest unit.
    public let tip: UInt128
    /// The asset that the fee is paid in, encoded; nil for the token.
    public let assetID: [UInt8]?
    /// The version of the runtime.
    public let specVersion: UInt32
    /// The transaction version of the runtime.
    public let transactionVersion: UInt32
    /// The extensions, in their order.
    public let extensions: [String]
    /// Whether the chain is to check the metadata hash.
    public let checksMetadata: Bool
    /// The metadata hash, where the sender has computed it.
    public let metadataHash: Hash256?
    /// Whether whoever signs may change extensions and gives back the whole transaction.
    public let mayBeChanged: Bool

    /// Bytes of the text at the most: the largest call in hex, twice 4 MiB, and what is around it.
    public static let byteLimit = (8 << 20) + (64 << 10)
    private static let extensionLimit = 128

    private static let members: Set<String> = [
        "address", "assetId", "blockHash", "blockNumber", "era", "genesisHash", "metadataHash", "method", "mode",
        "nonce", "signedExtensions", "specVersion", "tip", "transactionVersion", "version", "withSignedTransaction",
    ]

    /// Reads the JSON text.
    public init(_ text: [UInt8]) throws(SignerPayloadError) {
        let json: JSON
        do throws(JSONError) {
            json = try JSONReader(maximumDepth: 4, maximumBytes: Self.byteLimit, maximumValues: 1024).read(text)
        } catch {
            throw .malformed(reason: "\(error)")
        }
        guard let members = json.object else { throw .malformed(reason: "it is no object") }
        for member in members where !Self.members.contains(member.name) && member.value != .null {
            throw .unknownMember(member.name)
        }
        let fields = PayloadFields(json: json)
        guard json["version"] == .integer(4) else {
            throw .unusable("version", reason: "transactions of version 4 are made, and no others")
        }
        account = try fields.account()
        method = try fields.bytes("method")
        era = try fields.era()
        blockHash = try fields.hash("blockHash")
        genesisHash = try fields.hash("genesisHash")
        _ = try fields.number("blockNumber", UInt64.self)
        nonce = try fields.number("nonce")
        tip = try fields.number("tip")
        assetID = try json.given("assetId") == nil ? nil : fields.bytes("assetId")
        specVersion = try fields.number("specVersion")
        transactionVersion = try fields.number("transactionVersion")
        extensions = try fields.texts("signedExtensions", limit: Self.extensionLimit)
        checksMetadata = try fields.mode()
        metadataHash = try json.given("metadataHash") == nil ? nil : fields.hash("metadataHash")
        mayBeChanged = try fields.flag("withSignedTransaction")
    }
}

/// Reads members of a `SignerPayloadJSON`.
private struct PayloadFields {
    let json: JSON

    private func text(_ name: String) throws(SignerPayloadError) -> String {
        guard let value = json.given(name) else { throw .missing(name) }
        guard let text = value.string else { throw .unusable(name, reason: "it is no text") }
        return text
    }

    func bytes(_ name: String) throws(SignerPayloadError) -> [UInt8] {
        let text = try text(name)
        guard text.hasPrefix("0x"), let bytes = Hex.decode(text) else {
            throw .unusable(name, reason: "it is no hex with 0x")
        }
        return bytes
    }

    func hash(_ name: String) throws(SignerPayloadError) -> Hash256 {
        guard let hash = Hash256(try bytes(name)) else { throw .unusable(name, reason: "it has not 32 bytes") }
        return hash
    }

    /// A number in hex, the highest digit first.
    func number<T: FixedWidthInteger>(
        _ name: String, _ type: T.Type = T.self
    ) throws(SignerPayloadError) -> T {
        let text = try text(name)
        let digits = text.dropFirst(2)
        guard text.hasPrefix("0x"), !digits.isEmpty, digits.utf8.allSatisfy({ Hex.value($0) != nil }),
            let value = T(digits, radix: 16)
        else { throw .unusable(name, reason: "it is no hex number with 0x that fits \(T.bitWidth) bits") }
        return value
    }

    func era() throws(SignerPayloadError) -> Era {
        var decoder = ScaleDecoder(try bytes("era"))
        guard let era = try? Era(from: &decoder), decoder.isAtEnd else {
            throw .unusable("era", reason: "it is no era: 0x00, or two bytes")
        }
        return era
    }

    func account() throws(SignerPayloadError) -> SignerPayload.Account {
        let text = try text("address")
        if text.hasPrefix("0x") {
            guard let address = Hex.decode(text), address.count == 20 else {
                throw .unusable("address", reason: "it is no address of Ethereum's form")
            }
            return .ethereum(address)
        }
        do { return .account(try SS58.decode(text, payloadSizes: 32...32).payload) } catch {
            throw .unusable("address", reason: "\(error)")
        }
    }

    func texts(_ name: String, limit: Int) throws(SignerPayloadError) -> [String] {
        guard let items = json[name]?.array else { throw .missing(name) }
        var texts: [String] = []
        for item in items {
            guard let text = item.string else { throw .unusable(name, reason: "it holds something else than texts") }
            texts.append(text)
        }
        guard texts.count <= limit else { throw .unusable(name, reason: "it has more than \(limit) members") }
        return texts
    }

    func mode() throws(SignerPayloadError) -> Bool {
        guard let value = json.given("mode") else { return false }
        switch value.integer {
        case 0: return false
        case 1: return true
        default: throw .unusable("mode", reason: "it is neither 0 nor 1")
        }
    }

    func flag(_ name: String) throws(SignerPayloadError) -> Bool {
        guard let value = json.given(name) else { return false }
        guard let flag = value.bool else { throw .unusable(name, reason: "it is neither true nor false") }
        return flag
    }
}
