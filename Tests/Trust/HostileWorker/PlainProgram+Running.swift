import ForceFieldTestMethods
import Glibc

extension PlainProgram {
    func run() {
        switch self {
        case .prints:
            write("out", to: 1)
            write("err", to: 2)
            exit(5)
        case .floods: while true { write(String(repeating: "x", count: 4_096), to: 1) }
        case .copies:
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(0, &bytes, bytes.count)
            exit(count >= 0 && Glibc.write(1, bytes, count) == count ? 0 : 1)
        case .waits: while true { poll(nil, 0, -1) }
        case .opens: exit(open("/etc/hostname", O_RDONLY) < 0 ? 0 : 1)
        case .serves: serve()
        }
    }

    /// Speaks FF1 though nothing of this program is trusted.
    private func serve() -> Never {
        HostileWorker(nil).run()
    }

    private func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { exit(1) }
    }
}
