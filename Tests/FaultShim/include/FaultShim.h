// Preloaded, not called: see faults.c.
