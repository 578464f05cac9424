/// A statement that is prepared once for each connection.
struct PostgresStatement: Sendable {
    /// The name of the statement, which messages use too.
    let name: String
    let sql: String
    let types: [PostgresType]
    /// Whether doing it twice gives the same answer and the same rows: only such a statement is sent again when a
    /// connection breaks before the answer. For the others the gate refuses rather than guess.
    let isRepeatable: Bool

    /// A time from milliseconds since 1970. The arithmetic is exact in every engine, which that of `to_timestamp` is
    /// not.
    private static func time(_ milliseconds: String) -> String {
        "timestamptz '1970-01-01T00:00:00Z' + \(milliseconds) * interval '1 millisecond'"
    }

    /// The channel of `NOTIFY` on which gates tell each other the names of keys that they withdraw.
    static let withdrawals = "gate_withdrawals"

    /// The same statement, which also tells the names of the keys that it returns to all gates that listen: when it is
    /// committed, and not otherwise.
    ///
    /// `NOTIFY` takes a lock of the whole database at that moment: for statements that are rare.
    var telling: PostgresStatement {
        PostgresStatement(
            name: name + "_telling",
            sql: "WITH keys AS (\(sql)) SELECT key_id, pg_notify('\(Self.withdrawals)', key_id) FROM keys",
            types: types, isRepeatable: isRepeatable)
    }

    /// Milliseconds since 1970 from a time.
    private static func milliseconds(_ time: String) -> String { "(extract(epoch from \(time)) * 1000)::bigint" }
}

// Keys. Columns are cast to the few types of PostgresType, because `int` has other widths in other engines.
extension PostgresStatement {
    private static let columns = """
        key_id, app_id, environment, public_key, sign_count::bigint, \(milliseconds("registered_at")), \
        \(milliseconds("last_used_at")), \(milliseconds("last_asserted_at")), category::bigint, bundle_version, receipt, \
        risk_metric::bigint, \(milliseconds("receipt_not_before")), \(milliseconds("receipt_expires_at")), \
        \(milliseconds("revoked_at")), revoked_reason, accounts, device_ban
        """

    static let insertKey = PostgresStatement(
        name: "gate_insert_key",
        sql: """
            INSERT INTO gate_keys (key_id, app_id, environment, public_key, sign_count, registered_at, last_used_at,
            last_asserted_at, category, bundle_version, receipt, risk_metric, receipt_not_before, receipt_expires_at,
            revoked_at, revoked_reason, accounts, device_ban)
            VALUES ($1, $2, $3, $4, $5, \(time("$6")), \(time("$7")), \(time("$8")), $9, $10, $11, $12, \(time("$13")),
            \(time("$14")), \(time("$15")), $16, $17, $18)
            ON CONFLICT (key_id) DO NOTHING
            """,
        types: [
            .text, .text, .text, .bytes, .number, .number, .number, .number, .number, .text, .bytes, .number, .number,
            .number, .number, .text, .text, .text,
        ],
        isRepeatable: true)

    static let selectKey = PostgresStatement(
        name: "gate_select_key", sql: "SELECT \(columns) FROM gate_keys WHERE key_id = $1", types: [.text],
        isRepeatable: true)

    /// A clock of the database that is behind for a while makes no key older than it is.
    static let advance = PostgresStatement(
        name: "gate_advance",
        sql: """
            UPDATE gate_keys SET sign_count = $2, last_used_at = GREATEST(last_used_at, now()),
            last_asserted_at = GREATEST(last_used_at, now()), category = $3, bundle_version = $4
            WHERE key_id = $1 AND sign_count < $2 AND revoked_at IS NULL
            """,
        types: [.text, .number, .number, .text], isRepeatable: false)

    /// Notes that the keys of a list are being used, of each once an hour.
    static let noteUse = PostgresStatement(
        name: "gate_note_use",
        sql: """
            UPDATE gate_keys SET last_used_at = now() WHERE key_id = ANY (string_to_array($1, ','))
            AND last_used_at < now() - interval '1 hour'
            """,
        types: [.text], isRepeatable: true)

    static let revoke = PostgresStatement(
        name: "gate_revoke",
        sql: """
            UPDATE gate_keys SET revoked_reason = CASE WHEN revoked_at IS NULL THEN $3 ELSE revoked_reason END,
            revoked_at = COALESCE(revoked_at, \(time("$2"))) WHERE key_id = $1 RETURNING key_id
            """,
        types: [.text, .number, .text], isRepeatable: true)

