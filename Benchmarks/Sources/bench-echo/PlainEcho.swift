import Glibc

/// Echoes messages from standard input to standard output: each a length of four bytes, little endian, and so many
/// bytes.
enum PlainEcho {
    static func run() -> Never {
        var message = [UInt8](repeating: 0, count: 4)
        while receive(&message, 0, 4) {
            let length = message[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
            if message.count < length { message = [UInt8](repeating: 0, count: length) }
            guard receive(&message, 0, length), send(message, length) else { break }
        }
        exit(0)
    }

    private static func receive(_ message: inout [UInt8], _ start: Int, _ count: Int) -> Bool {
        message.withUnsafeMutableBytes { message in
            var done = start
            while done < count {
                let got = read(0, message.baseAddress! + done, count - done)
                guard got > 0 else { return false }
                done += got
            }
            return true
        }
    }

    private static func send(_ message: [UInt8], _ count: Int) -> Bool {
        message.withUnsafeBytes { message in
            var done = 0
            while done < count {
                let written = write(1, message.baseAddress! + done, count - done)
                guard written > 0 else { return false }
                done += written
            }
            return true
        }
    }
}
