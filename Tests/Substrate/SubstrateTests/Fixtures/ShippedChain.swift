import Foundation
import Substrate
import TestSupport
import TextForms

/// The chains that the signer brings metadata of.
enum ShippedChain: String {
    case polkadot, kusama, statemint, westend

    var network: NetworkSpecs {
        switch self {
        case .polkadot: KnownNetwork.polkadot
        case .kusama: KnownNetwork.kusama
        case .statemint: KnownNetwork.assetHub
        case .westend: KnownNetwork.westend
        }
    }

    func metadata() throws -> RuntimeMetadata {
        try RuntimeMetadata(blob())
    }

    func blob() throws -> [UInt8] {
        let folder = packageRoot.appending(path: "Sources/Bridges/CShippedFiles/Files")
        return Array(try Data(contentsOf: folder.appending(path: "\(rawValue).metadata")))
    }

    func decoder() throws -> TransactionDecoder {
        TransactionDecoder(metadata: try metadata(), network: network)
    }
}
