import ExecutableImage
import TextForms

extension CodeDirectory {
    var hexCDHash: String { Hex.encode(cdhash) }

    /// The lines that people read.
    var lines: [String] {
        var names: [String] = []
        if flags.contains(.adHoc) { names.append("ad hoc") }
        if flags.contains(.linkerSigned) { names.append("linker-signed") }
        if flags.contains(.hardenedRuntime) { names.append("hardened runtime") }
        let pageSize = pageSizeLog2 == 0 ? "all at once" : "\(1 << Int(pageSizeLog2)) bytes each"
        let team = teamIdentifier.map { ["  team        \(ScreenText.escape($0))"] } ?? []
        return [
            "  identifier  \(ScreenText.escape(identifier))", "  cdhash      \(hexCDHash)",
        ] + team + [
            "  hash        \(hashName)",
            "  flags       0x\(String(flags.rawValue, radix: 16)) \(names.joined(separator: ", "))",
            "  covers      \(codeLimit) bytes, \(pageCount) pages, \(pageSize)",
            "  pages       \(verdict)",
        ]
    }

    private var verdict: String {
        if !badPages.isEmpty { return "differ: \(badPages.map(String.init).joined(separator: ", "))" }
        return codeNotCovered == nil ? "all match" : "some have no hash"
    }

    private var hashName: String {
        switch hashType {
        case 1: "SHA-1"
        case 2: "SHA-256"
        case 3: "SHA-256, cut to 20 bytes"
        default: "SHA-384"
        }
    }
}

extension ExecutableFile {
    /// The code signature, unless it is missing or damaged: digests do not depend on it.
    func readableSignature(of image: LoadableImage) throws(ImageFailure) -> CodeSignature? {
        do {
            return try codeSignature(of: image)
        } catch {
            guard error.error != nil else { throw error }
            return nil
        }
    }
}
