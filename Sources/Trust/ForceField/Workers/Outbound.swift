#if os(Linux)
    import CLinux
    import Files
    import ForceFieldWire
    import Glibc

    /// What waits to be sent to a worker, which may read slowly or not at all.
    ///
    /// Bounded by what the host itself has begun: what is sent whole is forgotten at once, and code that appends asks
    /// ``lastSentRequest`` and ``answers`` before a worker is believed to have read what still waits.
    struct Outbound: Sendable {
        private var messages: [Message?] = []
        /// The number of `messages`, counted from the first, that are sent whole and forgotten.
        private var sent = 0
        /// Bytes of the first message that are sent.
        private var offset = 0
        /// The last request that was sent whole: requests are sent in the order of their numbers.
        private(set) var lastSentRequest: UInt64 = 0
        /// Answers to host calls that wait.
        private(set) var answers = 0

        private struct Message {
            let frame: Frame
            let descriptors: [OpenFile]
            let kind: Kind
        }

        /// What a frame is for, as far as it matters that it waits.
        enum Kind: Sendable {
            case request(UInt64)
            case answer
            case other
        }

        enum Progress: Sendable {
            /// Everything is on its way.
            case done
            /// The rest goes when there is room.
            case waits
            /// The worker does not read any more.
            case broken
        }

        /// Frames that wait.
        var count: Int { messages.count - sent }
        var isEmpty: Bool { count == 0 }

        mutating func append(_ frame: Frame, _ descriptors: [OpenFile] = [], for kind: Kind = .other) {
            if case .answer = kind { answers += 1 }
            messages.append(Message(frame: frame, descriptors: descriptors, kind: kind))
        }

        mutating func flush(to socket: OpenFile) -> Progress {
            while sent < messages.count, let message = messages[sent] {
                let count = Self.send(message, from: offset, to: socket)
                guard count >= 0 else { return errno == EAGAIN ? .waits : .broken }
                offset += count
                // What did not go now has no room now.
                guard offset == message.frame.count else { return .waits }
                forgetFirst(message.kind)
            }
            return .done
        }

        private mutating func forgetFirst(_ kind: Kind) {
            switch kind {
            case .request(let id): lastSentRequest = id
            case .answer: answers -= 1
            case .other: break
            }
            messages[sent] = nil
            sent += 1
            offset = 0
            guard sent == messages.count || sent >= 16 && sent * 2 >= messages.count else { return }
            messages.removeFirst(sent)
            sent = 0
        }

        /// - Returns: the bytes that were taken, or -1 with errno set.
        private static func send(_ message: Message, from offset: Int, to socket: OpenFile) -> Int {
            let frame = message.frame
            // The descriptors ride on the first byte.
            let descriptors = offset == 0 ? message.descriptors.map(\.number) : []
            return frame.head.withUnsafeBytes { head in
                frame.body.withUnsafeBytes { body in
                    let fromHead = min(offset, head.count)
                    let fromBody = offset - fromHead
                    return clinux_send(
                        socket.number, head.baseAddress.map { $0 + fromHead }, head.count - fromHead,
                        body.baseAddress.map { $0 + fromBody }, body.count - fromBody, descriptors, descriptors.count)
                }
            }
        }
    }
#endif
