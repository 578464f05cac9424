import CForceField
import CWorkerName
import ForceFieldTestMethods
import ForceFieldWire
import Glibc

// A worker that does what a test asks, above all what a worker must not do. It speaks FF1 with waiting reads and
// writes. Started under some names it is a plain program instead, of which nothing is trusted.
let name = String(cString: worker_name())
if let plain = PlainProgram(rawValue: name) { plain.run() }
guard cforcefield_is_worker() == 1 else { exit(2) }
HostileWorker(HostileStart(rawValue: name)).run()
