internal import AppAttest
internal import Files

extension JSONKeyStore {
    /// Changes the table; what changed is saved in a while.
    ///
    /// - Parameter body: returns its result, and whether anything changed.
    func change<Result: Sendable>(
        _ body: (inout KeyTable) throws(StoreError) -> (Result, Bool)
    ) throws(StoreError) -> Result {
        let now = timer.now
        let (result, wait) = try state.withLock { (state) throws(StoreError) -> (Result, Duration?) in
            try state.refuseIfClosed()
            try state.refuseIfOverdue(at: now)
            let (result, isChanged) = try body(&state.table)
            guard isChanged else { return (result, nil) }
            state.schedule.changed(at: now)
            return (result, state.waitUntilLook(from: now))
        }
        if let wait { look(after: wait) }
        return result
    }

    /// Changes the table and waits until the disk has it.
    ///
    /// - Parameters:
    ///   - id: the key that it is about. Where nothing is changed it waits as well for what others changed of that key,
    ///     if the disk does not have it yet; nil waits for nothing then.
    ///   - body: returns whether there was something to be changed.
    func changeAndSave(
        of id: KeyID? = nil, _ body: (inout KeyTable) -> Bool
    ) async throws(StoreError) -> Bool {
        try await withCheckedContinuation { continuation in
            let mustSave = state.withLock { state -> Bool in
                guard !state.isClosed else {
                    continuation.resume(returning: Result<Bool, StoreError>.failure(JSONKeyStoreState.closed))
                    return false
                }
                let isChanged = body(&state.table)
                if isChanged { state.promise(of: id, at: timer.now) }
                guard isChanged || state.isPromised(id) else {
                    continuation.resume(returning: Result<Bool, StoreError>.success(false))
                    return false
                }
                state.waiting.append(.init(continuation: continuation, isChanged: isChanged))
                return state.wantSave()
            }
            if mustSave { save() }
        }.get()
    }

    /// Begins a save. Changes that come until it runs go with it.
    func save() { queue.async { self.saveNow() } }

    private func look(after time: Duration) {
        timer.run(after: time) { [weak self] in self?.look() }
    }

    /// Saves if it is time, or looks again when it will be.
    private func look() {
        let now = timer.now
        let (mustSave, wait) = state.withLock { state -> (Bool, Duration?) in
            state.isLookComing = false
            guard let due = state.schedule.due, !state.isClosed else { return (false, nil) }
            return due <= now ? (state.wantSave(), nil) : (false, state.waitUntilLook(from: now))
        }
        if mustSave { save() }
        if let wait { look(after: wait) }
    }

    /// Saves now. Runs on the queue.
    func saveNow() {
        takeOverRevocations()
        let start = timer.now
        guard let batch = state.withLock({ $0.beginSave(maximumKeys: maximumKeys, at: start) }) else { return }
        var failure: StoreError?
        do throws(StoreError) {
            try file.replace { (output) throws(FileError) in
                try KeyFileWriter.write(
                    batch.table.entries.values, bans: batch.table.bans.values, unreadable: batch.unreadable,
                    to: &output)
            }
        } catch { failure = error }
        let now = timer.now
        let version = file.version
        let wait = state.withLock { state in
            if failure == nil { state.fileVersion = version }
            state.finishSave(batch, failure, at: now)
            return state.waitUntilLook(from: now)
        }
        if let wait { look(after: wait) }
    }

    /// Takes over revocations that somebody else wrote into the file. What is no JSON, as while it is being written, is
    /// looked at again later.
    ///
    /// Runs on either queue.
    func takeOverRevocations() {
        let version = file.version
        guard !version.isEmpty, version != state.withLock(\.fileVersion), let bytes = try? file.read(),
            let content = try? KeyFileContent(bytes, defaults)
        else { return }
        let now = timer.now
        let wait = state.withLock { state -> Duration? in
            state.fileVersion = version
            for entry in content.table.entries.values {
                guard let revocation = entry.key.revocation else { continue }
                if state.table.revoke(entry.key.id, revocation) == true { state.schedule.changed(at: now) }
            }
            return state.waitUntilLook(from: now)
        }
        if let wait { look(after: wait) }
    }
}
