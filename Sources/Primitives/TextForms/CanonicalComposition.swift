#if canImport(Darwin)
    import Foundation
#else
    // The standard library's own forms, by which it compares strings. Foundation has them only in its part with ICU.
    @_spi(_Unicode) import Swift
#endif

/// Unicode's composed form, NFC, which keyboards give.
package enum CanonicalComposition {
    /// Whether a text is in that form.
    package static func isForm(of text: String) -> Bool {
        #if canImport(Darwin)
            text.precomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual(text.unicodeScalars)
        #else
            text._nfc.elementsEqual(text.unicodeScalars)
        #endif
    }
}
