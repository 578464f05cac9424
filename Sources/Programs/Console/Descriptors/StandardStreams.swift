import ArgumentParser
import BasicFoundation
import CLinux
import Files
import TextForms

/// Standard input, output and error of a program.
package enum StandardStreams {
    /// Call it first thing in a program, before anything is opened.
    ///
    /// A standard stream that is closed is opened in a way that it cannot be used, so that no file takes its number and
    /// gets what was meant for the screen.
    ///
    /// Where something that was printed could not be written, the program ends with 1, also behind `--help`. What
    /// serves others, and writes a log past `print`, goes on. A reader that has gone, or a file that may not grow any
    /// more (`ulimit -f`), is an error of the one who writes, and not the end of the process amid what it does.
    ///
    /// A program that cannot know its arguments ends: Swift reads them from /proc, and would take a command for none.
    /// So does one whose arguments are no UTF-8: Swift would put the same mark in the place of each such byte, and two
    /// names of files would be one.
    ///
    /// - Parameters:
    ///   - unreadableArguments: the exit code where the arguments are not to be had.
    ///   - wrongUsage: the exit code where an argument is no text.
    package static func claim(
        unreadableArguments: Int32 = EXIT_FAILURE, wrongUsage: Int32 = ExitCode.validationFailure.rawValue
    ) {
        let streams: [(FileDescriptor, unusable: FileDescriptor.AccessMode)] = [
            (.standardInput, .writeOnly), (.standardOutput, .readOnly), (.standardError, .readOnly),
        ]
        for (stream, unusable) in streams where fcntl(stream.rawValue, F_GETFD) < 0 {
            // The lowest free number is this one.
            guard (try? FileDescriptor.open("/dev/null", unusable)) == stream else { _exit(EXIT_FAILURE) }
        }
        guard !CommandLine.arguments.isEmpty else {
            StandardError.write("The arguments of this program cannot be read, and nothing was done. Mount /proc.\n")
            _exit(unreadableArguments)
        }
        if let position = firstThatIsNoText {
            let argument = ScreenText.escape(CommandLine.arguments[position])
            StandardError.write(
                "Argument \(position) is not UTF-8: \(argument). Nothing was done. Give another name; files are renamed "
                    + "with: mv\n")
            _exit(wrongUsage)
        }
        InheritedDescriptors.record()
        // Handlers, and not SIG_IGN: programs that this one starts have the usual again.
        for number in [SIGPIPE, SIGXFSZ] { signal(number) { _ in } }
        atexit {
            guard clinux_finish_output() != 0 else { return }
            StandardError.write("Standard output cannot be written: \(String(cString: strerror(errno))).\n")
            _exit(EXIT_FAILURE)
        }
    }

    private static var firstThatIsNoText: Int? {
        CommandLine.arguments.indices.first { index in
            CommandLine.unsafeArgv[index].map { String(validatingCString: $0) == nil } ?? false
        }
    }
}
