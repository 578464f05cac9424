import Substrate
import TextForms

/// A film with the name that it gets in the folder, and the hash by which people compare what they downloaded.
struct PlacedFilm {
    let content: Portal.Content
    let name: String
    let hash: [UInt8]
}

extension Portal {
    static let styleName = "style.css"
    static let indexName = "index.html"

    /// Names of pages and films are of lower-case ASCII letters, digits, hyphens and dots, and differ by their number.
    func pageName(_ index: Int) -> String { "\(slug(index)).html" }

    func slug(_ index: Int) -> String {
        let name = networks[index].specs.name.lowercased().unicodeScalars.map { scalar in
            ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) ? Character(scalar) : "-"
        }
        return "\(index + 1)-\(String(name.prefix(Self.slugLimit)))"
    }

    private static let slugLimit = 40

    // MARK: Pages

    /// The page that lists the networks.
    var index: HTML {
        let rows: [HTML] = networks.indices.map { number in
            let network = networks[number]
            return """
                <tr>
                <td>\(swatch(network.specs))<a href="\(pageName(number))">\(network.specs.title)</a></td>
                <td>\(network.specs.name)</td>
                <td>\(versions(network))</td>
                </tr>

                """
        }
        return page(
            title,
            """
            <p>Pictures that bring networks and metadata to an offline signer. Choose a network, and hold the signer's camera before the
            picture that moves.</p>
            \(vouching)
            <table>
            <thead><tr><th>Network</th><th>Runtime</th><th>Metadata</th></tr></thead>
            <tbody>
            \(rows)</tbody>
            </table>

            """)
    }

    /// The page of a network.
    func page(_ number: Int, films: [PlacedFilm]) -> HTML {
        let specs = networks[number].specs
        let facts: [(String, String)] = [
            ("Runtime", specs.name), ("Metadata", versions(networks[number])),
            ("Keys", specs.scheme.name), ("Address prefix", "\(specs.base58Prefix)"),
            ("Token", "\(specs.unit), \(specs.decimals) decimals"),
            ("Genesis", "0x" + Hex.encode(specs.genesisHash.bytes)),
        ]
        let rows: [HTML] = facts.map { "<tr><th scope=\"row\">\($0.0)</th><td>\($0.1)</td></tr>\n" }
        return page(
            specs.title,
            """
            <p><a href="\(Self.indexName)">All networks</a></p>
            \(vouching)
            <table class="facts">
            \(rows)</table>
            \(films.map { figure($0, specs) })
            """)
    }

    private func figure(_ film: PlacedFilm, _ specs: NetworkSpecs) -> HTML {
        let heading =
            switch film.content {
            case .specs(let own) where own != specs:
                "Add \(own.title): \(own.scheme.name) keys, \(own.unit) with \(own.decimals) decimals"
            case .specs: "Add \(specs.title)"
            case .metadata(let version): "Metadata of \(specs.name) \(version)"
            case .types: "Types of old networks"
            }
        return """
            <section>
            <h2>\(heading)</h2>
            <img src="\(film.name)" alt="\(heading), as codes that move">
            <p class="hash">BLAKE2b-256 of this file: \(Hex.encode(film.hash))</p>
            </section>

            """
    }

    private func versions(_ network: Network) -> String {
        network.versions.isEmpty ? "none" : network.versions.map(String.init).joined(separator: ", ")
    }

    private func swatch(_ specs: NetworkSpecs) -> HTML {
        // Pages have no styles of their own, so a colour stands in an attribute of SVG, and only as six digits.
        let digits = specs.color.dropFirst()
        guard specs.color.hasPrefix("#"), digits.utf8.count == 6, digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
        else {
            return ""
        }
        return """
            <svg width="12" height="12" aria-hidden="true"><circle cx="6" cy="6" r="6" fill="\(specs.color)"/></svg>
            """
    }

    /// Who signed, and that it is the signer's screen that tells.
    private var vouching: HTML {
        guard let verifier else {
            return """
                <p class="warning">These updates are not signed. A signer takes them in only if you say so, and follows whoever can change
                these pages.</p>
                """
        }
        return """
            <p class="verifier">Signed with \(verifier.scheme.name) by
            <code>0x\(Hex.encode(verifier.publicKey))</code>. This page cannot prove it: compare the key with the one that your signer
            shows before you accept.</p>
            """
    }

    private func page(_ heading: String, _ content: HTML) -> HTML {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'">
        <meta name="referrer" content="no-referrer">
        <meta name="viewport" content="width=device-width">
        <title>\(heading)</title>
        <link rel="stylesheet" href="\(Self.styleName)">
        </head>
        <body>
        <h1>\(heading)</h1>
        \(content)</body>
        </html>

        """
    }

    /// Codes stay sharp and on white in both themes.
    static let style = """
        :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
        body { max-width: 46rem; margin: 0 auto; padding: 1rem }
        table { border-collapse: collapse; width: 100% }
        th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid #8886 }
        td { overflow-wrap: anywhere }
        .facts th { white-space: nowrap; width: 1% }
        svg { margin-right: .5rem }
        section { margin-top: 2rem }
        img { width: min(100%, 34rem); background: #fff; image-rendering: pixelated }
        code, .hash { font-family: ui-monospace, monospace; font-size: .85rem; overflow-wrap: anywhere }
        .warning { border-left: .3rem solid #c60; padding-left: .75rem }

        """
}
