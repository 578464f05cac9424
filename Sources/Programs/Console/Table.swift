import TextForms

/// Columns of text, as wide as their longest cell.
package enum Table {
    package static func text(_ header: [String], _ rows: [[String]]) -> String {
        let rows = rows.map { $0.map { ScreenText.escape($0) } }
        let widths = header.indices.map { column in
            ([header] + rows).map { DisplayWidth.of($0[column]) }.max() ?? 0
        }
        return ([header] + rows).map { row in
            row.enumerated().map { column, cell in
                column == row.count - 1 ? cell : DisplayWidth.padded(cell, to: widths[column] + 2)
            }.joined()
        }.joined(separator: "\n")
    }
}
