import SCALE

/// Metadata as a test writes it down, in which types are text: an encoder turns it into a blob of version 12 or 13.
struct TextMetadataModel {
    var pallets: [PalletModel] = []
    var extensions = [
        "CheckSpecVersion", "CheckTxVersion", "CheckGenesis", "CheckMortality", "CheckNonce", "CheckWeight",
        "ChargeTransactionPayment",
    ]

    struct PalletModel {
        var name: String
        var index: UInt8
        var calls: [CallModel]?
        var constants: [(name: String, type: String, value: [UInt8])] = []
    }

    struct CallModel {
        var name: String
        var arguments: [(name: String, type: String)] = []
        var docs: [String] = []
    }
}

extension TextMetadataModel {
    func blob(version: UInt8) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw("meta".utf8)
        encoder.integer(version)
        encoder.sequence(pallets) { write($1, version: version, to: &$0) }
        encoder.integer(UInt8(4))
        write(extensions, to: &encoder)
        return encoder.bytes
    }

    private func write(_ texts: [String], to encoder: inout ScaleEncoder) {
        encoder.sequence(texts) { $0.string($1) }
    }

    private func write(_ pallet: PalletModel, version: UInt8, to encoder: inout ScaleEncoder) {
        encoder.string(pallet.name)
        let isSystem = pallet.name == "System"
        encoder.option(isSystem ? () : nil) { encoder, _ in writeStorage(version: version, to: &encoder) }
        encoder.option(pallet.calls) { encoder, calls in
            encoder.sequence(calls) { encoder, call in
                encoder.string(call.name)
                encoder.sequence(call.arguments) { encoder, argument in
                    encoder.string(argument.name)
                    encoder.string(argument.type)
                }
                write(call.docs, to: &encoder)
            }
        }
        encoder.option(isSystem ? () : nil) { encoder, _ in
            encoder.compact(1)
            encoder.string("Remarked")
            write(["AccountId", "Hash"], to: &encoder)
            write(["Somebody spoke."], to: &encoder)
        }
        encoder.sequence(pallet.constants) { encoder, constant in
            encoder.string(constant.name)
            encoder.string(constant.type)
            encoder.byteSequence(constant.value)
            write(["What \(constant.name) is."], to: &encoder)
        }
        encoder.compact(1)
        encoder.string("Failed")
        write(["It failed."], to: &encoder)
        encoder.integer(pallet.index)
    }

    /// An entry of each kind that the version knows.
    private func writeStorage(version: UInt8, to encoder: inout ScaleEncoder) {
        encoder.string("System")
        encoder.compact(version == 12 ? 3 : 4)
        writeEntry("Number", head: [1, 0], to: &encoder) { $0.string("T::BlockNumber") }
        writeEntry("Account", head: [0, 1, 2], to: &encoder) { encoder in
            encoder.string("T::AccountId")
            encoder.string("AccountInfo")
            encoder.bool(false)
        }
        writeEntry("Vote", head: [0, 2, 5], to: &encoder) { encoder in
            for text in ["u32", "T::AccountId", "Vote"] { encoder.string(text) }
            encoder.integer(UInt8(6))
        }
        guard version == 13 else { return }
        writeEntry("Asset", head: [0, 3], to: &encoder) { encoder in
            write(["u32", "u32", "u32"], to: &encoder)
            encoder.byteSequence([0, 1, 6])
            encoder.string("Balance")
        }
    }

    /// - Parameter head: modifier, kind and first hasher.
    private func writeEntry(
        _ name: String, head: [UInt8], to encoder: inout ScaleEncoder, types: (inout ScaleEncoder) -> Void
    ) {
        encoder.string(name)
        encoder.raw(head)
        types(&encoder)
        encoder.byteSequence([0, 0])
        write(["What \(name) is."], to: &encoder)
    }
}
