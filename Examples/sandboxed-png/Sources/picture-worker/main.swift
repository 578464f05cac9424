import ForceFieldWorker
import PictureMethods

// Before this line the sandbox is complete: no file, no network, no other process, whatever the bytes make the C code do.
var service = Service()
service.handle(PictureMethods.decode) { file, _ in try decode(file.array) }
ForceFieldWorker.run(service)
