import HotSide
import StrictJSON

/// What nodes, pages and vaults hand to a connected machine.
extension FuzzTarget {
    static let signerPayload = FuzzTarget(
        name: "signer-payload",
        seeds: [
            """
            {"specVersion":"0x000023a2","transactionVersion":"0x00000007",
            "address":"5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY","assetId":null,
            "blockHash":"0x5353535353535353535353535353535353535353535353535353535353535353","blockNumber":"0x0000001b",
            "era":"0xb501","genesisHash":"0xe143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e",
            "metadataHash":null,"method":"0x00010461","mode":0,"nonce":"0x0000002e","signedExtensions":["CheckNonce"],
            "tip":"0x00","version":4,"withSignedTransaction":true}
            """,
            #"{"address":"0x1212121212121212121212121212121212121212","version":4}"#,
        ].map { Array($0.utf8) }
    ) { bytes in
        guard let payload = try? SignerPayload(bytes) else { return }
        _ = try? WalletAccount(payload.account)
    }

    static let tokenProperties = FuzzTarget(
        name: "token-properties",
        seeds: [
            #"{"ss58Format":42,"tokenDecimals":12,"tokenSymbol":"WND"}"#,
            #"{"tokenDecimals":[8,10],"tokenSymbol":["A","B"]}"#, "{}",
        ].map { Array($0.utf8) }
    ) { bytes in
        guard let json = try? JSONReader().read(bytes) else { return }
        _ = try? TokenProperties(json, metadataPrefix: 42)
        _ = try? TokenProperties(json, metadataPrefix: nil, override: .init(decimals: 1, unit: "A"))
    }

    static let updateFile = FuzzTarget(name: "update-file", seeds: [[4, 0x6d], [0x10, 0x6d, 0x65, 0x74, 0x61]]) {
        bytes in
        for kind in UpdateKind.allCases { _ = try? UpdateFile.content(kind, bytes) }
        _ = try? UpdateCrypto(sufficient: bytes)
        _ = PathList(String(decoding: bytes, as: UTF8.self))
        _ = try? NodeURL(String(decoding: bytes, as: UTF8.self))
    }
}
