#if os(Linux)
    import Glibc
    import HardwareKeys
    import SecretMemory
    import FoundationEssentials

    /// The time in which an app may be pinned, kept in the state directory: a user who may write there opens it, and a
    /// validator that runs sees it. It does not outlive a start of the machine.
    ///
    /// Source: `vigil` section 6.3.
    package struct StoredWindow: Sendable {
        private static let name = "provisioning.window"
        private static let tokenName = "provisioning.token"
        private let directory: StateDirectory

        package init(_ directory: StateDirectory) {
            self.directory = directory
        }

        private struct Content {
            /// The end in milliseconds since the machine started.
            var end: Int64
            /// Whether an app was pinned in it.
            var isUsed: Bool
        }

        /// How much of it is left; nil where it is closed.
        package var timeLeft: Duration? {
            guard let content, !content.isUsed else { return nil }
            return Self.timeLeft(until: content.end)
        }

        package var isOpen: Bool { timeLeft != nil }

        /// Opens it.
        ///
        /// - Parameter token: that the app has to have; nil to leave that to the configuration.
        package func open(for time: Duration, token: SecretBytes? = nil) throws(HardwareKeyError) {
            if let token { try directory.write(Self.tokenName, token) } else { try directory.remove(Self.tokenName) }
            try write(Content(end: Self.milliseconds + time.inMilliseconds, isUsed: false))
        }

        /// The token of the window, where it was opened with one. It lasts as long as the window would have, also after
        /// an app was pinned: an app whose answer was lost shows it once more.
        package func token() throws(HardwareKeyError) -> SecretBytes? {
            guard let content, Self.timeLeft(until: content.end) != nil else { return nil }
            return try directory.read(Self.tokenName)
        }

        /// Closes it for all other apps, for one was pinned.
        package func close() throws(HardwareKeyError) {
            guard var content, !content.isUsed else { return }
            content.isUsed = true
            try write(content)
        }

        /// Removes the window and its token.
        package func remove() throws(HardwareKeyError) {
            try directory.remove(Self.name)
            try directory.remove(Self.tokenName)
        }

        /// Removes what a window that is over has left.
        package func removeIfOver() throws(HardwareKeyError) {
            if let content, Self.timeLeft(until: content.end) != nil { return }
            try remove()
        }

        /// Nil for one of an earlier start of the machine, and for what is none.
        private var content: Content? {
            guard let file = try? directory.read(Self.name) else { return nil }
            let words = file.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }.split(separator: " ")
            guard (2...3).contains(words.count), words[0] == Self.bootID, let end = Int64(words[1]) else { return nil }
            return Content(end: end, isUsed: words.count == 3)
        }

        private func write(_ content: Content) throws(HardwareKeyError) {
            let text = "\(Self.bootID) \(content.end)\(content.isUsed ? " used" : "")"
            try directory.write(Self.name, Self.content(Array(text.utf8)))
        }

        private static func timeLeft(until end: Int64) -> Duration? {
            // Whatever the file says: the difference of the two may have no room.
            let (left, isTooMuch) = end.subtractingReportingOverflow(milliseconds)
            return !isTooMuch && left > 0 ? .milliseconds(left) : nil
        }

        private static func content(_ bytes: [UInt8]) throws(HardwareKeyError) -> SecretBytes {
            try SecretBytes.guarded { () throws(SecretMemoryError) in try SecretBytes(copying: bytes) }
        }

        private static var bootID: String {
            let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
            return text?.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? "unknown"
        }

        /// Milliseconds since the machine started, sleep included: a window closes also over night.
        private static var milliseconds: Int64 {
            var time = timespec()
            clock_gettime(CLOCK_BOOTTIME, &time)
            return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
        }
    }
#endif
