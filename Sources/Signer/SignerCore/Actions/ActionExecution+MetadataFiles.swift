import BasicFoundation
import Navigator
import Signer
import Substrate
import TextForms

/// Files of metadata, and proofs.
extension ActionExecution {
    /// A token as a page gives it; what is empty is taken from what is known.
    private struct Token: Decodable {
        var decimals: String?
        var unit: String?
        var prefix: String?
    }

    /// What a file holds, which comes as hex.
    private func content() throws -> [UInt8] {
        guard let content = Hex.decode(data), !content.isEmpty else { throw CoreError.notHex }
        return content
    }

    func readsMetadata() -> Bool { succeeds { try state.files.open(content(), in: vault()) } }

    func takesToken() -> Bool {
        succeeds {
            guard let text = try? JSONDecoder().decode(Token.self, from: Data(data.utf8)) else {
                throw MetadataFileError.tokenMalformed
            }
            func number<Number: FixedWidthInteger>(_ text: String?) throws -> Number? {
                guard let text, !text.isEmpty else { return nil }
                guard let number = Number(text) else { throw MetadataFileError.tokenMalformed }
                return number
            }
            let token = TokenOverride(
                decimals: try number(text.decimals), unit: text.unit?.isEmpty == false ? text.unit : nil,
                prefix: try number(text.prefix))
            try state.files.take(token, in: vault())
        }
    }

    func verifiesProof() -> Bool { succeeds { try state.files.verify(content()) } }
    func hashIsSame() -> Bool { succeeds { try state.files.compare(with: data) } }
    func proves() -> Bool { succeeds { try state.files.prove(content(), in: vault()) } }
    func makesLean() -> Bool { succeeds { try state.files.makeLean() } }
}
