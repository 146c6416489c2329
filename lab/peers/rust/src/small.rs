//! Little work, for `parley bench --suite small`: what lab/programs/small/rows.cpp does, by what these
//! crates have for it. Rayon has loops, reductions and sorts. Chili has forks only, so a loop is halved
//! down to a few steps, as its users do.

use std::ffi::c_void;

use rayon::prelude::*;

use crate::pools::chili_scope;

/// With chili so many steps, of some nanoseconds each, are not divided: a fork costs about one of them.
const A_FEW: usize = 16;

/// step() of rows.cpp: some nanoseconds, by the same instructions for all schedulers. There, too, it is a
/// call of a function that is never inlined.
type Step = extern "C" fn(u64) -> u64;

fn write_on_chili(scope: &mut chili::Scope<'_>, step: Step, first: u64, out: &mut [u64]) {
    if out.len() <= A_FEW {
        for (i, element) in (first..).zip(out) {
            *element = step(i);
        }
        return;
    }
    let half = out.len() / 2;
    let (low, high) = out.split_at_mut(half);
    scope.join(
        |s| write_on_chili(s, step, first, low),
        |s| write_on_chili(s, step, first + half as u64, high),
    );
}

fn sum_on_chili(scope: &mut chili::Scope<'_>, step: Step, elements: &[u64]) -> u64 {
    if elements.len() <= A_FEW {
        return elements.iter().fold(0, |sum, &x| sum.wrapping_add(step(x)));
    }
    let (low, high) = elements.split_at(elements.len() / 2);
    let (a, b) = scope.join(|s| sum_on_chili(s, step, low), |s| sum_on_chili(s, step, high));
    a.wrapping_add(b)
}

#[inline(never)]
fn tree_on_rayon(step: Step, n: u64) -> u64 {
    if n < 2 {
        return step(n);
    }
    let (a, b) = rayon::join(|| tree_on_rayon(step, n - 1), || tree_on_rayon(step, n - 2));
    a.wrapping_add(b)
}

#[inline(never)]
fn tree_on_chili(scope: &mut chili::Scope<'_>, step: Step, n: u64) -> u64 {
    if n < 2 {
        return step(n);
    }
    let (a, b) = scope.join(|s| tree_on_chili(s, step, n - 1), |s| tree_on_chili(s, step, n - 2));
    a.wrapping_add(b)
}

/// # Safety
/// Called on a worker; there are `n` elements, which nobody else looks at.
#[no_mangle]
unsafe extern "C" fn parley_rayon_small_loop(_: *mut c_void, step: Step, out: *mut u64, n: usize) {
    // SAFETY: as promised.
    let out = unsafe { std::slice::from_raw_parts_mut(out, n) };
    out.par_iter_mut().enumerate().for_each(|(i, element)| *element = step(i as u64));
}

/// # Safety
/// Called on a worker; there are `n` elements, which nobody changes.
#[no_mangle]
unsafe extern "C" fn parley_rayon_small_reduce(
    _: *mut c_void,
    step: Step,
    elements: *const u64,
    n: usize,
) -> u64 {
    // SAFETY: as promised.
    let elements = unsafe { std::slice::from_raw_parts(elements, n) };
    elements.par_iter().map(|&x| step(x)).reduce(|| 0, u64::wrapping_add)
}

/// # Safety
/// Called on a worker; there are `n` elements, which nobody else looks at.
#[no_mangle]
unsafe extern "C" fn parley_rayon_small_sort(
    _: *mut c_void,
    elements: *mut u64,
    n: usize,
    stable: bool,
) {
    // SAFETY: as promised.
    let elements = unsafe { std::slice::from_raw_parts_mut(elements, n) };
    if stable {
        elements.par_sort();
    } else {
        elements.par_sort_unstable();
    }
}

/// Eight tasks that end together.
///
/// # Safety
/// Called on a worker; there are `n` elements, which nobody else looks at.
#[no_mangle]
unsafe extern "C" fn parley_rayon_small_scope(_: *mut c_void, step: Step, out: *mut u64, n: usize) {
    // SAFETY: as promised.
    let mut rest = unsafe { std::slice::from_raw_parts_mut(out, n) };
    rayon::scope(|scope| {
        for k in 0..8 {
            let first = k * n / 8;
            let (mine, others) = std::mem::take(&mut rest).split_at_mut((k + 1) * n / 8 - first);
            rest = others;
            scope.spawn(move |_| {
                for (i, element) in (first as u64..).zip(mine) {
                    *element = step(i);
                }
            });
        }
    });
}

#[no_mangle]
extern "C" fn parley_rayon_small_forks(_: *mut c_void, step: Step, n: u64) -> u64 {
    tree_on_rayon(step, n)
}

/// # Safety
/// `scope` is what the call on the worker has got; there are `n` elements, which nobody else looks at.
#[no_mangle]
unsafe extern "C" fn parley_chili_small_loop(
    scope: *mut c_void,
    step: Step,
    out: *mut u64,
    n: usize,
) {
    // SAFETY: as promised.
    unsafe { write_on_chili(chili_scope(scope), step, 0, std::slice::from_raw_parts_mut(out, n)) };
}

/// # Safety
/// `scope` is what the call on the worker has got; there are `n` elements, which nobody changes.
#[no_mangle]
unsafe extern "C" fn parley_chili_small_reduce(
    scope: *mut c_void,
    step: Step,
    elements: *const u64,
    n: usize,
) -> u64 {
    // SAFETY: as promised.
    unsafe { sum_on_chili(chili_scope(scope), step, std::slice::from_raw_parts(elements, n)) }
}

/// # Safety
/// `scope` is what the call on the worker has got.
#[no_mangle]
unsafe extern "C" fn parley_chili_small_forks(scope: *mut c_void, step: Step, n: u64) -> u64 {
    // SAFETY: as promised.
    tree_on_chili(unsafe { chili_scope(scope) }, step, n)
}
