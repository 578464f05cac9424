import Cryptography
import HardwareKeys
import KnownAnswers
import Vigil

/// Recorded conversations with a TPM.
///
/// This package speaks to TPMs through tpm2-tss, with sessions of its own, so that its commands are other bytes.
/// Compared are what both have in common: public areas, Names, signatures, and what response codes mean.
enum TPMExchangeAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content["exchanges"].has("command", "response", "rc") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        let exchanges = content["exchanges"]
        report.check(exchanges, as: "response codes", checkCode)
        var seen = Seen()
        report.check(exchanges, as: "contents") { row in try checkContent(&row, &seen) }
    }

    // MARK: Response codes

    /// What a response code means here, and that none but those of absent hardware lets a software key stand in.
    private static func checkCode(_ row: inout Row) throws {
        let exchange = try TPMExchange(row)
        row.expect("code", exchange.responseCode, equals: try row.integer("rc"))
        // TPM_RC_COMMAND_CODE: nor does the TPM.
        guard exchange.isKnown || exchange.responseCode == 0x143 else {
            throw RowError.missing("a command that is known here, not 0x\(String(exchange.code, radix: 16)),")
        }
        guard exchange.responseCode != 0, exchange.responseCode != TPMResponse.alreadyStarted else { return }
        let subject = exchange.handles.first.map(TPMResponse.Subject.index) ?? .object
        let meaning = TPMResponse.meaning(of: exchange.responseCode, on: subject)
        row.expect(exchange.name, "\(meaning)", equals: "\(meanings[exchange.responseCode] ?? .unknown)")
        if exchange.responseCode == 0x18b {
            row.expect("absent index", meaning, equals: .known(.dead(index: exchange.handles[0])))
        }
    }

    /// What response codes mean. Codes that are not listed are told as they are, as an unexpected response.
    private static let meanings: [UInt32: TPMResponse.Meaning] = [
        0x9a2: .known(.wrongCredential), 0x98e: .known(.wrongCredential), 0x99d: .known(.rolledBack),
        0x18b: .known(.dead(index: 0x8100_0001)), 0x921: .lockout,
    ]

    // MARK: Contents

    /// What earlier exchanges of a conversation told.
    private struct Seen {
        /// Public areas by the handle under which they are loaded.
        var loaded: [UInt32: [UInt8]] = [:]
        /// Qualified Names by the handle of the key.
        var names: [UInt32: [UInt8]] = [:]
        /// Values of registers of the SHA-256 bank, as they were read last.
        var registers: [Int: [UInt8]] = [:]

        /// Takes a key that a TPM has loaded, below the hierarchy or the key that the command names first.
        mutating func load(_ area: [UInt8], by exchange: TPMExchange) {
            guard let handle = exchange.responseHandle, let parent = exchange.handles.first else { return }
            loaded[handle] = area
            let above = names[parent] ?? withUnsafeBytes(of: parent.bigEndian) { Array($0) }
            names[handle] = [0x00, 0x0b] + SHA256Hash.of(above + TPMPublicArea.name(of: area))
        }
    }

    private static func checkContent(_ row: inout Row, _ seen: inout Seen) throws {
        let exchange = try TPMExchange(row)
        guard exchange.responseCode == 0 else {
            row.skip("a response of a TPM that refuses has no contents")
            return
        }
        switch exchange.code {
        case TPMExchange.Code.createPrimary: try checkPrimary(&row, exchange, seen: &seen)
        case TPMExchange.Code.create: try checkCreation(&row, exchange)
        case TPMExchange.Code.load: try checkLoad(&row, exchange, seen: &seen)
        case TPMExchange.Code.readPublic: try checkName(&row, exchange)
        case TPMExchange.Code.sign: try checkSignature(&row, exchange, loaded: seen.loaded)
        case TPMExchange.Code.pcrRead: try readRegisters(&row, exchange, into: &seen.registers)
        case TPMExchange.Code.quote: try checkQuote(exchange, in: &row, after: seen)
        default: row.skip("contents of \(exchange.name.prefix { $0 != "(" }) are written and read by tpm2-tss alone")
        }
    }

    private static func checkPrimary(
        _ row: inout Row, _ exchange: TPMExchange, seen: inout Seen
    ) throws {
        var (command, response) = (exchange.command, exchange.response)
        try command.skip(Int(command.integer(UInt16.self)))
        row.expect("template of the storage key", try command.sized(), equals: TPMPublicArea.storageKey)
        let area = try response.sized()
        row.expect("storage key", area.starts(with: TPMPublicArea.storageKeyHead), equals: true)
        seen.load(area, by: exchange)
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
        _ row: inout Row, _ exchange: TPMExchange, seen: inout Seen
    ) throws {
        var (command, response) = (exchange.command, exchange.response)
        _ = try command.sized()
        let area = try command.sized()
        row.expect("Name", try response.sized(), equals: TPMPublicArea.name(of: area))
        seen.load(area, by: exchange)
    }

    private static func checkName(_ row: inout Row, _ exchange: TPMExchange) throws {
        var response = exchange.response
        let area = try response.sized()
        row.expect("Name", try response.sized(), equals: TPMPublicArea.name(of: area))
    }

    /// A selection of the SHA-256 bank, and the values in its order.
    private static func readRegisters(
        _ row: inout Row, _ exchange: TPMExchange, into registers: inout [Int: [UInt8]]
    ) throws {
        var response = exchange.response
        // The counter of updates.
        try response.skip(4)
        let selected = try selection(&response)
        row.expect("digests", Int(try response.integer(UInt32.self)), equals: selected.count)
        for register in selected { registers[register] = try response.sized() }
    }

    private static func selection(_ fields: inout TPMFields) throws -> [Int] {
        guard try fields.take(7) == [0, 0, 0, 1, 0x00, 0x0b, 3] else {
            throw RowError.missing("one selection of the SHA-256 bank")
        }
        let bitmap = try fields.take(3)
        return (0..<24).filter { bitmap[$0 / 8] >> ($0 % 8) & 1 == 1 }
    }

    /// A quote is read as the one of evidence is, and is of what was asked for.
    private static func checkQuote(_ exchange: TPMExchange, in row: inout Row, after seen: Seen) throws {
        guard let area = exchange.handles.first.flatMap({ seen.loaded[$0] }) else {
            throw RowError.missing("the key that quotes")
        }
        var (command, response) = (exchange.command, exchange.response)
        let qualifyingData = try command.sized()
        row.expect("scheme", try command.take(2), equals: [0x00, 0x10])
        let selected = try selection(&command)
        let attest = try response.sized()
        // Behind the parameters are the authorisations.
        let signature = try response.signature()
        let quote = try TPMQuote(attest: attest, signature: signature, keyArea: area)
        row.expect("signed", quote.isSigned, equals: true)
        row.expect("qualified Name", quote.signer, equals: exchange.handles.first.flatMap { seen.names[$0] } ?? [])
        row.expect("qualifying data", quote.qualifyingData, equals: qualifyingData)
        row.expect("registers", quote.registers, equals: selected)
        let values = seen.registers.filter { selected.contains($0.key) }
        row.expect("values of the registers", quote.covers(values), equals: true)
    }

    private static func checkSignature(
        _ row: inout Row, _ exchange: TPMExchange, loaded: [UInt32: [UInt8]]
    ) throws {
        guard let area = exchange.handles.first.flatMap({ loaded[$0] }), area.count >= 68 else {
            throw RowError.missing("the key that signs")
        }
        var (command, response) = (exchange.command, exchange.response)
        let digest = try command.sized()
        row.expect("scheme", try response.take(4), equals: [0x00, 0x18, 0x00, 0x0b])
        let signature = try TPMPublicArea.padded(response.sized()) + TPMPublicArea.padded(response.sized())
        // The point is the end of every P-256 area, whatever its policy.
        guard let point = TPMPublicArea.point(of: area, after: Array(area.dropLast(68))),
            let key = P256PublicKey(x963: point), let parsed = P256Signature(raw: signature)
        else { throw RowError.missing("a point of P-256") }
        row.expect("signature", key.isValid(parsed, ofDigest: digest), equals: true)
    }
}
