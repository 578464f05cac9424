import BasicFoundation
import Synchronization

/// The descriptors that the program was started with.
///
/// They are looked at before the program opens anything itself, so that a number which was closed then can never mean a
/// file of the program's own, whatever it opened since.
package enum InheritedDescriptors {
    package enum Direction: Sendable { case input, output }

    /// Numbers above are not looked at.
    private static let limit: Int32 = 1024

    /// What the process was started with does not close when a program is started; all that this process opens does.
    private static let open: Set<Int32> = Set(
        (0..<limit).filter { number in
            let flags = fcntl(number, F_GETFD)
            return flags >= 0 && flags & FD_CLOEXEC == 0
        })

    private static let claims = Mutex<[Int32: Direction]>([:])

    static func record() { _ = open }

    /// Makes sure that a number is one for an option to use.
    static func claim(_ number: Int32, for direction: Direction) throws(DescriptorRefusal) {
        // Standard input is read like any other; what is written is never mixed with output or messages.
        guard number > STDERR_FILENO || (number == STDIN_FILENO && direction == .input) else { throw .standardStream }
        guard open.contains(number) else { throw .notOpen(direction) }
        let flags = fcntl(number, F_GETFL)
        guard flags >= 0 else { throw .notOpen(direction) }
        guard flags & O_ACCMODE != (direction == .input ? O_WRONLY : O_RDONLY) else { throw .wrongDirection(direction) }
        let claimed = claims.withLock { claims in
            if claims[number] == nil { claims[number] = direction }
            return claims[number]
        }
        guard claimed == direction else { throw .takenTwice }
    }
}

/// Why a number on the command line is no descriptor for a secret.
package enum DescriptorRefusal: Error, Equatable {
    case notANumber
    case standardStream
    case notOpen(InheritedDescriptors.Direction)
    /// Open, but for the other direction.
    case wrongDirection(InheritedDescriptors.Direction)
    /// One option would read from it, another write to it.
    case takenTwice
}

extension DescriptorRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notANumber: "the number of an open descriptor is expected, like 3."
        case .standardStream:
            "0, 1 and 2 are standard input, output and error, where a secret would be mixed with other text. Take 3 or more."
        case .notOpen(.input): "it was not open when the program started. Open it for reading: 3<file"
        case .notOpen(.output): "it was not open when the program started. Open it for writing: 3>file"
        case .wrongDirection(.input): "it is open for writing only, and a secret is read from it: 3<file, not 3>file"
        case .wrongDirection(.output): "it is open for reading only, and a secret is written to it: 3>file, not 3<file"
        case .takenTwice: "one option reads from it and another writes to it. Give each a descriptor of its own."
        }
    }
}

/// A descriptor that an option names for secrets to be read from.
///
///     @Option(transform: InputDescriptor.init(argument:)) var pinFd: InputDescriptor?
package struct InputDescriptor: Equatable, Sendable {
    let number: Int32

    package init(argument: String) throws(DescriptorRefusal) {
        guard let number = Int32(argument) else { throw .notANumber }
        try InheritedDescriptors.claim(number, for: .input)
        self.number = number
    }
}

/// A descriptor that an option names for a secret to be written to.
package struct OutputDescriptor: Equatable, Sendable {
    let number: Int32

    package init(argument: String) throws(DescriptorRefusal) {
        guard let number = Int32(argument) else { throw .notANumber }
        try InheritedDescriptors.claim(number, for: .output)
        self.number = number
    }
}
