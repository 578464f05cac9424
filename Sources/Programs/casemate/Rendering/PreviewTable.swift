import Console
import Substrate
import TextForms

/// What a phrase gives in each scheme, one line for each path. Addresses are whole.
enum PreviewTable {
    static func text(_ rows: [PhrasePreview.Row]) -> String {
        Table.text(
            ["SCHEME", "PATH", "ADDRESS"],
            rows.map { row in
                let address =
                    switch row.key {
                    case .success(let key): key.address
                    case .failure(let error): "(\(error))"
                    }
                return [row.scheme.rawValue, row.path.isEmpty ? "(root)" : row.path, address]
            })
    }
}

/// A line of the preview for machines: with address and key, or with the reason why there are none.
struct PreviewJSON: Encodable {
    var scheme: String
    var path: String
    var address: String?
    var publicKey: String?
    var error: String?

    init(_ row: PhrasePreview.Row) {
        scheme = row.scheme.rawValue
        path = row.path
        switch row.key {
        case .success(let key):
            address = key.address
            publicKey = "0x" + Hex.encode(key.publicKey)
        case .failure(let reason):
            error = "\(reason)"
        }
    }
}
