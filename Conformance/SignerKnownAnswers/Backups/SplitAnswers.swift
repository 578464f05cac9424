import KnownAnswers
import SecretMemory
import SplitBackup

/// `{field, recover, split, badShares, badSets, wrongPassphrase, notMnemonic}`: split backups.
enum SplitAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("recover", "split", "badShares") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        report.check(content["field"]) { row in try checkField(&row) }
        report.check(content["recover"], besides: ["id", "origin"]) { row in try checkRecovery(&row) }
        report.check(content["split"], besides: ["id"]) { row in
            try checkSplit(&row)
        }
        report.check(content["badShares"], besides: ["id"]) { row in
            let found = shareCode { try BackupShare(reading: Array(row.text("share").utf8)) }
            row.expect(row.id, found, equals: try row.text("error"))
        }
        report.check(content["badSets"], besides: ["id"]) { row in
            let found = shareCode { try set(of: [row.text("first"), row.text("second")]) }
            row.expect(row.id, found, equals: try row.text("error"))
        }
        report.check(content["wrongPassphrase"]) { row in
            var set = try complete(row["shares"].strings)
            let passphrase = try row.secretText("passphrase")
            row.expect("code", shareCode { try set.recover(passphrase: passphrase) }, equals: try row.text("error"))
        }
        report.check(content["notMnemonic"]) { row in
            let name = row["set"]
            guard let source = content["recover"].array.first(where: { $0["id"] == name }) else {
                throw RowError.missing("set")
            }
            var set = try complete(source["shares"].strings)
            let passphrase = try SecretBytes(copying: Array((source["passphrase"].string ?? "").utf8))
            let found = shareCode {
                try set.recover(passphrase: passphrase) { $0.publicText.split(separator: " ").count == 12 }
            }
            row.expect("code", found, equals: try row.text("error"))
        }
    }

    private static func shareCode(_ body: () throws -> some Any) -> String? {
        code({ ($0 as? ShareError)?.code }, body)
    }

    private static func set(of shares: some Sequence<String>) throws -> ShareSet {
        let shares = try shares.map { try BackupShare(reading: Array($0.utf8)) }
        guard let first = shares.first else { throw RowError.missing("shares") }
        var set = try ShareSet(first)
        for share in shares.dropFirst() { try set.add(share) }
        return set
    }

    /// The first of the shares that are enough.
    private static func complete(_ shares: [String]) throws -> ShareSet {
        guard let first = shares.first else { throw RowError.missing("shares") }
        return try set(of: shares.prefix(BackupShare(reading: Array(first.utf8)).required))
    }

    private static func checkRecovery(_ row: inout Row) throws {
        let (shares, title) = (row["shares"].strings, try row.text("title"))
        let passphrase = try row.secretText("passphrase")
        let cipher = try BackupCipher(passphrase: passphrase, title: title)
        row.expect("\(row.id) salt", hex(BackupCipher.salt(title: title)), equals: try row.text("saltSha512"))
        row.expect("\(row.id) key", hex(cipher.key.revealed), equals: try row.text("scryptKey"))
        let read = try shares.map { try BackupShare(reading: Array($0.utf8)) }
        guard let required = read.first?.required else { throw RowError.missing("shares") }
        for (share, text) in zip(read, shares) {
            row.expect("\(row.id) nonce", share.nonce.map(hex), equals: row["nonce"].string)
            // A share of version 1 is written as it was.
            if share.version == .base64 { row.expect("\(row.id) share", share.text, equals: text) }
        }
        for chosen in [Array(shares.prefix(required)), shares.suffix(required).reversed()] {
            var set = try set(of: chosen)
            row.expect("\(row.id) title", set.title, equals: title)
            let secret = try set.recover(passphrase: passphrase).publicText
            row.expect("\(row.id) secret", secret, equals: try row.text("secret"))
            let combined = try ShareCombination(
                of: chosen.map { try BackupShare(reading: Array($0.utf8)) }, in: .ofBytes
            ).bytes()
            row.expect("\(row.id) combined", combined?.revealed, equals: try row.bytes("combinedCiphertext"))
        }
    }

    private static func checkSplit(_ row: inout Row) throws {
        let cipher = try BackupCipher(passphrase: row.secretText("passphrase"), title: row.text("title"))
        row.expect("\(row.id) key", hex(cipher.key.revealed), equals: try row.text("scryptKey"))
        let nonce = try row.bytes("nonce")
        let secret = try row.secretText("secret")
        let plain = try BackupShare.padded(secret, by: cipher, nonce: nonce)
        row.expect("\(row.id) padded", hex(plain.revealed), equals: try row.text("padded"))
        let ciphertext = try row.bytes("ciphertext")
        row.expect("\(row.id) ciphertext", Array(plain.revealed.suffix(ciphertext.count)), equals: ciphertext)
        let plan = try SplitPlan(total: row.integer("totalShards"), required: row.integer("requiredShards"))
        let rule = "coefficient of x^j for plaintext byte k (0-based) is (17*k + 91*j + 7) mod 256"
        row.expect("\(row.id) rule", rule, equals: try row.text("coefficientRule"))
        let coefficients = try SecretBytes(count: plain.count * (plan.required - 1)) { memory in
            for power in 1..<plan.required {
                for element in 0..<plain.count {
                    memory[(power - 1) * plain.count + element] = UInt8((17 * element + 91 * power + 7) & 0xff)
                }
            }
        }
        let shares = BackupShare.shares(
            of: plain, title: try row.text("title"), plan: plan, nonce: nonce, coefficients: coefficients)
        row.expect("\(row.id) shares", shares.map(\.text), equals: row["shares"].strings)
    }

    private static func checkField(_ row: inout Row) throws {
        let lows = row["polynomialLowBits"].object
        row.expect("widths", lows.keys.compactMap { Int($0) }.sorted(), equals: Array(GaloisField.allBits))
        for bits in GaloisField.allBits {
            let product = GaloisField(bits: bits)?.product(of: 1 << UInt32(bits - 1), by: 2)
            row.expect("\(bits) bits", product.map(Int.init), equals: lows["\(bits)"]?.int)
        }
        let tables = row["gf256"]
        func power(_ exponent: Int) -> Int {
            Int((0..<exponent).reduce(UInt32(1)) { value, _ in GaloisField.ofBytes.product(of: value, by: 2) })
        }
        for (exponent, value) in tables["exp"].array.enumerated() {
            row.expect("2^\(exponent)", power(exponent), equals: value.int)
        }
        for (place, exponent) in tables["log"].array.enumerated() {
            row.expect("log \(place + 1)", exponent.int.map(power), equals: place + 1)
        }
        for factors in tables["product"].array {
            let (left, right) = (UInt32(factors[0].int ?? 0), UInt32(factors[1].int ?? 0))
            row.expect(
                "\(left) by \(right)", Int(GaloisField.ofBytes.product(of: left, by: right)), equals: factors[2].int)
            row.expect(
                "\(right) by \(left)", Int(GaloisField.ofBytes.product(of: right, by: left)), equals: factors[2].int)
        }
    }
}

/// `wordlist.txt`: the words of passphrases, one a line.
enum PassphraseAnswers {
    @Sendable static func check(_ file: AnswerFile, report: inout Report) {
        let words = (try? file.text())?.split(whereSeparator: \.isNewline).map { Array($0.utf8) }
        if words == PassphraseWords.utf8 {
            report.pass()
        } else {
            report.fail(file.path, because: "the words are not those of this build")
        }
    }
}
