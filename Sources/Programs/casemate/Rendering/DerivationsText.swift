import Console
import Signer
import Substrate
import TextForms

/// Derived keys that are asked for or offered, on a terminal.
enum DerivationsText {
    /// What a hot wallet would learn.
    static func paragraphs(_ preview: DynamicDerivationsPreview) -> [Paragraph] {
        [.heading(DerivationsWording.heading(of: preview)), .blank]
            + DerivedKeyWording.keys(of: preview).flatMap(lines)
    }

    /// What a list of paths would add below a seed.
    static func paragraphs(_ preview: PathImportPreview) -> [Paragraph] {
        [.heading(DerivationsWording.heading(of: preview))]
            + preview.paths.map { Paragraph(indent: 2, [.words(DerivedKeyWording.path($0))]) }
    }

    /// What an import would add.
    static func paragraphs(_ groups: [DerivationsPreview]) -> [Paragraph] {
        guard !groups.isEmpty else { return [Paragraph(indent: 2, [.words(DerivationsWording.noSeed)])] }
        return groups.flatMap { group in
            [Paragraph(indent: 2, [.words("\(ForeignName.shown(group.name, as: .title)):")])]
                + DerivedKeyWording.keys(of: group).flatMap(lines)
        }
    }

    private static func lines(_ key: DerivedKeyWording) -> [Paragraph] {
        let name = [key.path, key.network] + (key.scheme.map { [$0] } ?? [])
        return [
            Paragraph(indent: 4, [.words("\(name.joined(separator: "  "))  \(key.state)")]),
            Paragraph(indent: 6, [.whole(key.address.text)]),
        ]
    }
}
