import KnownAnswers
import SecretMemory
import Sr25519

extension CryptoTopic {
    static let schnorrkel: [String: RowCheck] = [
        "small_multiples_of_basepoint": RowCheck { row in
            let sum = (0..<row.index).reduce(RistrettoPoint.identity) { sum, _ in sum + .basePoint }
            row.expect("encoding", sum.encoded, equals: row.json.hex ?? [])
        },
        // What another implementation says.
        "bad_encodings": RowCheck(besides: ["libsodium_1_0_18_accepts"]) { row in
            row.expect("accepted", RistrettoPoint(try row.bytes("encoding")) != nil, equals: false)
        },
        // Points are multiplied by the base alone here.
        "group_ops": RowCheck(besides: ["l_times_kB"]) { row in
            let left = RistrettoPoint.multiplyBase(try row.bytes("k"))
            let right = RistrettoPoint.multiplyBase(try row.bytes("l"))
            row.expect("kB", left.encoded, equals: try row.bytes("kB"))
            row.expect("lB", right.encoded, equals: try row.bytes("lB"))
            row.expect("sum", (left + right).encoded, equals: try row.bytes("kB_plus_lB"))
            row.expect("difference", (left - right).encoded, equals: try row.bytes("kB_minus_lB"))
        },
        "scalar_reduce_wide": RowCheck { row in
            row.expect("scalar", Scalar.reduce(try row.bytes("wide")), equals: try row.bytes("scalar"))
        },
        "expansion": RowCheck { row in
            let mini = try row.secret("mini_secret")
            let pair = try Sr25519KeyPair(miniSecret: mini)
            let expected = row["ed25519_mode"]
            row.expect("public", pair.publicKey.bytes, equals: expected["public"].hex ?? [])
            row.expect(
                "canonical", try pair.secretBytes(form: .canonical).revealed, equals: expected["secret_canonical"].hex)
            row.expect(
                "ed25519 form", try pair.secretBytes(form: .ed25519).revealed,
                equals: expected["secret_ed25519_form"].hex)
            let uniform = try Sr25519KeyPair.expandUniform(mini)
            row.expect("uniform", uniform.revealed, equals: row["uniform_mode"]["secret_canonical"].hex)
            row.expect(
                "uniform public", try Sr25519KeyPair(secret: uniform, form: .canonical).publicKey.bytes,
                equals: row["uniform_mode"]["public"].hex ?? [])
        },
        "sign_with_fixed_rng": RowCheck { row in
            let pair = try Sr25519KeyPair(secret: row.secret("secret"), form: .canonical)
            row.expect("public", pair.publicKey.bytes, equals: try row.bytes("public"))
            let signature = try pair.signUnchecked(
                row.bytes("message"), context: Array(row.text("context").utf8), random: row.secret("rng32"))
            row.expect("signature", signature, equals: try row.bytes("signature"))
        },
        "verify": RowCheck { row in
            row.expect("outcome", try outcome(of: row), equals: try row.text("expect"))
        },
        "derive": RowCheck { row in
            try checkDerivation(&row)
        },
    ]

    private static func outcome(of row: Row) throws -> String {
        do {
            let context = row["context"].string.map { Array($0.utf8) }
            try Sr25519.verify(
                signature: row["signature"].hex ?? [], message: row["message"].hex ?? [],
                publicKey: row["public"].hex ?? [],
                context: context)
            return "ok"
        } catch {
            return switch error {
            case .invalidLength: "length"
            case .notMarkedSchnorrkel: "notMarked"
            case .nonCanonicalScalar: "scalarFormat"
            case .invalidPublicKey: "badPublicKey"
            case .signatureMismatch: "equationFalse"
            case .invalidSecretKey, .faultDuringSigning, .memory: "\(error)"
            }
        }
    }

    private static func checkDerivation(_ row: inout Row) throws {
        let chainCode = try row.bytes("chain_code")
        let secret = try row.secret("secret")
        let pair = try Sr25519KeyPair(secret: secret, form: .canonical)
        row.expect("public", pair.publicKey.bytes, equals: try row.bytes("public"))
        let hard = try pair.deriveHard(chainCode: chainCode)
        row.expect("hard mini-secret", hard.miniSecret?.revealed, equals: row["hard"]["mini_secret"].hex)
        row.expect("hard secret", try hard.secretBytes(form: .canonical).revealed, equals: row["hard"]["secret"].hex)
        row.expect("hard public", hard.publicKey.bytes, equals: row["hard"]["public"].hex ?? [])
        let soft = try pair.deriveSoft(chainCode: chainCode)
        row.expect("soft public", soft.publicKey.bytes, equals: row["soft"]["public"].hex ?? [])
        row.expect(
            "soft public from public", pair.publicKey.deriveSoft(chainCode: chainCode).bytes,
            equals: row["soft"]["public"].hex ?? [])
        let derivation = SoftDerivation(publicKey: pair.publicKey.bytes, chainCode: chainCode)
        // The chain codes of children are for keys that carry one; those of Substrate do not.
        row.json.leave("hard.next_chain_code", "soft.next_chain_code")
        row.expect("tweak", derivation.scalar, equals: row["soft"]["scalar_tweak"].hex ?? [])
        let fixed = row["soft"]["nonce_with_fixed_rng"]
        if let random = fixed["rng32"].hex {
            let child = try derivation.derive(secret, random: SecretBytes(copying: random)).revealed
            row.expect("soft scalar", Array(child[..<32]), equals: row["soft"]["secret_scalar"].hex ?? [])
            row.expect("soft nonce", Array(child[32...]), equals: fixed["nonce"].hex ?? [])
        }
    }
}
