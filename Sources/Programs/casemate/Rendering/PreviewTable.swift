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
