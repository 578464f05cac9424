#if canImport(CTSS2)
    import CSodium
    import CTSS2
    import SecretMemory

    /// A structure of bytes behind their 16-bit count, as `tss2_tpm2_types.h` declares them: `UINT16 size; BYTE
    /// buffer[N]`.
    protocol SizedStructure {
        init()
    }

    extension TPM2B_DIGEST: SizedStructure {}
    extension TPM2B_PRIVATE: SizedStructure {}
    extension TPM2B_NAME: SizedStructure {}
    extension TPM2B_MAX_NV_BUFFER: SizedStructure {}
    extension TPM2B_SENSITIVE_DATA: SizedStructure {}
    extension TPM2B_ECC_PARAMETER: SizedStructure {}

    extension SizedStructure {
        private static var capacity: Int { MemoryLayout<Self>.size - 2 }

        /// - Precondition: the bytes fit; every caller knows their number.
        init(bytes: [UInt8]) {
            self.init()
            bytes.withUnsafeBytes { source in
                withUnsafeMutableBytes(of: &self) { Self.write(source, into: $0) }
            }
        }

        /// The content; a count beyond the buffer, which no library gives, counts as the whole of it.
        var bytes: [UInt8] {
            withUnsafeBytes(of: self) { raw in
                Array(raw.dropFirst(2).prefix(Int(raw.loadUnaligned(as: UInt16.self))))
            }
        }

        static func write(_ source: UnsafeRawBufferPointer, into structure: UnsafeMutableRawBufferPointer) {
            precondition(source.count <= capacity, "the structure holds the bytes")
            structure.storeBytes(of: UInt16(source.count), as: UInt16.self)
            UnsafeMutableRawBufferPointer(rebasing: structure[2...]).copyMemory(from: source)
        }
    }

    /// A structure that carries a secret to the library: on the heap, so that Swift makes no copies, and zeroised at
    /// the end.
    final class SecretStructure<Structure> {
        let pointer: UnsafeMutablePointer<Structure>

        fileprivate init(zeroed: Void) {
            pointer = .allocate(capacity: 1)
            sodium_memzero(pointer, MemoryLayout<Structure>.size)
        }

        deinit {
            sodium_memzero(pointer, MemoryLayout<Structure>.size)
            pointer.deallocate()
        }
    }

    extension SecretStructure where Structure == TPM2B_AUTH {
        /// The longest authorisation: the size of the digest by which objects here are named.
        static var limit: Int { 32 }

        /// - Parameter auth: at most 32 bytes; nil is the empty authorisation.
        convenience init(_ auth: SecretBytes?) throws(HardwareKeyError) {
            self.init(zeroed: ())
            guard let auth else { return }
            guard auth.count <= Self.limit else { throw .invalidArgument("an authorisation has at most 32 bytes") }
            auth.withUnsafeBytes { TPM2B_AUTH.write($0, into: rawBytes(of: pointer)) }
        }
    }

    extension SecretStructure where Structure == TPM2B_SENSITIVE_CREATE {
        /// - Parameters:
        ///   - auth: of the object to be made; at most 32 bytes, nil is the empty authorisation.
        ///   - data: to be sealed; at most 128 bytes. Nil for a key that the TPM makes itself.
        convenience init(auth: SecretBytes?, data: SecretBytes?) throws(HardwareKeyError) {
            self.init(zeroed: ())
            let sensitive = rawBytes(of: pointer)
            if let auth {
                guard auth.count <= 32 else { throw .invalidArgument("an authorisation has at most 32 bytes") }
                let offset = MemoryLayout<TPM2B_SENSITIVE_CREATE>.offset(of: \.sensitive.userAuth) ?? 0
                auth.withUnsafeBytes { TPM2B_AUTH.write($0, into: .init(rebasing: sensitive[offset...])) }
            }
            if let data {
                guard data.count <= 128 else { throw .invalidArgument("a TPM seals at most 128 bytes") }
                let offset = MemoryLayout<TPM2B_SENSITIVE_CREATE>.offset(of: \.sensitive.data) ?? 0
                data.withUnsafeBytes { TPM2B_SENSITIVE_DATA.write($0, into: .init(rebasing: sensitive[offset...])) }
            }
        }
    }

    private func rawBytes<Structure>(of pointer: UnsafeMutablePointer<Structure>) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: pointer, count: MemoryLayout<Structure>.size)
    }

    extension TPM2B_PUBLIC {
        /// A public area from its marshalled bytes.
        init(marshalled area: [UInt8]) throws(HardwareKeyError) {
            self.init()
            var bytes: [UInt8] = []
            bytes.append(sized: area)
            let code = try TSS2.functions().pointee.Tss2_MU_TPM2B_PUBLIC_Unmarshal(bytes, bytes.count, nil, &self)
            guard code == 0 else { throw .unexpectedResponse(command: "unmarshal a public area", code: code) }
        }

        var marshalled: [UInt8] {
            get throws(HardwareKeyError) {
                var bytes = [UInt8](repeating: 0, count: MemoryLayout<TPM2B_PUBLIC>.size)
                var end = 0
                let tss2 = try TSS2.functions()
                let code = withUnsafePointer(to: self) {
                    tss2.pointee.Tss2_MU_TPM2B_PUBLIC_Marshal($0, &bytes, bytes.count, &end)
                }
                guard code == 0, end >= 2 else {
                    throw .unexpectedResponse(command: "marshal a public area", code: code)
                }
                return Array(bytes[2..<end])
            }
        }
    }

    extension TPM2B_NV_PUBLIC {
        /// An index's public area from its marshalled bytes.
        init(marshalled area: [UInt8]) throws(HardwareKeyError) {
            self.init()
            var bytes: [UInt8] = []
            bytes.append(sized: area)
            let code = try TSS2.functions().pointee.Tss2_MU_TPM2B_NV_PUBLIC_Unmarshal(bytes, bytes.count, nil, &self)
            guard code == 0 else { throw .unexpectedResponse(command: "unmarshal an index", code: code) }
        }
    }
#endif
