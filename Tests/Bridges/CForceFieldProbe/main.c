#if defined(__linux__)

#include "cforcefield_lock.h"
#include "host.h"
#include "worker.h"

int main(int count, char **arguments) {
    if (cforcefield_is_worker()) return worker_run();
    return count > 1 ? host_run(count, arguments) : 2;
}

#else

int main(void) { return 2; }

#endif
