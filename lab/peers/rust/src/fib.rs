//! Fibonacci numbers by their recursive definition: nothing but forks.

use std::ffi::c_void;

use crate::pools::chili_scope;
use crate::stopped;

// Not inlined into itself, like the C++ of all other schedulers.
#[inline(never)]
fn on_rayon(n: u32) -> u64 {
    if n < 2 {
        return n.into();
    }
    if stopped() {
        return 0;
    }
    let (left, right) = rayon::join(|| on_rayon(n - 1), || on_rayon(n - 2));
    left + right
}

#[inline(never)]
fn on_chili(scope: &mut chili::Scope<'_>, n: u32) -> u64 {
    if n < 2 {
        return n.into();
    }
    if stopped() {
        return 0;
    }
    let (left, right) = scope.join(|s| on_chili(s, n - 1), |s| on_chili(s, n - 2));
    left + right
}

#[no_mangle]
extern "C" fn parley_rayon_fib(_: *mut c_void, n: u32) -> u64 {
    on_rayon(n)
}

/// # Safety
/// `scope` is what the call on the worker has got.
#[no_mangle]
unsafe extern "C" fn parley_chili_fib(scope: *mut c_void, n: u32) -> u64 {
    // SAFETY: as promised.
    on_chili(unsafe { chili_scope(scope) }, n)
}
