#if os(Linux)
    // Two ways to have Swift's tasks on the run loop. The first replaces the executors of the whole process and is SPI
    // of Swift 6.3: this is the only file that knows it. The second is for other compilers, or with
    // FORCEFIELD_STABLE_EXECUTOR: handlers and the tasks within them run on the loop, but `Task.sleep`, `Task.detached`
    // and `@MainActor` reach Dispatch and are forbidden.
    #if compiler(>=6.3) && compiler(<6.4) && !FORCEFIELD_STABLE_EXECUTOR
        @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

        extension RunLoop {
            /// Makes the loop the executor of the process. Nothing of Swift Concurrency may have run before.
            static func install() { _createExecutors(factory: Factory.self) }

            private enum Factory: ExecutorFactory {
                static var mainExecutor: any MainExecutor { RunLoop.shared }
                static var defaultExecutor: any TaskExecutor { RunLoop.shared }
            }
        }

        extension RunLoop: MainExecutor {
            /// Never called: it is for programs whose `main` is asynchronous, and a worker's is not.
            func run() throws { preconditionFailure("A worker's main is not async: it calls ForceFieldWorker.run.") }

            func stop() { preconditionFailure("A worker's loop ends with its process.") }
        }

        extension RunLoop: SchedulingExecutor {
            func enqueue<C: Clock>(
                _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
            ) {
                guard let delay = delay as? Duration else {
                    preconditionFailure("A clock whose durations are no Swift.Duration sleeps by itself.")
                }
                enqueue(job, after: delay)
            }

            func enqueue<C: Clock>(
                _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
            ) {
                enqueue(job, after: clock.now.duration(to: instant), tolerance: tolerance, clock: clock)
            }
        }
    #else
        extension RunLoop {
            /// Does nothing: handlers prefer the loop.
            static func install() {}
        }
    #endif
#endif
