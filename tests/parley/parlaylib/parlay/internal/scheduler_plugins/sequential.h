#ifndef PARLAY_INTERNAL_SCHEDULER_PLUGINS_SEQUENTIAL_H_
#define PARLAY_INTERNAL_SCHEDULER_PLUGINS_SEQUENTIAL_H_
#error "ParlayLib's serial scheduler must not be there beside Parley"
#endif
