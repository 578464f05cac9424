import CLibrary
import Synchronization

/// A real PostgreSQL that belongs to this test process: in a folder of its own, on a Unix socket and a free port of the
/// loopback.
///
/// A shell beside it holds the other end of a socket. When this process ends, also by a crash or a kill, the shell
/// reads the end of its input, stops the server and removes the folder.
package final class PostgresServer: Sendable {
    /// Why there can be none here; nil: there can.
    package static let absence: String? = {
        guard binaries != nil else { return "PostgreSQL's server is not installed (apt-get install postgresql)" }
        guard geteuid() != 0 || getpwnam("postgres") != nil else {
            return "there is no user postgres to run PostgreSQL"
        }
        return nil
    }()

    package static var isPossible: Bool { absence == nil }

    /// The user that owns every database, and a password that must turn up in no message.
    package static let user = "gate_owner"
    package static let password = "canary-4f1b/c@n:ry"
    /// ``password`` as it stands in a URL.
    package static let encodedPassword = "canary-4f1b%2Fc%40n%3Ary"

    package let folder: String
    package var port: Int { reserved.number }
    private let reserved: ReservedPort
    private let shell: ChildProgram
    private let lastDatabase = Atomic(0)

    /// The one that tests share; started when the first asks for it.
    package static func shared() async throws -> PostgresServer { try await sharedStart.value }

    private static let sharedStart = Task { try await PostgresServer() }

    /// Starts one.
    ///
    /// - Parameter isDurable: whether it brings what it commits to the disk; tests that pull no plug need not wait for
    ///   that.
    package init(isDurable: Bool = false) async throws {
        guard let binaries = Self.binaries else {
            throw ChildProgram.Failure(description: Self.absence ?? "no PostgreSQL")
        }
        var template = Array("/tmp/gate-postgres-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ChildProgram.Failure(description: "no folder for PostgreSQL") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        reserved = try ReservedPort()
        shell = try ChildProgram(
            "/bin/sh",
            [
                "-c", Self.script, "postgres", folder, binaries, String(reserved.number), Self.user, Self.password,
                isDurable ? "on" : "off",
            ])
        guard await shell.nextLine() == "ready" else {
            throw ChildProgram.Failure(
                description: await shell.remainingLines().joined(separator: "\n"))
        }
    }

    /// Stops it at once, as a power failure would, and waits until it has.
    package func stop() async { await command("stop") }

    /// Starts it again, with what it held.
    package func start() async { await command("start") }

    private func command(_ command: String) async {
        shell.send(command)
        _ = await shell.nextLine()
    }

    package enum Way: Sendable { case socket, loopback }

    /// Makes an empty database.
    ///
    /// - Returns: its name.
    package func makeDatabase() async throws -> String {
        let name = "test_\(lastDatabase.wrappingAdd(1, ordering: .relaxed).newValue)"
        try await sql("CREATE DATABASE \(name)", database: "postgres")
        return name
    }

    /// The address of a database as a gate takes it.
    ///
    /// - Parameter options: more of libpq's parameters, as `name=value`, encoded for a URL.
    package func url(
        _ database: String, over way: Way = .socket, user: String = user, password: String = encodedPassword,
        options: [String] = []
    ) -> String {
        let host: String
        var options = options
        switch way {
        case .socket:
            host = Self.encoded(path: folder)
            options.append("sslmode=disable")
        case .loopback: host = "127.0.0.1"
        }
        return "postgres://\(user):\(password)@\(host):\(port)/\(database)?" + options.joined(separator: "&")
    }

    /// A path as it stands in a URL.
    package static func encoded(path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "%2F")
    }

    /// Runs statements by PostgreSQL's own client.
    ///
    /// - Returns: a line for each row.
    @discardableResult
    package func sql(_ statements: String, database: String) async throws -> [String] {
        guard let binaries = Self.binaries else { return [] }
        return try await ChildProgram.run(
            binaries + "/psql",
            ["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-d", url(database), "-c", statements])
    }

    /// Where `initdb` and the others are: the newest that Debian has installed.
    private static let binaries: String? = {
        let places =
            (13...30).reversed().map { "/usr/lib/postgresql/\($0)/bin" } + ["/usr/local/pgsql/bin", "/usr/bin"]
        return places.first { access($0 + "/initdb", X_OK) == 0 && access($0 + "/pg_ctl", X_OK) == 0 }
    }()

    /// PostgreSQL refuses to run as root.
    private static let script = #"""
        folder=$1 binaries=$2 port=$3 user=$4 password=$5 durable=$6
        trap '' INT TERM HUP
        cd "$folder" || exit 1
        unprivileged() {
            if [ "$(id -u)" = 0 ]; then
                setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"
            else
                "$@"
            fi
        }
        control() { unprivileged "$binaries/pg_ctl" -D "$folder/data" -s -w -t 600 "$@" </dev/null >>"$folder/log" 2>&1; }
        prepare() {
            printf '%s\n' "$password" >"$folder/password"
            : >"$folder/log"
            if command -v openssl >/dev/null; then
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
                    -keyout "$folder/server.key" -out "$folder/server.crt" >>"$folder/log" 2>&1
                ssl=on
            fi
            [ "$(id -u)" != 0 ] || chown -R postgres "$folder"
            unprivileged "$binaries/initdb" -D "$folder/data" -N -U "$user" -A scram-sha-256 -E UTF8 \
                --locale=C.UTF-8 --pwfile="$folder/password" </dev/null >>"$folder/log" 2>&1 || return 1
            cat >>"$folder/data/postgresql.conf" <<EOF
        listen_addresses = '127.0.0.1'
        port = $port
        unix_socket_directories = '$folder'
        fsync = $durable
        max_connections = 300
        shared_buffers = 32MB
        ssl = ${ssl:-off}
        ssl_cert_file = '$folder/server.crt'
        ssl_key_file = '$folder/server.key'
        EOF
        }
        if prepare && control -l "$folder/log" start; then
            echo ready
        else
            cat "$folder/log"
            rm -rf "$folder"
            exit 1
        fi
        while read -r command; do
            case $command in
                start) control -l "$folder/log" start ;;
                stop) control -m immediate stop ;;
            esac
            echo done
        done
        control -m immediate stop
        rm -rf "$folder"
        """#
}
