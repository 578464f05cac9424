import Crypto
import HardwareKeys
import KnownAnswers
import Vigil

/// Recorded conversations with a TPM.
///
/// This package speaks to TPMs through tpm2-tss, with sessions of its own, so that its commands are other bytes. Compared are what
/// both have in common: public areas, Names, signatures, and what response codes mean.
enum TPMExchangeAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content["exchanges"].has("command", "response", "rc") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        let exchanges = content["exchanges"].array
        report.check(exchanges, of: "\(file.path) response codes", checkCode)
        var loaded: [UInt32: [UInt8]] = [:]
        report.check(exchanges, of: "\(file.path) contents") { row in try checkContent(&row, &loaded) }
    }

    // MARK: Response codes

    /// What a response code means here, and that none but those of absent hardware lets a software key stand in.
    private static func checkCode(_ row: inout Row) throws {
        let exchange = try TPMExchange(row)
        row.expect("code", exchange.responseCode, equals: try row.integer("rc"))
        guard exchange.responseCode != 0, exchange.responseCode != TPMResponse.alreadyStarted else { return }
        let subject = exchange.handles.first.map(TPMResponse.Subject.index) ?? .object
        let meaning = TPMResponse.meaning(of: exchange.responseCode, on: subject)
        row.expect(exchange.name, "\(meaning)", equals: "\(meanings[exchange.responseCode] ?? .unknown)")
        if exchange.responseCode == 0x18b {
            row.expect("absent index", meaning, equals: .known(.dead(index: exchange.handles[0])))
        }
    }

    /// Others are told as they are, as an unexpected response.
    private static let meanings: [UInt32: TPMResponse.Meaning] = [
        0x9a2: .known(.wrongCredential), 0x98e: .known(.wrongCredential), 0x99d: .known(.rolledBack),
        0x18b: .known(.dead(index: 0x8100_0001)), 0x921: .lockout,
    ]

    // MARK: Contents

    /// - Parameter loaded: public areas by the handle under which they are loaded.
    private static func checkContent(_ row: inout Row, _ loaded: inout [UInt32: [UInt8]]) throws {
        let exchange = try TPMExchange(row)
        guard exchange.responseCode == 0 else {
            row.skip("a response of a TPM that refuses has no contents")
            return
        }
        switch exchange.code {
        case TPMExchange.Code.createPrimary: try checkPrimary(&row, exchange, &loaded)
        case TPMExchange.Code.create: try checkCreation(&row, exchange)
        case TPMExchange.Code.load: try checkLoad(&row, exchange, &loaded)
        case TPMExchange.Code.readPublic: try checkName(&row, exchange)
        case TPMExchange.Code.sign: try checkSignature(&row, exchange, loaded)
        default: row.skip("contents of \(exchange.name.prefix { $0 != "(" }) are written and read by tpm2-tss alone")
        }
    }

    private static func checkPrimary(
        _ row: inout Row, _ exchange: TPMExchange, _ loaded: inout [UInt32: [UInt8]]
    ) throws {
        var (command, response) = (exchange.command, exchange.response)
        try command.skip(Int(command.integer(UInt16.self)))
        row.expect("template of the storage key", try command.sized(), equals: TPMPublicArea.storageKey)
        let area = try response.sized()
        row.expect("storage key", area.starts(with: TPMPublicArea.storageKeyHead), equals: true)
        if let handle = exchange.responseHandle { loaded[handle] = area }
    }

    private static func checkCreation(_ row: inout Row, _ exchange: TPMExchange) throws {
        var (command, response) = (exchange.command, exchange.response)
        try command.skip(Int(command.integer(UInt16.self)))
        let template = try command.sized()
        _ = try response.sized()
        let area = try response.sized()
        switch template {
        case TPMPublicArea.signingKey:
            row.expect("point", TPMPublicArea.point(of: area, after: TPMPublicArea.signingKeyHead)?.count, equals: 65)
        case TPMPublicArea.attestationKey:
            row.expect(
                "point", TPMPublicArea.point(of: area, after: TPMPublicArea.attestationKeyHead)?.count, equals: 65)
        // Attributes 000404b2: only the policy allows its use. 00000452: sealed with an authorisation alone.
        case _ where template[4..<8].elementsEqual([0x00, 0x04, 0x04, 0xb2]):
            row.skip("keys bound to boot measurements are not made here")
        case _ where template[4..<8].elementsEqual([0x00, 0x00, 0x04, 0x52]):
            row.skip("secrets are sealed with a policy here (`mainkey` section 17), never with an authorisation alone")
        default: row.expect("template", template, equals: TPMPublicArea.signingKey)
        }
    }

    private static func checkLoad(
        _ row: inout Row, _ exchange: TPMExchange, _ loaded: inout [UInt32: [UInt8]]
    ) throws {
        var (command, response) = (exchange.command, exchange.response)
        _ = try command.sized()
        let area = try command.sized()
        row.expect("Name", try response.sized(), equals: TPMPublicArea.name(of: area))
        if let handle = exchange.responseHandle { loaded[handle] = area }
    }

    private static func checkName(_ row: inout Row, _ exchange: TPMExchange) throws {
        var response = exchange.response
        let area = try response.sized()
        row.expect("Name", try response.sized(), equals: TPMPublicArea.name(of: area))
    }

    private static func checkSignature(
        _ row: inout Row, _ exchange: TPMExchange, _ loaded: [UInt32: [UInt8]]
    ) throws {
        guard let area = exchange.handles.first.flatMap({ loaded[$0] }), area.count >= 68 else {
            throw RowError.missing("the key that signs")
        }
        var (command, response) = (exchange.command, exchange.response)
        let digest = try command.sized()
        row.expect("scheme", try response.take(4), equals: [0x00, 0x18, 0x00, 0x0b])
        let signature = try TPMPublicArea.padded(response.sized()) + TPMPublicArea.padded(response.sized())
        // The point is the end of every P-256 area, whatever its policy.
        guard let point = TPMPublicArea.point(of: area, after: Array(area.dropLast(68))) else {
            throw RowError.missing("a point of P-256")
        }
        let key = try P256.Signing.PublicKey(x963Representation: point)
        let parsed = try P256.Signing.ECDSASignature(rawRepresentation: signature)
        row.expect("signature", key.isValidSignature(parsed, for: RecordedDigest(digest)), equals: true)
    }
}

/// A SHA-256 digest whose message is not at hand.
private struct RecordedDigest: Digest {
    static let byteCount = 32
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }
    func makeIterator() -> [UInt8].Iterator { bytes.makeIterator() }
}
