import ForceField
import PictureService
import TextForms

/// Why nothing was read in a picture.
public enum PictureFailure: Error, Hashable, Sendable {
    /// The bytes of the picture are no picture.
    case damaged(PictureDamage)
    /// The reader of the picture ended, or was ended, without an answer that counts.
    case lost(PictureLoss)
    /// The film has cost what it may, and nothing more of it is read.
    case overBudget(SpentBudget)

    /// Whether it concerns this picture alone, and says nothing of its reader.
    public var isDamage: Bool { if case .damaged = self { true } else { false } }
}

extension PictureFailure: CustomStringConvertible {
    /// What went wrong.
    public var description: String {
        switch self {
        case .damaged(let damage): "\(damage)"
        case .lost(let loss): "\(loss)"
        case .overBudget(let spent): "\(spent)"
        }
    }
}

/// A picture whose reader ended, and how.
public struct PictureLoss: Error, Hashable, Sendable {
    /// How a reader ended.
    public enum Ending: Error, Hashable, Sendable {
        /// The reader ended by itself, or was ended by the system.
        case terminated(Termination)
        /// The reader took longer than a picture may.
        case tooSlow(Duration)
        /// The reader's answer is not believed, and it was ended for that. The words are ours, what they tell of may be
        /// the reader's.
        case unbelievable(String)
        /// The reader is another one than the one that had what came before.
        case replaced
    }

    /// How the reader ended.
    public var ending: Ending
    /// The number of the picture in the film or from the camera, from 1.
    public var picture: UInt64
    /// What comes behind it is not read either: the readers of this film ended too often, or the film cannot be read
    /// again.
    public var isLast: Bool

    /// - Parameters:
    ///   - ending: how the reader ended.
    ///   - picture: the number of the picture, from 1.
    ///   - isLast: nothing behind it is read.
    public init(_ ending: Ending, picture: UInt64, isLast: Bool = false) {
        self.ending = ending
        self.picture = picture
        self.isLast = isLast
    }
}

extension PictureLoss: CustomStringConvertible {
    /// What is lost, and what is not.
    public var description: String {
        "The picture reader \(ending); picture \(picture) is lost, and "
            + (isLast ? "what comes behind it is not read." : "the others are not.")
    }
}

extension PictureLoss.Ending: CustomStringConvertible {
    /// What became of the reader, in words that follow its name.
    public var description: String {
        switch self {
        case .tooSlow(let limit): "was ended after \(limit.components.seconds) s"
        case .unbelievable(let reason):
            "gave an answer that cannot be true and was ended (\(ScreenText.escape(reason)))"
        case .replaced: "was ended by somebody else"
        case .terminated(let termination):
            switch termination {
            case .clean: "ended"
            case .exited(let code): "ended by itself, with code \(code)"
            case .crashed(let crash): "was ended by \(SignalName.of(crash.signal) ?? "signal \(crash.signal)")"
            case .policyViolation(let call):
                "was ended for a forbidden system call" + (call?.name.map { " (\($0))" } ?? "")
            case .killedByOS(.memoryLimit): "used up its memory and was ended"
            case .killedByOS(.cpuLimit): "used up its processor time and was ended"
            case .killedByOS: "was ended by the system"
            case .killedByHost(.outputLimit): "wrote more than it may and was ended"
            case .killedByHost: "was ended"
            case .protocolViolation(let violation): "broke the protocol and was ended (\(violation))"
            case .setupFailed: "was not started"
            }
        }
    }
}