    static let banKey = PostgresStatement(
        name: "gate_ban_key",
        sql: """
            UPDATE gate_keys SET revoked_reason = CASE WHEN revoked_at IS NULL THEN $3 ELSE revoked_reason END,
            revoked_at = COALESCE(revoked_at, \(time("$2"))), device_ban = COALESCE(device_ban, 'pending')
            WHERE key_id = $1 RETURNING key_id
            """,
        types: [.text, .number, .text], isRepeatable: true)

    static let settleDeviceBan = PostgresStatement(
        name: "gate_settle_device_ban",
        sql: "UPDATE gate_keys SET device_ban = 'set' WHERE key_id = $1 AND device_ban = 'pending'", types: [.text],
        isRepeatable: false)

    // MARK: Accounts. A tag is 64 digits and holds no comma: it is found nowhere but as a whole.

    /// Whether a key was used with an account, and whether that account is banned.
    static let binding = PostgresStatement(
        name: "gate_binding",
        sql: """
            SELECT CASE WHEN position($2 IN COALESCE(accounts, '')) > 0 THEN 1 ELSE 0 END::bigint,
            (SELECT count(*) FROM gate_banned_accounts WHERE account = $2)::bigint FROM gate_keys WHERE key_id = $1
            """,
        types: [.text, .text], isRepeatable: true)

    static let bind = PostgresStatement(
        name: "gate_bind",
        sql: """
            UPDATE gate_keys SET accounts = CASE WHEN accounts IS NULL THEN $2
            WHEN position($2 IN accounts) > 0 THEN accounts ELSE accounts || ',' || $2 END
            WHERE key_id = $1 AND (accounts IS NULL OR position($2 IN accounts) > 0
            OR length(accounts) < \(AttestedKey.maximumAccounts * (2 * AccountTag.byteCount + 1) - 1))
            """,
        types: [.text, .text], isRepeatable: true)

    static let banAccount = PostgresStatement(
        name: "gate_ban_account",
        sql: """
            INSERT INTO gate_banned_accounts (account, banned_at, reason) VALUES ($1, \(time("$2")), $3)
            ON CONFLICT (account) DO NOTHING
            """,
        types: [.text, .number, .text], isRepeatable: true)

    /// Revokes all keys of an account. Reads the whole table: to be called seldom.
    static let revokeAccount = PostgresStatement(
        name: "gate_revoke_account",
        sql: """
            UPDATE gate_keys SET revoked_reason = CASE WHEN revoked_at IS NULL THEN $3 ELSE revoked_reason END,
            revoked_at = COALESCE(revoked_at, \(time("$2"))) WHERE position($1 IN accounts) > 0 RETURNING key_id
            """,
        types: [.text, .number, .text], isRepeatable: true)

    static let liftBan = PostgresStatement(
        name: "gate_lift_ban", sql: "DELETE FROM gate_banned_accounts WHERE account = $1", types: [.text],
        isRepeatable: false)

    static let listBans = PostgresStatement(
        name: "gate_list_bans",
        sql: """
            SELECT account, \(milliseconds("banned_at")), reason FROM gate_banned_accounts WHERE account > $1
            ORDER BY account LIMIT $2
            """,
        types: [.text, .number], isRepeatable: true)

    /// Selects the keys of a list that are not revoked. Names of keys hold no comma.
    static let standing = PostgresStatement(
        name: "gate_standing",
        sql: "SELECT key_id FROM gate_keys WHERE key_id = ANY (string_to_array($1, ',')) AND revoked_at IS NULL",
        types: [.text], isRepeatable: true)

    static let deleteKey = PostgresStatement(
        name: "gate_delete_key", sql: "DELETE FROM gate_keys WHERE key_id = $1 RETURNING key_id", types: [.text],
        isRepeatable: false)

    static let listKeys = PostgresStatement(
        name: "gate_list_keys", sql: "SELECT \(columns) FROM gate_keys WHERE key_id > $1 ORDER BY key_id LIMIT $2",
        types: [.text, .number], isRepeatable: true)

