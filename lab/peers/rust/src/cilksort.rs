//! Merge sort as in MIT Cilk: quarters are sorted, then merged in pairs, then the two halves; merging
//! is parallel, too. Limits and steps are those of lab/programs/cilksort.hpp.

use std::ffi::c_void;

use crate::pools::chili_scope;
use crate::stopped;

mod serial;

use serial::{merge_serially, quick_sort, Element};

const SERIAL_SORT_BELOW: usize = 2048;
const SERIAL_MERGE_BELOW: usize = 2048;

/// Two parts of each of two runs and of the room for what is merged of them: the longer run is cut in
/// its middle, the other one where that middle belongs. None for runs to be merged serially.
type Parts<'a> = (&'a [Element], &'a [Element], &'a mut [Element]);

fn cut<'a>(
    a: &'a [Element],
    b: &'a [Element],
    out: &'a mut [Element],
) -> Option<(Parts<'a>, Parts<'a>)> {
    let (longer, shorter) = if a.len() < b.len() { (b, a) } else { (a, b) };
    if shorter.len() < SERIAL_MERGE_BELOW {
        merge_serially(longer, shorter, out);
        return None;
    }
    let middle = longer.len() / 2;
    let pivot = longer[middle];
    let (a1, a2) = longer.split_at(middle);
    let (b1, b2) = shorter.split_at(shorter.partition_point(|&element| element < pivot));
    let (out1, out2) = out.split_at_mut(a1.len() + b1.len());
    Some(((a1, b1, out1), (a2, b2, out2)))
}

fn merge_on_rayon((a, b, out): Parts<'_>) {
    if stopped() {
        return;
    }
    if let Some((low, high)) = cut(a, b, out) {
        rayon::join(|| merge_on_rayon(low), || merge_on_rayon(high));
    }
}

fn merge_on_chili(scope: &mut chili::Scope<'_>, (a, b, out): Parts<'_>) {
    if stopped() {
        return;
    }
    if let Some((low, high)) = cut(a, b, out) {
        scope.join(|s| merge_on_chili(s, low), |s| merge_on_chili(s, high));
    }
}

/// Four quarters, of which the last takes what is left over.
fn quarters(all: &mut [Element]) -> [&mut [Element]; 4] {
    let quarter = all.len() / 4;
    let (a, rest) = all.split_at_mut(quarter);
    let (b, rest) = rest.split_at_mut(quarter);
    let (c, d) = rest.split_at_mut(quarter);
    [a, b, c, d]
}

fn sort_on_rayon(elements: &mut [Element], scratch: &mut [Element]) {
    if stopped() {
        return;
    }
    if elements.len() < SERIAL_SORT_BELOW {
        return quick_sort(elements);
    }
    let half = elements.len() / 4 * 2;
    let [a, b, c, d] = quarters(elements);
    let [sa, sb, sc, sd] = quarters(scratch);
    rayon::join(
        || rayon::join(|| sort_on_rayon(a, sa), || sort_on_rayon(b, sb)),
        || rayon::join(|| sort_on_rayon(c, sc), || sort_on_rayon(d, sd)),
    );
    let (low, high) = scratch.split_at_mut(half);
    rayon::join(|| merge_on_rayon((a, b, low)), || merge_on_rayon((c, d, high)));
    merge_on_rayon((low, high, elements));
}

fn sort_on_chili(scope: &mut chili::Scope<'_>, elements: &mut [Element], scratch: &mut [Element]) {
    if stopped() {
        return;
    }
    if elements.len() < SERIAL_SORT_BELOW {
        return quick_sort(elements);
    }
    let half = elements.len() / 4 * 2;
    let [a, b, c, d] = quarters(elements);
    let [sa, sb, sc, sd] = quarters(scratch);
    scope.join(
        |s| s.join(|s| sort_on_chili(s, a, sa), |s| sort_on_chili(s, b, sb)),
        |s| s.join(|s| sort_on_chili(s, c, sc), |s| sort_on_chili(s, d, sd)),
    );
    let (low, high) = scratch.split_at_mut(half);
    scope.join(|s| merge_on_chili(s, (a, b, low)), |s| merge_on_chili(s, (c, d, high)));
    merge_on_chili(scope, (low, high, elements));
}

/// # Safety
/// Called on a worker; there are `n` elements at both places, which nobody else looks at.
#[no_mangle]
unsafe extern "C" fn parley_rayon_cilksort(
    _: *mut c_void,
    elements: *mut Element,
    scratch: *mut Element,
    n: usize,
) {
    // SAFETY: as promised.
    let (elements, scratch) = unsafe { (slice_of(elements, n), slice_of(scratch, n)) };
    sort_on_rayon(elements, scratch);
}

/// # Safety
/// `scope` is what the call on the worker has got; there are `n` elements at both places, which nobody
/// else looks at.
#[no_mangle]
unsafe extern "C" fn parley_chili_cilksort(
    scope: *mut c_void,
    elements: *mut Element,
    scratch: *mut Element,
    n: usize,
) {
    // SAFETY: as promised.
    unsafe { sort_on_chili(chili_scope(scope), slice_of(elements, n), slice_of(scratch, n)) };
}

/// # Safety
/// There are `n` elements.
unsafe fn slice_of<'a>(first: *mut Element, n: usize) -> &'a mut [Element] {
    // SAFETY: as promised.
    unsafe { std::slice::from_raw_parts_mut(first, n) }
}
