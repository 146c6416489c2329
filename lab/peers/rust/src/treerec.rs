//! A tree of calls like fib's, whose leaves compute for some time.

use std::ffi::c_void;

use crate::pools::chili_scope;
use crate::stopped;

/// parley_rust_leaf of lab/peers/rust.hpp: the calibrated work of lab/programs/busy.hpp, the same for all
/// schedulers. There, too, it is a call of a function that is never inlined.
#[repr(C)]
struct Leaf {
    spin: extern "C" fn(rounds: u64),
    rounds: u64,
}

impl Leaf {
    fn run(&self) {
        (self.spin)(self.rounds);
    }
}

#[inline(never)]
fn on_rayon(n: u32, leaf: &Leaf) -> u64 {
    if stopped() {
        return 0;
    }
    if n < 2 {
        leaf.run();
        return n.into();
    }
    let (left, right) = rayon::join(|| on_rayon(n - 1, leaf), || on_rayon(n - 2, leaf));
    left + right
}

#[inline(never)]
fn on_chili(scope: &mut chili::Scope<'_>, n: u32, leaf: &Leaf) -> u64 {
    if stopped() {
        return 0;
    }
    if n < 2 {
        leaf.run();
        return n.into();
    }
    let (left, right) =
        scope.join(|s| on_chili(s, n - 1, leaf), |s| on_chili(s, n - 2, leaf));
    left + right
}

#[no_mangle]
extern "C" fn parley_rayon_treerec(_: *mut c_void, n: u32, leaf: &Leaf) -> u64 {
    on_rayon(n, leaf)
}

/// # Safety
/// `scope` is what the call on the worker has got.
#[no_mangle]
unsafe extern "C" fn parley_chili_treerec(scope: *mut c_void, n: u32, leaf: &Leaf) -> u64 {
    // SAFETY: as promised.
    on_chili(unsafe { chili_scope(scope) }, n, leaf)
}
