#if canImport(CTSS2)
    import CTSS2
    import Glibc

    /// An open connection to a TPM. The code that opens it closes it, and the code that loads something through it
    /// flushes that.
    struct TPMConnection {
        let esys: OpaquePointer
        private let library: UnsafePointer<tss2_functions>
        private let transport: OpaquePointer
        /// The way there, of a TPM that is reached by a socket; nil for the library's own.
        private let way: SoftwareTPMTransport?
        private let address: TPMAddress
        /// The only storage key that is used; nil for any.
        let storageKeyName: [UInt8]?

        /// - Parameter limit: for each answer of a TPM that is reached by a socket; nil for none.
        init(
            to address: TPMAddress, storageKeyName: [UInt8]? = nil, within limit: Duration?
        ) throws(HardwareKeyError) {
            library = try TSS2.functions()
            let tss2 = library.pointee
            self.storageKeyName = storageKeyName
            self.address = address
            way = SoftwareTPMTransport(to: address, within: limit)
            var transport = way?.makeContext()
            if way == nil {
                guard tss2.Tss2_TctiLdr_Initialize(address.description, &transport) == TSS2_RC(0) else {
                    throw .unavailable(.notReachable(address: address.description))
                }
            }
            guard let transport else { throw .unavailable(.notReachable(address: address.description)) }
            if way == nil { Self.keepFromChildren(transport) }
            var esys: OpaquePointer?
            guard tss2.Esys_Initialize(&esys, transport, nil) == TSS2_RC(0), let esys else {
                Self.end(transport, isOurs: way != nil, tss2)
                throw .unavailable(.notReachable(address: address.description))
            }
            self.transport = transport
            self.esys = esys
        }

        /// The functions of the library.
        var tss2: tss2_functions { library.pointee }

        /// A child that is started meanwhile would hold the device open, which serves one at a time where no resource
        /// manager is before it.
        private static func keepFromChildren(_ transport: OpaquePointer) {
            let context = UnsafeMutablePointer<TSS2_TCTI_CONTEXT_COMMON_V1>(transport)
            guard let poll = context.pointee.getPollHandles else { return }
            var handles = [TSS2_TCTI_POLL_HANDLE](repeating: TSS2_TCTI_POLL_HANDLE(), count: 4)
            var count = handles.count
            guard poll(transport, &handles, &count) == TSS2_RC(0) else { return }
            for handle in handles.prefix(count) { _ = fcntl(handle.fd, F_SETFD, FD_CLOEXEC) }
        }

        func close() {
            var esys: OpaquePointer? = esys
            tss2.Esys_Finalize(&esys)
            Self.end(transport, isOurs: way != nil, tss2)
        }

        private static func end(_ transport: OpaquePointer, isOurs: Bool, _ tss2: tss2_functions) {
            guard !isOurs else { return SoftwareTPMTransport.forget(transport) }
            var transport: OpaquePointer? = transport
            tss2.Tss2_TctiLdr_Finalize(&transport)
        }

        /// Starts a TPM that nothing has started, as a software TPM without its flag; the kernel starts real ones.
        func start() throws(HardwareKeyError) {
            let code = retrying { tss2.Esys_Startup(esys, 0) }
            guard code == 0 || code == TPMResponse.alreadyStarted else { throw failure(code, of: "Startup") }
        }

        /// Runs a command.
        ///
        /// - Parameter subject: what the command is about, which decides what some responses mean.
        func run(
            _ command: String, on subject: TPMResponse.Subject = .object, _ body: () -> TSS2_RC
        ) throws(HardwareKeyError) {
            let code = retrying(body)
            guard code == 0 else { throw failure(code, of: command, on: subject) }
        }

        /// A busy TPM asks to be asked again: 20 ms later, then after twice as long, up to 2 s, ten times.
        private func retrying(_ body: () -> TSS2_RC) -> UInt32 {
            var pause: UInt32 = 20_000
            for _ in 0..<10 {
                let code = body()
                guard TPMResponse.retry.contains(code) else { return code }
                usleep(pause)
                pause = min(pause * 2, 2_000_000)
            }
            return body()
        }

        private func failure(
            _ code: UInt32, of command: String, on subject: TPMResponse.Subject = .object
        ) -> HardwareKeyError {
            switch TPMResponse.meaning(of: code, on: subject) {
            case .known(let error): error
            case .lockout: .lockout(seconds: lockoutInterval())
            case .transport: .unavailable(.notReachable(address: address.description))
            case .unknown: .unexpectedResponse(command: command, code: code)
            }
        }

        /// One failure is forgiven per interval, so that this is the longest wait until one attempt is free.
        private func lockoutInterval() -> Int {
            (try? property(TPMProperties.Number.lockoutInterval)).map(Int.init) ?? 0
        }

        /// Removes an object or session from the TPM; nothing can be done where that fails.
        func flush(_ handle: ESYS_TR) {
            _ = tss2.Esys_FlushContext(esys, handle)
        }

        /// Gives an object or index its authorisation, for the commands that follow.
        func authorise(_ handle: ESYS_TR, with auth: SecretStructure<TPM2B_AUTH>) throws(HardwareKeyError) {
            try run("TR_SetAuth") { tss2.Esys_TR_SetAuth(esys, handle, auth.pointer) }
        }

        /// Takes an authorisation from the library's memory again.
        func forgetAuthorisation(of handle: ESYS_TR) {
            var none = TPM2B_AUTH()
            _ = tss2.Esys_TR_SetAuth(esys, handle, &none)
        }
    }
#endif
