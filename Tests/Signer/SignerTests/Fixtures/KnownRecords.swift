import Foundation
import SCALE
import Substrate
import TestSupport
import Testing
import TextForms

@testable import Signer

/// The known answers of `signer-product`, as the Signer's own values. What cannot be read fails the test that asked for
/// it.
enum KnownRecords {
    static let folder = "signer-product"

    /// A file of known answers that belongs to this repository.
    static func json(_ name: String) throws -> JSON {
        try JSON(contentsOf: packageRoot.appending(path: "Tests/Fixtures/signer-product/\(name)"))
    }

    /// `sr25519:` and hex, as the data name public keys.
    static func signer(_ json: JSON) throws -> MultiSigner {
        let parts = try #require(json.string).split(separator: ":")
        try #require(parts.count == 2)
        let scheme = try scheme(.string(String(parts[0])))
        let publicKey = try #require(Hex.decode(parts[1]))
        return try #require(MultiSigner(scheme: scheme, publicKey: publicKey))
    }

    static func scheme(_ json: JSON) throws -> SignatureScheme {
        switch json.string {
        case "ed25519": .ed25519
        case "sr25519": .sr25519
        case "ecdsa": .ecdsa
        case "ethereum": .ethereum
        default: try #require(nil, "\(json) is not a scheme")
        }
    }

    static func hash(_ json: JSON) throws -> Hash256 {
        let bytes = try #require(json.hex)
        return try #require(Hash256(bytes))
    }

    static func verifier(_ json: JSON) throws -> Verifier {
        json.isNull ? .none : Verifier(try signer(json))
    }

    static func currentVerifier(_ json: JSON) throws -> ValidCurrentVerifier {
        json.string == "general" ? .general : .custom(try verifier(json["custom"]))
    }

    static func specs(_ json: JSON) throws -> NetworkSpecs {
        func text(_ key: String) throws -> String { try #require(json[key].string) }
        return NetworkSpecs(
            base58Prefix: UInt16(try #require(json["base58prefix"].int)), color: try text("color"),
            decimals: UInt8(try #require(json["decimals"].int)), scheme: try scheme(json["encryption"]),
            genesisHash: try hash(json["genesis_hash"]), logo: try text("logo"), name: try text("name"),
            pathID: try text("path_id"), secondaryColor: try text("secondary_color"), title: try text("title"),
            unit: try text("unit"))
    }

    static func orderedSpecs(_ json: JSON) throws -> OrderedNetworkSpecs {
        OrderedNetworkSpecs(specs: try specs(json), order: UInt8(try #require(json["order"].int)))
    }

    static func addressDetails(_ json: JSON) throws -> AddressDetails {
        AddressDetails(
            seedName: try #require(json["seed_name"].string), path: try #require(json["path"].string),
            hasPassword: try #require(json["has_pwd"].bool as Bool?),
            networks: try json["networks"].array.map {
                NetworkKey(scheme: try scheme($0[1]), genesisHash: try hash($0[0]))
            },
            scheme: try scheme(json["encryption"]), secretExposed: try #require(json["secret_exposed"].bool as Bool?))
    }
}
