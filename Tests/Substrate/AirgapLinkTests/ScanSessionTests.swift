#if os(Linux)
    import Airgap
    import CFakeCamera
    import Foundation
    import PictureService
    import Synchronization
    import TestSupport
    import Testing

    @testable import AirgapLink

    /// What a scan tells, in order.
    private final class Watcher: Sendable {
        private let told = Mutex<[ScanUpdate]>([])
        private let result = Mutex<Result<[UInt8], ScanError>?>(nil)
        private let ended = DispatchSemaphore(value: 0)

        var updates: [ScanUpdate] { told.withLock { $0 } }

        /// Watches a scan to its end.
        ///
        /// - Parameter onUpdate: gets each update, on the session's thread.
        func watch(
            _ session: ScanSession, onUpdate: @escaping @Sendable (ScanUpdate) -> Void = { _ in }
        ) -> Result<[UInt8], ScanError>? {
            session.start {
                guard let update = session.takeUpdate() else { return }
                self.told.withLock { $0.append(update) }
                onUpdate(update)
            } end: { result in
                self.result.withLock { $0 = result }
                self.ended.signal()
            }
            guard ended.wait(timeout: .now() + 600) == .success else { return nil }
            return result.withLock { $0 }
        }
    }

    extension CameraTests {
        @Suite("A scan by a camera")
        struct Scanning {
            /// Four grey pictures of a code, so that one of them is not missed, without the head of the file.
            private static func pictures(_ content: [UInt8]) throws -> [[UInt8]] {
                Array(repeating: Array(try Sample.pgm(content).suffix(200 * 200)), count: 4)
            }

            private static let blank = [UInt8](repeating: 128, count: 200 * 200)
            private static let payload: [UInt8] = [0x53, 1, 2, 3]

            private func session(_ path: String = "/dev/video0", worker: String = "casemate-worker") -> ScanSession {
                let times = Atomic(Int64(0))
                return ScanSession(
                    [path], terms: Workers.terms(worker),
                    openCamera: { path throws(LinkError) in
                        try Camera(path: path, width: 640, height: 480, calls: cfakecamera_calls())
                    },
                    now: { .milliseconds(times.add(100, ordering: .relaxed).newValue) })
            }

            private func withCamera(
                _ pictures: [[UInt8]], with faults: Faults = Faults(), _ body: () throws -> Void
            ) throws {
                try CameraTests().withCamera(pictures, width: 200, height: 200, with: faults, body)
            }

            @Test("the payload of a code is read, and its picture and its outline are told before")
            func oneCode() throws {
                try withCamera([Self.blank] + Self.pictures(Self.payload)) {
                    let watcher = Watcher()
                    let session = session()
                    #expect(watcher.watch(session) == .success(Self.payload))
                    let first = try #require(watcher.updates.first?.picture)
                    #expect(first.width == 200 && first.height == 200 && first.pixels == Self.blank)
                }
            }

            @Test("moving codes tell how many there are and how many it takes, where they stand, and what is left")
            func movingCodes() throws {
                let payload = [0x53] + (0..<90).map { UInt8($0) }
                let frames = try LegacyFrames.frames(of: payload, pieceSize: 20)
                try withCamera(try frames.flatMap(Self.pictures)) {
                    let watcher = Watcher()
                    #expect(watcher.watch(session()) == .success(payload))
                    let updates = watcher.updates
                    #expect(Set(updates.compactMap(\.have)) == Set(1..<frames.count))
                    #expect(Set(updates.compactMap(\.need)) == [frames.count])
                    #expect(updates.compactMap(\.codesPerSecond).contains { $0 > 5 })
                    #expect(updates.compactMap(\.secondsLeft).contains { $0 > 0 })
                    // The code stands 20 pixels from the left and the top of 200.
                    let corners = try #require(updates.flatMap(\.outlines).first)
                    #expect(corners.count == 4 && abs(corners[0].x - 0.1) < 0.02 && abs(corners[0].y - 0.1) < 0.02)
                    // Codes that are followed have outlines like the first.
                    #expect(updates.filter { !$0.outlines.isEmpty }.count > frames.count)
                }
            }

            @Test("a restart forgets what was collected and keeps the camera")
            func restart() throws {
                let payload = [0x53] + (0..<50).map { UInt8($0) }
                let frames = try LegacyFrames.frames(of: payload, pieceSize: 20)
                try #require(frames.count == 3)
                let order = [frames[0], frames[1], frames[2], frames[0], frames[1]]
                try withCamera(try order.flatMap(Self.pictures)) {
                    let watcher = Watcher()
                    let session = session()
                    let restarts = Atomic(0)
                    let result = watcher.watch(session) { update in
                        if update.have == 2, restarts.add(1, ordering: .relaxed).oldValue == 0 { session.restart() }
                    }
                    #expect(result == .success(payload))
                    let counts = watcher.updates.map(\.have)
                    let begin = try #require(counts.lastIndex { $0 == nil })
                    #expect(counts[..<begin].contains(2) && counts[begin...].contains(1))
                }
            }

            @Test("after a stop nothing is told, and the next scan finds the camera given back")
            func stop() throws {
                try withCamera(Self.pictures(Self.payload)) {
                    let session = session()
                    let told = Atomic(0)
                    let stopped = DispatchSemaphore(value: 0)
                    session.start {
                        session.stop()
                        told.add(1, ordering: .relaxed)
                        stopped.signal()
                    } end: { _ in
                        told.add(100, ordering: .relaxed)
                    }
                    try #require(stopped.wait(timeout: .now() + 600) == .success)
                    #expect(session.takeUpdate() == nil)
                    let next = Watcher().watch(self.session("/dev/none"))
                    #expect(told.load(ordering: .relaxed) == 1 && cfakecamera_opened() == 0)
                    guard case .failure(.link(.camera("/dev/none", _))) = next else {
                        Issue.record("\(String(describing: next))")
                        return
                    }
                }
            }

            @Test("a camera that is unplugged, or is none, ends the scan with what to do")
            func gone() throws {
                try withCamera([Self.blank], with: Faults(request: 17, errno: 19)) {
                    let end = Watcher().watch(session())
                    #expect(
                        end
                            == .failure(
                                .link(
                                    .camera(
                                        path: "/dev/video0", reason: "it was unplugged. Plug it in, and start again"))))
                }
                try withCamera([Self.blank], with: Faults(isNoCamera: true)) {
                    let end = Watcher().watch(session())
                    #expect(end == .failure(.link(.camera(path: "/dev/video0", reason: "it is no camera"))))
                }
            }

            @Test("several codes in a picture are not chosen among")
            func severalCodes() throws {
                try withCamera(Array(repeating: try Sample.two(), count: 40)) {
                    let session = session()
                    let advised = DispatchSemaphore(value: 0)
                    session.start {
                        if session.takeUpdate()?.advice == .oneCodeOnly { advised.signal() }
                    } end: { _ in
                        Issue.record("it has an end")
                    }
                    #expect(advised.wait(timeout: .now() + 600) == .success)
                    session.stop()
                    // Waits until the camera is given back.
                    _ = Watcher().watch(self.session("/dev/none"))
                }
            }
        }
    }

    @Suite("A scan of files", .serialized)
    struct FileScanTests {
        private struct Seen {
            var end: Result<[UInt8], ScanError>?
            var updates: [ScanUpdate]
            var path: String
        }

        private func scan(
            _ film: [UInt8], _ terms: PictureReader.Terms = Workers.terms(),
            isWhole: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }
        ) throws -> Seen {
            let folder = try TemporaryFolder()
            let path = try folder.write(film, to: "film.pgm")
            let watcher = Watcher()
            let end = watcher.watch(ScanSession([path], terms: terms, isWhole: isWhole))
            return Seen(end: end, updates: watcher.updates, path: path)
        }

        @Test("a film's payload is read without a picture of it in this process")
        func film() throws {
            let payload = [0x53] + (0..<90).map { UInt8($0) }
            let frames = try LegacyFrames.frames(of: payload, pieceSize: 20)
            // Twice: a code that is followed may be missed where the next one has another size.
            let seen = try scan(try frames.flatMap { try Sample.pgm($0) + Sample.pgm($0) })
            #expect(seen.end == .success(payload))
            #expect(seen.updates.allSatisfy { $0.picture == nil && $0.advice == nil })
            #expect(seen.updates.contains { !$0.outlines.isEmpty })
        }

        @Test("a content that is whole by itself is taken as it is, also where it looks like a frame")
        func whole() throws {
            let frame = try LegacyFrames.frames(of: Array(0..<90), pieceSize: 20)[0]
            #expect(try scan(Sample.pgm(frame)) { $0 == frame }.end == .success(frame))
        }

        @Test("a film without a code, with a part of a payload or with two codes in a picture ends with its own reason")
        func refusals() throws {
            let blank = try scan(Array("P5 200 200 255\n".utf8) + [UInt8](repeating: 255, count: 40_000))
            #expect(blank.end == .failure(.noCode(path: blank.path)))
            let frame = try LegacyFrames.frames(of: Array(0..<90), pieceSize: 20)[0]
            let part = try scan(Sample.pgm(frame))
            #expect(
                part.end == .failure(.incomplete(path: part.path, .unableToDecode(distinct: 1, needed: 5))))
            let two = try scan(Array("P5 200 200 255\n".utf8) + Sample.two())
            #expect(two.end == .failure(.severalCodes(path: two.path, count: 2)))
        }

        @Test("what is no picture says so")
        func noPicture() throws {
            guard case .failure(.unread(_, .damaged(let damage))) = try scan([1, 2, 3]).end else {
                Issue.record("it was read")
                return
            }
            #expect(damage.kind == .unknownFormat)
        }

        @Test("a worker that dies over every picture ends the scan with what happened")
        func deadWorker() throws {
            let deadly = try Sample.pgm([1], width: 134)
            let terms = Workers.terms("PictureTestWorker") { ($0.use, $0.lossLimit) = (.search, 2) }
            let end = try scan(deadly + deadly + deadly, terms).end
            guard case .failure(.unread(_, .lost(let loss))) = end else {
                Issue.record("\(String(describing: end))")
                return
            }
            #expect("\(loss)".contains("was ended by SIGSEGV"))
        }

        @Test("without the worker's program the scan ends with how to get it")
        func noWorker() throws {
            guard case .failure(.link(let error)) = try scan(Sample.pgm([1]), Workers.terms("no-such-worker")).end
            else {
                Issue.record("it was read")
                return
            }
            #expect("\(error)".contains("make install-signed"))
        }
    }
#endif
