extension CodeDirectory {
    /// Why the cdhash does not stand for the code before the signature; nil if it does.
    ///
    /// A signature can be cut out of one program and put behind another. Digests of code leave it out, so that they
    /// alone do not tell: the cdhash is then that of the program that it was cut out of.
    ///
    /// Source: Vigil specification, 3.9 and 11.1.
    package var codeNotCovered: String? {
        if !badPages.isEmpty { return "its code is not what was signed: \(badPages.count) of its pages differ" }
        return isComplete && reachesSignature ? nil : "its signature leaves out a part of its code"
    }
}

extension CodeSignature {
    /// Why a cdhash of this signature does not stand for the code of the image that it is in; nil if each does.
    package var codeNotCovered: String? {
        guard !directories.isEmpty else { return "it is not signed" }
        return directories.lazy.compactMap(\.codeNotCovered).first
    }
}
