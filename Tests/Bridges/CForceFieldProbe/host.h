// A host without Swift, for tests as another user, of a host's death, and for figures.
#pragma once

// hello, hidden-hello, linger, audit, repeat or measure, and the path of a worker, by default this program. Returns the exit
// code.
int host_run(int count, char **arguments);
