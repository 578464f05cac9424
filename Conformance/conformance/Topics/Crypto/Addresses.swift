import KnownAnswers
import Substrate

extension CryptoTopic {
    static let addresses: [String: RowCheck] = [
        "valid_32": RowCheck(check: checkAddress),
        "valid_33": RowCheck(check: checkAddress),
        "invalid": RowCheck { row in
            let found: String
            let address = try row.text("address")
            do throws(SS58Error) {
                found = "ok(prefix \(try SS58.decode(address, payloadSizes: 32...32).prefix))"
            } catch {
                found = name(of: error)
            }
            // We are stricter than upstream in this one place.
            let upstream = try row.text("expect_sp_core")
            let strict = row["note"].string?.contains("nonCanonicalPrefix") == true ? "nonCanonicalPrefix" : upstream
            row.expect("outcome", found, equals: strict)
        },
        // Only prefixes are taken from it.
        "registry": RowCheck(besides: ["displayName", "network", "standardAccount"]) { row in
            // A table of networks: each prefix must come back from an address that has it, but for the reserved ones
            // and one that is beyond the format.
            row.expect("units", row["symbols"].strings.count, equals: row["decimals"].ints.count)
            guard let prefix = row["prefix"].int.flatMap({ UInt16(exactly: $0) }) else {
                throw RowError.missing("prefix")
            }
            do {
                let address = try SS58.encode([UInt8](repeating: 7, count: 32), prefix: prefix)
                row.expect("prefix", try SS58.decode(address).prefix, equals: prefix)
            } catch {
                row.expect("refused", prefix == 46 || prefix == 47 || prefix >= 1 << 14, equals: true)
            }
        },
        // None of them is taken, whatever is in it.
        "short_forms": RowCheck(besides: ["payload", "prefix"]) { row in
            let decoded = try? SS58.decode(row.text("address"))
            row.expect("refused as a destination", decoded == nil, equals: true)
        },
    ]

    private static func checkAddress(_ row: inout Row) throws {
        let address = try row.text("address")
        let (prefix, payload) = try SS58.decode(address)
        row.expect("prefix", Int(prefix), equals: row["prefix"].int ?? -1)
        row.expect("payload", payload, equals: try row.bytes("payload"))
        row.expect("encoded", try SS58.encode(payload, prefix: prefix), equals: address)
    }

    private static func name(of error: SS58Error) -> String {
        switch error {
        case .badBase58: "badBase58"
        case .badLength: "badLength"
        case .invalidPrefix: "invalidPrefix"
        case .formatNotAllowed: "formatNotAllowed"
        case .nonCanonicalPrefix: "nonCanonicalPrefix"
        case .invalidChecksum: "invalidChecksum"
        case .wrongPrefix: "wrongPrefix"
        case .prefixOutOfRange: "prefixOutOfRange"
        }
    }
}
