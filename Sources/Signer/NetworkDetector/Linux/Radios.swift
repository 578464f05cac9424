#if os(Linux)
    import CLinux
    import Files

    /// Wireless senders, as rfkill tells them: at once all there are, then every change.
    struct Radios {
        /// Receivers alone (GPS, FM) connect to nothing.
        private static let kinds: [UInt8: String] = [
            1: "wireless LAN", 2: "Bluetooth", 3: "UWB", 4: "WiMAX", 5: "mobile network", 8: "NFC",
        ]
        private static let removal: UInt8 = 1

        private let device: FilePath
        private let list: FilePath
        private var file: OpenFile?
        /// How often the device was opened so far.
        private(set) var openings = 0
        private var fault: String?
        private var free: [UInt32: String] = [:]

        /// - Parameters:
        ///   - device: of rfkill.
        ///   - list: a folder with an entry for each radio, where there are any.
        init(device: FilePath, list: FilePath) {
            self.device = device
            self.list = list
        }

        /// Readable when something changes; -1 where nothing can.
        var descriptor: CInt { file?.descriptor.rawValue ?? -1 }

        /// Takes what changed.
        ///
        /// - Returns: what was free meanwhile, and what is found now.
        mutating func look() -> (meanwhile: [String], now: NetworkReport.Finding) {
            open()
            var meanwhile = Set(free.values)
            while let file, fault == nil {
                var radio = clinux_radio()
                let count = clinux_radio_take(file.descriptor.rawValue, &radio)
                if count == 0 { break }
                guard count == 1 else {
                    fault = "\(device): \(Errno.lastText)"
                    self.file = nil
                    break
                }
                take(radio)
                meanwhile.formUnion(free.values)
            }
            if let fault { return (meanwhile.sorted(), .failed(fault)) }
            return (meanwhile.sorted(), free.isEmpty ? .quiet : .up(free.values.sorted()))
        }

        private mutating func take(_ radio: clinux_radio) {
            guard let kind = Self.kinds[radio.type] else { return }
            let isFree = radio.operation != Self.removal && radio.is_soft_blocked == 0 && radio.is_hard_blocked == 0
            free[radio.index] = isFree ? "\(kind) \(radio.index)" : nil
        }

        /// Opens the device, which comes with the first radio on some machines.
        private mutating func open() {
            guard file == nil, free.isEmpty else { return }
            do throws(FileError) {
                file = try OpenFile(device, rules: .anything)
                openings += 1
                fault = nil
            } catch {
                // Without the device there must be no radio either.
                let hasRadios = ((try? Folder(list).names()) ?? []).isEmpty == false
                fault = error.isMissing && !hasRadios ? nil : "\(error)"
            }
        }
    }
#endif
