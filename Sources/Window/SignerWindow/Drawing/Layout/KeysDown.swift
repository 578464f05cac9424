#if canImport(CAdwaita)
    import Adwaita

    /// Which keys are held, so that one that was pressed on another page starts nothing on this one.
    @MainActor
    final class KeysDown {
        private var codes: Set<UInt32> = []
        /// Whether the key that was pressed last had been down before.
        private(set) var isRepeat = false

        func press(_ key: Key) { isRepeat = !codes.insert(key.code).inserted }
        func release(_ key: Key) { codes.remove(key.code) }
        /// Another window has the keys: it is told which are let go of, and this one is not.
        func forget() { codes = [] }
    }

    /// Keeps the screen from going dark as long as somebody wants that.
    @MainActor
    final class Wake {
        private let application: Application
        private let window: Window
        private var number: UInt32 = 0
        private var count = 0

        init(_ application: Application, _ window: Window) { (self.application, self.window) = (application, window) }

        func begin() {
            count += 1
            if count == 1 { number = application.keepAwake(window, why: "A code is shown to a camera") }
        }

        func end() {
            count -= 1
            if count == 0 { application.mayGoDark(number) }
        }
    }
#endif
