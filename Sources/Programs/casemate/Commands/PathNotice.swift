import Console
import Substrate
import TextForms

/// Says of a path that other software makes another key of it.
enum PathNotice {
    static func show(for path: DerivationPath) {
        guard path.differsElsewhere else { return }
        Warning.show(
            "polkadot-js and wallets built on it make another key of \(ScreenText.escape("\(path)")): they read codes that begin with "
                + "0x, and numbers from 2⁶⁴, as bytes. Compare the address before you use it.")
    }
}
