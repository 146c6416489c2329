//! Programs on the schedulers of two Rust crates, for C++ to call: lab/peers/rust.hpp has the other side.
//!
//! A fork of chili takes 3 ns, less than a call through a function pointer and back would add. So the
//! programs themselves are written here, as users of these crates would write them, and one call from
//! C++ is a whole run.

mod cilksort;
mod fib;
mod loops;
mod nqueens;
mod pools;
mod small;
mod treerec;
mod uts;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Read by every task, so on a cache line that nobody writes meanwhile.
#[repr(align(128))]
struct Stop(AtomicBool);

static STOP: Stop = Stop(AtomicBool::new(false));

/// Every task asks; those that get yes return at once, and the result is worth nothing.
#[inline(always)]
fn stopped() -> bool {
    STOP.0.load(Relaxed)
}

#[no_mangle]
extern "C" fn parley_rust_cancel() {
    STOP.0.store(true, Relaxed);
}

/// Whether somebody cancelled since this was last called.
#[no_mangle]
extern "C" fn parley_rust_was_cancelled() -> bool {
    STOP.0.swap(false, Relaxed)
}
