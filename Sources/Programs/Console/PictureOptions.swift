import ArgumentParser

/// How pictures from outside are read.
package struct PictureOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Read pictures also where this machine does not give all of the sandbox around their reader.",
            discussion:
                "The reader is a process of its own all the same, and what there is of the sandbox stands around it."))
    package var allowUnsandboxedPictures = false

    package init() {}

    /// What to do where pictures are not read for want of a sandbox.
    package var remedy: String {
        allowUnsandboxedPictures
            ? "Nothing is read without this part."
            : "Or read pictures without it, if you trust where they come from: --allow-unsandboxed-pictures"
    }
}
