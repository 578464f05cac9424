/// Why a descriptor is not passed to a worker.
public enum DescriptorRefusal: Error, Hashable, Sendable {
    case notOpen(Int32)
    case directory(Int32)
    /// A device, a pipe or a socket.
    case notAFile(Int32)
    /// The descriptor is open for writing, and it was not said that the worker may write to it.
    case writable(Int32)
    case noneLeft(errno: Int32)
    /// The policy grants fewer.
    case tooMany(count: Int, granted: Int)
}

extension DescriptorRefusal: CustomStringConvertible {
    /// What is wrong with the descriptor, and what helps.
    public var description: String {
        switch self {
        case .notOpen(let number): "Descriptor \(number) is not open for reading. Open the file anew."
        case .directory(let number): "Descriptor \(number) is a folder. Pass its files one by one."
        case .notAFile(let number): "Descriptor \(number) is no regular file. Pass a file, or its bytes."
        case .writable(let number):
            "Descriptor \(number) is open for writing. Open the file for reading alone, or say that the worker may write it."
        case .noneLeft(let errno): "No descriptor is left (errno \(errno)). Close some, or raise RLIMIT_NOFILE."
        case .tooMany(let count, let granted):
            "\(count) descriptors for one call, and \(granted) are granted. Grant .descriptors(max:) in the policy."
        }
    }
}