    /// Lists keys without what they have, such as receipts of several kB.
    static let listKeyIDs = PostgresStatement(
        name: "gate_list_key_ids", sql: "SELECT key_id FROM gate_keys WHERE key_id > $1 ORDER BY key_id LIMIT $2",
        types: [.text, .number], isRepeatable: true)

    static let countKeys = PostgresStatement(
        name: "gate_count_keys", sql: "SELECT count(*)::bigint FROM gate_keys", types: [], isRepeatable: true)

    static let updateReceipt = PostgresStatement(
        name: "gate_update_receipt",
        sql: """
            UPDATE gate_keys SET receipt = $3, risk_metric = $4, receipt_not_before = \(time("$5")),
            receipt_expires_at = \(time("$6")) WHERE key_id = $1 AND receipt IS NOT DISTINCT FROM $2
            """,
        types: [.text, .bytes, .bytes, .number, .number, .number], isRepeatable: false)

    /// `RiskSchedule` in SQL. As below, the condition is asked of each row again when it is locked: two gates get
    /// different keys.
    static let claimDueReceipts = PostgresStatement(
        name: "gate_claim_due_receipts",
        sql: """
            UPDATE gate_keys SET receipt_not_before = \(time("$2")) WHERE key_id IN (SELECT key_id FROM gate_keys
            WHERE \(hasDueReceipt) ORDER BY COALESCE(receipt_not_before, registered_at) LIMIT $3) AND \(hasDueReceipt)
            RETURNING \(columns)
            """,
        types: [.number, .number, .number], isRepeatable: false)

    private static let hasDueReceipt = """
        receipt IS NOT NULL AND revoked_at IS NULL AND (receipt_expires_at IS NULL OR receipt_expires_at > \(time("$1")))
        AND (receipt_not_before <= \(time("$1")) OR (receipt_not_before IS NULL
        AND registered_at <= \(time("$1")) - \(RiskSchedule.firstWait.milliseconds) * interval '1 millisecond'))
        """

    /// The second condition is asked of each row again when it is locked: a key that was used meanwhile stays.
    static let removeUnusedKeys = PostgresStatement(
        name: "gate_remove_unused_keys",
        sql: """
            DELETE FROM gate_keys WHERE key_id IN (SELECT key_id FROM gate_keys WHERE \(isUnused)
            ORDER BY last_used_at LIMIT $2) AND \(isUnused)
            """,
        types: [.number, .number, .number], isRepeatable: false)

    /// The times of use are those of the database's clock. That it is ahead for a moment, or the gate's is, makes no
    /// key old: both have to say so. Where a device is to be banned, Apple has to hear of it yet.
    private static let isUnused = """
        last_used_at < LEAST(now(), \(time("$3"))) - $1 * interval '1 millisecond'
        AND COALESCE(device_ban, '') <> 'pending'
        """

    static let check = PostgresStatement(
        name: "gate_check", sql: "SELECT max(version)::bigint FROM gate_schema", types: [], isRepeatable: true)
}

// Nonces. The database's clock alone says when one expires.
extension PostgresStatement {
    static let putNonce = PostgresStatement(
        name: "gate_put_nonce",
        sql: """
            INSERT INTO gate_nonces (nonce, expires_at) VALUES ($1, now() + $2 * interval '1 millisecond')
            ON CONFLICT (nonce) DO NOTHING
            """,
        types: [.bytes, .number], isRepeatable: false)

    /// A nonce that has longer to live than any was kept while the clock was ahead, and is none.
    static let consumeNonce = PostgresStatement(
        name: "gate_consume_nonce",
        sql: """
            DELETE FROM gate_nonces WHERE nonce = $1 RETURNING expires_at > now() AND expires_at <= now()
            + \(PostgresNonceStore.longestLife.milliseconds) * interval '1 millisecond'
            """,
        types: [.bytes], isRepeatable: false)

    static let sweepNonces = PostgresStatement(
        name: "gate_sweep_nonces",
        sql: """
            DELETE FROM gate_nonces WHERE nonce IN
            (SELECT nonce FROM gate_nonces WHERE expires_at < now() ORDER BY expires_at LIMIT \(sweepStep))
            """,
        types: [], isRepeatable: true)

    static let countNonces = PostgresStatement(
        name: "gate_count_nonces", sql: "SELECT count(*)::bigint FROM gate_nonces", types: [], isRepeatable: true)

    /// How many nonces one statement sweeps, so that it holds few locks.
    static let sweepStep = 1_000
}
