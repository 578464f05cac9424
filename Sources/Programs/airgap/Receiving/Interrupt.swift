import BasicFoundation
import Synchronization

/// Ends the reading at Control-C, and not the program, so that what was read can be kept. A second one ends the
/// program.
enum Interrupt {
    private static let requests = Atomic<Int>(0)
    /// Takes the place of standard input, where it is read; -1 where it is not.
    private static let emptyInput = Atomic<Int32>(-1)

    static var isRequested: Bool { requests.load(ordering: .relaxed) > 0 }

    /// Counts a signal as a request, once.
    ///
    /// - Parameters:
    ///   - numbers: the signals. One that is ignored, as by nohup, stays so.
    ///   - endsInput: whether standard input is read, which then ends: who waits for its next line waits no longer.
    static func catchOnce(_ numbers: [CInt], endsInput: Bool) {
        // A pipe that nobody writes to.
        var ends: [CInt] = [-1, -1]
        if endsInput, pipe(&ends) == 0 {
            close(ends[1])
            emptyInput.store(ends[0], ordering: .relaxed)
        }
        for number in numbers {
            var caught = sigaction()
            caught.__sigaction_handler.sa_handler = { number in
                let reason = errno
                defer { errno = reason }
                sigaction(number, Interrupt.former + Int(number), nil)
                let empty = Interrupt.emptyInput.load(ordering: .relaxed)
                if empty >= 0 { dup2(empty, STDIN_FILENO) }
                Interrupt.requests.add(1, ordering: .relaxed)
            }
            caught.sa_flags = SA_RESTART
            let former = former + Int(number)
            sigaction(number, nil, former)
            if former.pointee.isIgnoring { continue }
            sigaction(number, &caught, nil)
        }
    }

    /// What the signals did before, which a second one does again: ending workers, and then the program. Written before
    /// a signal is caught, and read by the handler alone.
    nonisolated(unsafe) private static let former = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
}

extension sigaction {
    fileprivate var isIgnoring: Bool {
        unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
