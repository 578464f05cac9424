/// Why an image is refused. The raw values are stable identifiers, which programs print and known answers name.
///
/// Source: Vigil specification, 3.10.
public enum ImageError: String, Error, CaseIterable, Sendable {
    case truncatedHeader, badMagic
    case emptyFat, tooManyFatSlices, fatAlignment, fatSliceOutOfBounds, fatSlicesOverlap, duplicateArch, fatArchMismatch
    case tooManyLoadCommands, loadCommandsTooLarge, truncatedLoadCommands, badLoadCommandSize
    case unsupportedFileType
    case segmentWidthMismatch, segmentOutOfBounds, segmentFileLargerThanMemory, overlappingSegments
    case noTextSegment, duplicateTextSegment
    case duplicateCodeSignature, codeSignatureOutOfBounds
    case encryptedText, writableExecutable, headerNotInText
    case badElfIdent, tooManyProgramHeaders, badProgramHeaderSize, truncatedProgramHeaders, misalignedSegment
    case textRelocations
    case fileTooLarge, notARegularFile
}

extension ImageError: CustomStringConvertible {
    /// What is wrong and what to do, as one sentence or two.
    public var description: String {
        switch self {
        case .truncatedHeader: "The file ends inside its header. Copy it anew."
        case .badMagic: "This is neither ELF nor Mach-O. Give a program or a library."
        case .emptyFat: "The universal binary has no slice. Build it anew."
        case .tooManyFatSlices:
            "The universal binary claims more than 32 slices; is it a Java class? Give a program."
        case .fatAlignment: "A slice of the universal binary does not lie at its alignment. Build it anew."
        case .fatSliceOutOfBounds: "A slice of the universal binary reaches out of the file. Copy the file anew."
        case .fatSlicesOverlap: "Two slices of the universal binary overlap. Build it anew."
        case .duplicateArch: "The universal binary has two slices of one architecture. Keep one (lipo -thin)."
        case .fatArchMismatch:
            "A slice is of another architecture than its table says. Build the file anew."
        case .tooManyLoadCommands: "The header claims more than 1024 load commands. Build the file anew."
        case .loadCommandsTooLarge: "The header claims more than 1 MiB of load commands. Build the file anew."
        case .truncatedLoadCommands: "The load commands reach over their end. Copy the file anew."
        case .badLoadCommandSize: "A load command has a size that it cannot have. Build the file anew."
        case .unsupportedFileType:
            "This is no program and no library. Give what the linker made."
        case .segmentWidthMismatch: "A 32-bit file has a 64-bit segment, or the other way round. Build it anew."
        case .segmentOutOfBounds: "A segment reaches out of the file or of the address space. Copy the file anew."
        case .segmentFileLargerThanMemory: "A segment is larger in the file than in memory. Build the file anew."
        case .overlappingSegments:
            "Two segments overlap, or are out of order. Build the file anew."
        case .noTextSegment: "The file has no segment of code. Give a program or a library, not its debug information."
        case .duplicateTextSegment: "The file has two segments named __TEXT. Build it anew."
        case .duplicateCodeSignature: "The file has two code signatures. Remove them and sign once."
        case .codeSignatureOutOfBounds: "The code signature is not where it belongs, or damaged. Sign the file anew."
        case .encryptedText:
            "The code is encrypted by the App Store, so its file has no digest. Hash the build, or the running process."
        case .writableExecutable: "A segment of code is writable. Link without such segments."
        case .headerNotInText: "The header is not part of __TEXT. Link with the usual layout."
        case .badElfIdent: "The identification of the ELF header is unknown. Build the file anew."
        case .tooManyProgramHeaders: "The file claims more than 512 program headers. Build it anew."
        case .badProgramHeaderSize: "The program headers have a size that they cannot have. Build the file anew."
        case .truncatedProgramHeaders: "The program headers reach out of the file. Copy it anew."
        case .misalignedSegment: "A segment's address does not fit its alignment. Build the file anew."
        case .textRelocations: "The loader changes this code (text relocations), so memory differs. Compile with -fPIC."
        case .fileTooLarge: "The file, or what it loads, is larger than 1 GiB, the limit for images. Split it."
        case .notARegularFile: "This is not a regular file. Give the file itself."
        }
    }
}
