import Airgap
import BasicFoundation
import Console
import QRCode
import RaptorQ

/// What goes wrong, in words that say the next step.
enum Failure: Error {
    case folder(path: String)
    case empty(path: String)
    case stillPicture(frames: Int)
    case unknownOutput(String)
    case endlessFile
    case noOutputFile
    case incomplete(String)
    /// A film has cost what it may.
    case overBudget(String)
    case conflicting(TransferError)
    case contradiction(String)
    case usage(String)
    /// A file that ends inside a packet.
    case cutPackets(path: String, size: Int, left: Int)
    /// What --partial names is not a file that --partial has made.
    case notPartial(path: String)
    /// Pictures are written into a folder where others are.
    case folderInUse(path: String)
    /// Several files are whole and one was asked for.
    case severalFiles(count: Int)
    /// What codes are read from cannot be read itself.
    case source(String)

    /// How the program ends with an error, which may also be one of the libraries.
    static func exitCode(of error: any Error) -> Int32 {
        switch error {
        case Failure.incomplete, RaptorQError.incomplete: 2
        case Failure.conflicting, Failure.contradiction, Failure.severalFiles, RaptorQError.conflictingSymbols: 3
        case Failure.overBudget: 5
        case Failure.stillPicture, Failure.unknownOutput, Failure.endlessFile, Failure.noOutputFile, Failure.usage,
            Failure.notPartial, Failure.folderInUse:
            4
        case is RaptorQError, is QREncodingError: 4
        default: 1
        }
    }

    /// A stable name for what an exit code says.
    static func name(of exitCode: Int32) -> String {
        switch exitCode {
        case 2: "incomplete"
        case 3: "contradiction"
        case 4: OutputOptions.wrongUsage
        case 5: "overBudget"
        default: "failed"
        }
    }

    /// Says on standard error what does not stop the program.
    static func tell(_ text: String) { ProgramLine.note(text, by: "airgap") }
}

extension Failure: CustomStringConvertible {
    var description: String {
        switch self {
        case .folder(let path): "\(path) is a folder. Put it into one file first, with tar for example."
        case .empty(let path): "\(path) is empty: there is nothing to send."
        case .stillPicture(let frames):
            "The file takes \(frames) codes, a PNG shows one. Write a moving picture: .apng, .gif, .html, .y4m, or a folder."
        case .unknownOutput(let path):
            "What to write to \(path) is not clear: end it with .png, .apng, .gif, .html or .y4m, or with / for a folder."
        case .endlessFile:
            "A file cannot be endless. Give a number to --repair, or show the codes in the terminal or as -."
        case .noOutputFile: "The file is bytes, not text. Say where to put it: -o FILE, or -o - for standard output."
        case .incomplete(let text): text
        case .overBudget(let text): text + " Give it more with --film-minutes MINUTES, if you know where it comes from."
        case .conflicting(let error): error.description
        case .cutPackets(let path, let size, let left):
            "\(path) is no whole number of packets of \(size) bytes, as --oti has them: \(left) are left over. It was cut, or the --oti is "
                + "another file's."
        case .notPartial(let path):
            "\(path) is no file that --partial has made. Name one that is not there yet."
        case .folderInUse(let path):
            "\(path) is not empty: who reads it would read what is there, too. Name a new folder."
        case .severalFiles(let count):
            "\(count) files are whole. Take --all with -o to write each of them, or show one at a time."
        case .usage(let text), .source(let text), .contradiction(let text): text
        }
    }
}
