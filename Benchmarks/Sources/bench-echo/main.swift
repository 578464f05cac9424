import ForceFieldWire
import ForceFieldWorker
import Glibc

// A worker that answers with the request's bytes. With BENCH_ECHO=plain, a process that does the same without any of
// ForceField: what a bare socket pair, and what other sandboxes, are measured with. (Without /proc, Swift does not find
// arguments.)
if getenv("BENCH_ECHO") != nil { PlainEcho.run() }
var service = Service()
let largestFrame = 64 << 20
service.maxFrameBytes = largestFrame
service.acceptsConstantUUID = true
service.handle(Method<[UInt8], [UInt8]>("echo", maxReplyBytes: largestFrame)) { request, _ in request }
ForceFieldWorker.run(service)
