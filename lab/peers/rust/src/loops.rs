//! Parallel loops on rayon, one call from C++ for each loop.

use std::arch::asm;
use std::ffi::c_void;

use rayon::prelude::*;

use crate::stopped;

/// What the bodies of a loop share. C++ says that they may.
struct Context(*const c_void);

// SAFETY: as promised.
unsafe impl Sync for Context {}

impl Context {
    /// A method, since a closure that names the field would capture the pointer alone.
    fn get(&self) -> *const c_void {
        self.0
    }
}

/// # Safety
/// The bodies of all indices may be called at the same time.
#[no_mangle]
unsafe extern "C" fn parley_rayon_for_each(
    first: usize,
    last: usize,
    body: extern "C" fn(context: *const c_void, i: usize),
    context: *const c_void,
) {
    if stopped() {
        return;
    }
    let context = Context(context);
    (first..last).into_par_iter().for_each(|i| body(context.get(), i));
}

/// A body of no instructions that the compiler keeps, as that in C++ is.
#[no_mangle]
extern "C" fn parley_rayon_empty_loop(n: usize) {
    if stopped() {
        return;
    }
    // SAFETY: it does nothing.
    (0..n).into_par_iter().for_each(|_| unsafe { asm!("", options(nomem, nostack, preserves_flags)) });
}

/// # Safety
/// There are n elements, which nobody else uses meanwhile.
#[no_mangle]
unsafe extern "C" fn parley_rayon_pass(elements: *mut u32, n: usize) {
    if stopped() || n == 0 {
        return;
    }
    // SAFETY: as promised.
    let all = unsafe { std::slice::from_raw_parts_mut(elements, n) };
    all.par_iter_mut().for_each(|x| *x = x.wrapping_mul(5).wrapping_add(3));
}
