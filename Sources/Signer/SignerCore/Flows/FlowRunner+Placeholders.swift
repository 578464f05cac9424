import BasicFoundation
import Signer
import TextForms

extension FlowRunner {
    /// The text with what its placeholder stands for.
    mutating func filled(_ text: String) throws -> String {
        guard text.hasPrefix("$") else { return text }
        let parts = text.dropFirst().split(separator: ":", maxSplits: 1).map(String.init)
        let rest = parts.count == 2 ? parts[1] : ""
        switch parts.first {
        case "phrase":
            guard let phrase = phrases[rest] else { throw Fault.unknownPlaceholder(text) }
            return phrase
        case "file": return try files(rest).filter { !$0.isWhitespace }
        case "publicKey": return try publicKey(rest)
        case "concat":
            var whole = ""
            for part in rest.split(separator: "+") {
                // One in another says nothing more, and each would copy all that is left.
                guard !part.hasPrefix("$concat:") else { throw Fault.unknownPlaceholder("$concat: in $concat:") }
                whole += try filled(String(part))
            }
            return whole
        case "replace": return try replaced(rest)
        case "share": return try share(rest)
        case "sign": return FlowStart.dangerousTransaction
        default: throw Fault.unknownPlaceholder(text)
        }
    }

    private struct Replacement: Decodable {
        var `in`: String
        var from: String
        var to: String
    }

    private mutating func replaced(_ json: String) throws -> String {
        let parts = try JSONDecoder().decode(Replacement.self, from: Data(json.utf8))
        let (text, from, to) = (try filled(parts.in), try filled(parts.from), try filled(parts.to))
        return text.replacing(from, with: to)
    }

    /// The public key at a path of a seed, which the vault has.
    private func publicKey(_ text: String) throws -> String {
        let slash = text.firstIndex(of: "/") ?? text.endIndex
        let (seed, path) = (String(text[..<slash]), String(text[slash...]))
        let keys = try host.openVault()?.keys() ?? []
        guard let key = keys.first(where: { $0.details.seedName == seed && $0.details.path == path }) else {
            throw Fault.unknownPlaceholder("$publicKey:\(text)")
        }
        return Hex.encode(key.signer.publicKey)
    }

    private mutating func share(_ text: String) throws -> String {
        let parts = text.split(separator: "/").map(String.init)
        guard parts.count == 2, let set = shares[parts[0]], let index = Int(parts[1]),
            set.shares.indices.contains(index)
        else { throw Fault.unknownPlaceholder("$share:\(text)") }
        passphrase = set.passphrase
        return set.shares[index]
    }
}
