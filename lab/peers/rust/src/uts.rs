//! Unbalanced tree search. The law of the tree and the hash are C++'s, so that all schedulers search
//! the same tree by the same instructions.
//!
//! What chili does with T3L is no mistake of this program: a worker of chili that waits for a job that
//! it gave away, and sees no other at that moment, sleeps until that job is done. In a tree most of which
//! hangs from one node, one worker soon has that node, and the others sleep.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::pools::chili_scope;
use crate::stopped;

/// On chili a path of the tree lies on the stack, 850 bytes a level where nodes have 5 or 8 children (T3L:
/// 15 MB), and who waits begins on another path above that. So this leaves more than half of the stack.
/// Deeper trees are refused.
const DEEPEST_ON_CHILI: u32 = 120_000;

/// sha1_digest of lab/programs/sha1.hpp.
#[repr(C)]
#[derive(Clone, Copy)]
struct Digest([u32; 5]);

#[repr(C)]
#[derive(Clone, Copy)]
struct Node {
    state: Digest,
    depth: u32,
}

/// branching_law::row of lab/programs/uts_tree.hpp.
#[repr(C)]
struct Row {
    flip: u32,
    bounds: *const u32,
}

/// uts::tally of lab/programs/uts.hpp, with a cache line of its own: only one worker writes it.
#[repr(C, align(128))]
struct Tally {
    children: AtomicU64,
    parents: AtomicU64,
    depth: AtomicU32,
}

impl Tally {
    fn note(&self, children: u64, parents: u64, depth: u32) {
        self.children.store(self.children.load(Relaxed) + children, Relaxed);
        self.parents.store(self.parents.load(Relaxed) + parents, Relaxed);
        if depth > self.depth.load(Relaxed) {
            self.depth.store(depth, Relaxed);
        }
    }
}

/// parley_rust_search of lab/programs/uts_in_rust.hpp.
#[repr(C)]
struct Search {
    rows: *const Row,
    last: u32,
    root: Node,
    /// Called through a pointer for each child; in C++ it is a call, too, but a direct one.
    hash: extern "C" fn(parent: &Digest, index: u32) -> Digest,
    tallies: *const Tally,
}

// SAFETY: what it points to is only read, but for the tallies, which are atomic.
unsafe impl Sync for Search {}

impl Search {
    fn law_at(&self, depth: u32) -> &Row {
        // SAFETY: there are rows up to the last.
        unsafe { &*self.rows.add(depth.min(self.last) as usize) }
    }

    fn child(&self, parent: &Node, index: u32) -> Node {
        Node { state: (self.hash)(&parent.state, index), depth: parent.depth + 1 }
    }

    /// There is one for each worker.
    fn tally(&self, worker: usize) -> &Tally {
        // SAFETY: as said.
        unsafe { &*self.tallies.add(worker) }
    }
}

impl Row {
    fn value_of(&self, node: &Node) -> u32 {
        (node.state.0[4] & 0x7fff_ffff) ^ self.flip
    }

    /// Whether a node of this value has a child of this index, if it has those before.
    fn has(&self, value: u32, index: u32) -> bool {
        // SAFETY: the last of the bounds is one that no value reaches.
        value >= unsafe { *self.bounds.add(index as usize) }
    }
}

fn visit_on_rayon<'s>(search: &'s Search, here: Node, scope: &rayon::Scope<'s>) {
    if stopped() {
        return;
    }
    let law = search.law_at(here.depth);
    let value = law.value_of(&here);
    let mut index = 0;
    while law.has(value, index) {
        let child = search.child(&here, index);
        scope.spawn(move |s| visit_on_rayon(search, child, s));
        index += 1;
    }
    if index > 0 {
        let worker = rayon::current_thread_index().expect("on a worker");
        search.tally(worker).note(index.into(), 1, here.depth + 1);
    }
}

/// What lies below a node. Chili's workers have no numbers, so results take the way that forks offer.
#[derive(Clone, Copy, Default)]
struct Found {
    children: u64,
    parents: u64,
    depth: u32,
}

impl Found {
    fn and(self, other: Self) -> Self {
        Self {
            children: self.children + other.children,
            parents: self.parents + other.parents,
            depth: self.depth.max(other.depth),
        }
    }
}

struct Walk<'a> {
    search: &'a Search,
    too_deep: AtomicBool,
}

fn visit_on_chili(walk: &Walk<'_>, scope: &mut chili::Scope<'_>, here: Node) -> Found {
    if stopped() {
        return Found::default();
    }
    if here.depth > DEEPEST_ON_CHILI {
        walk.too_deep.store(true, Relaxed);
        return Found::default();
    }
    let law = walk.search.law_at(here.depth);
    let value = law.value_of(&here);
    let mut children = 0;
    while law.has(value, children) {
        children += 1;
    }
    if children == 0 {
        return Found::default();
    }
    let these = Found { children: children.into(), parents: 1, depth: here.depth + 1 };
    these.and(halves_on_chili(walk, scope, &here, 0, children))
}

/// The children from `first` on, before `last`; at least one.
fn halves_on_chili(
    walk: &Walk<'_>,
    scope: &mut chili::Scope<'_>,
    parent: &Node,
    first: u32,
    last: u32,
) -> Found {
    if last - first == 1 {
        return visit_on_chili(walk, scope, walk.search.child(parent, first));
    }
    let middle = first + (last - first) / 2;
    let (some, others) = scope.join(
        |s| halves_on_chili(walk, s, parent, first, middle),
        |s| halves_on_chili(walk, s, parent, middle, last),
    );
    some.and(others)
}

/// False if the tree is too deep.
///
/// # Safety
/// Called on a worker; all that `search` points to stays there until it returns.
#[no_mangle]
unsafe extern "C" fn parley_rayon_uts(_: *mut c_void, search: &Search) -> bool {
    rayon::scope(|scope| scope.spawn(|s| visit_on_rayon(search, search.root, s)));
    true // spawned tasks wait in queues, however deep the tree is
}

/// False if the tree is too deep.
///
/// # Safety
/// `scope` is what the call on the worker has got; all that `search` points to stays there until it
/// returns.
#[no_mangle]
unsafe extern "C" fn parley_chili_uts(scope: *mut c_void, search: &Search) -> bool {
    let walk = Walk { search, too_deep: AtomicBool::new(false) };
    // SAFETY: as promised.
    let found = visit_on_chili(&walk, unsafe { chili_scope(scope) }, search.root);
    search.tally(0).note(found.children, found.parents, found.depth);
    !walk.too_deep.into_inner()
}
