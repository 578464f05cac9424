import CLibrary

/// The tables, and how an older form of them becomes the present one.
///
/// Each migration is a list of statements that may be done twice, also at the same time by several gates that start
/// together; the number of the migration is noted when all are done. There is no lock around it: advisory locks do not
/// exist in every compatible engine, and some of them cannot change tables within a transaction. What two gates may do
/// to each other instead (both see that a table is absent, one is told that it is there) is tried again.
///
/// Only what PostgreSQL, CockroachDB, YugabyteDB and Citus have in common is used:
/// - no advisory locks: absent or without effect between the nodes of a cluster;
/// - no `ctid`: the place of a row means nothing where rows are spread;
/// - no `DELETE … LIMIT`: not PostgreSQL's; a subquery over the primary key says the same;
/// - no triggers and no functions: absent or limited, and they would hide rules from this code;
/// - no `SERIAL`, no sequences: one hot row for a cluster; keys and nonces are random names already;
/// - no foreign keys, no transactions of several statements: each operation is one statement about one row, so that the
///   row's key (`key_id`, `nonce`) can be what a cluster is divided by.
///
/// Source: `appattest-gate` section 5.4.
enum PostgresSchema {
    struct Migration: Sendable {
        let version: Int64
        let statements: [String]
    }

    static let migrations = [
        Migration(
            version: 1,
            statements: [
                """
                CREATE TABLE IF NOT EXISTS gate_keys (
                key_id text PRIMARY KEY, app_id text NOT NULL, environment text NOT NULL, public_key bytea NOT NULL,
                sign_count bigint NOT NULL CHECK (sign_count BETWEEN 0 AND 4294967295),
                registered_at timestamptz NOT NULL, last_used_at timestamptz NOT NULL, last_asserted_at timestamptz,
                category bigint, bundle_version text, receipt bytea, risk_metric bigint,
                receipt_not_before timestamptz, receipt_expires_at timestamptz, revoked_at timestamptz,
                revoked_reason text)
                """,
                """
                CREATE TABLE IF NOT EXISTS gate_nonces (nonce bytea PRIMARY KEY, expires_at timestamptz NOT NULL)
                """,
                "CREATE INDEX IF NOT EXISTS gate_nonces_exp ON gate_nonces (expires_at)",
                "CREATE INDEX IF NOT EXISTS gate_keys_receipts ON gate_keys (receipt_not_before)",
            ]),
        Migration(
            version: 2,
            statements: [
                // Tags of 64 digits with commas between them.
                "ALTER TABLE gate_keys ADD COLUMN IF NOT EXISTS accounts text",
                "ALTER TABLE gate_keys ADD COLUMN IF NOT EXISTS device_ban text",
                """
                CREATE TABLE IF NOT EXISTS gate_banned_accounts (
                account text PRIMARY KEY, banned_at timestamptz NOT NULL, reason text NOT NULL)
                """,
            ]),
    ]

    static let newest = migrations.reduce(0) { max($0, $1.version) }

    /// Brings the tables to the present form. Blocks.
    ///
    /// A gate whose user may not create tables works too, if they are there.
    static func migrate(_ settings: PostgresSettings) throws(StoreError) {
        do throws(PostgresFailure) {
            let connection = try PostgresConnection(settings, statementTime: time)
            let found = try version(connection)
            guard found <= newest else {
                throw .unsendable(
                    .refused("the tables are of version \(found); this gate knows versions up to \(newest)"))
            }
            for migration in migrations where migration.version > found {
                for statement in migration.statements { try apply(statement, connection) }
                try apply(
                    "INSERT INTO gate_schema VALUES (\(migration.version), now()) ON CONFLICT (version) DO NOTHING",
                    connection)
            }
        } catch {
            throw error.storeError(during: "the preparation of its tables")
        }
    }

    /// How long a statement of the schema may take: an index over a large table takes its time.
    private static let time: Duration = .seconds(60)

    private static func version(_ connection: PostgresConnection) throws(PostgresFailure) -> Int64 {
        let question = "SELECT COALESCE(max(version), 0)::bigint FROM gate_schema"
        do throws(PostgresFailure) {
            return try number(connection.command(question, deadline: deadline))
        } catch .refused(state: "42P01") {
            // There is no such table.
            try apply(
                """
                CREATE TABLE IF NOT EXISTS gate_schema (version bigint PRIMARY KEY, applied_at timestamptz NOT NULL)
                """, connection)
            return try number(connection.command(question, deadline: deadline))
        }
    }

    private static func number(_ result: PostgresResult) throws(PostgresFailure) -> Int64 {
        do throws(StoreError) { return try result.number(row: 0, column: 0) ?? 0 } catch { throw .unsendable(error) }
    }

    private static var deadline: ContinuousClock.Instant { ContinuousClock().now + time + PostgresSettings.networkTime }

    /// What another gate's migration can make of a statement that is right: unique violation in the catalogue,
    /// duplicate table, column or object, "tuple concurrently updated", and conflicts.
    private static let raced: Set<String> = ["23505", "42P07", "42701", "42710", "XX000", "40001", "40P01"]
    private static let mostTries = 20

    private static func apply(_ statement: String, _ connection: PostgresConnection) throws(PostgresFailure) {
        var tries = 1
        while true {
            do throws(PostgresFailure) {
                try connection.command(statement, deadline: deadline)
                return
            } catch .refused(let state) where raced.contains(state) && tries < mostTries {
                tries += 1
                usleep(.random(in: 5_000...50_000))
            }
        }
    }
}
