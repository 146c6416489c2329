//! Pools of workers, and a way into them: C++ gets called back on a worker, where it looks at the clock
//! and calls a program.

use std::ffi::c_void;
use std::num::NonZero;
use std::sync::Once;
use std::thread;

/// As much as lab/command/deep_stack.hpp gives to the serial program: with chili a tree that is deep needs a
/// stack that is deep. Only what is used costs memory.
const STACK_BYTES: usize = 256 << 20;

/// What C++ wants done on a worker. Its second argument goes back to the programs as their `scope`.
type Call = extern "C" fn(context: *mut c_void, scope: *mut c_void);

#[derive(Clone, Copy)]
struct Work {
    call: Call,
    context: *mut c_void,
}

// SAFETY: C++ waits for the call, wherever it is made.
unsafe impl Send for Work {}

impl Work {
    fn call_with(self, scope: *mut c_void) {
        (self.call)(self.context, scope);
    }
}

/// Chili has no option for the stacks of its threads. What remains is the standard library's variable,
/// which it reads once, when the first thread starts.
fn ask_for_deep_stacks() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| std::env::set_var("RUST_MIN_STACK", STACK_BYTES.to_string()));
}

/// Null if there are no such threads to be had.
#[no_mangle]
extern "C" fn parley_rayon_start(workers: u32) -> *mut rayon::ThreadPool {
    ask_for_deep_stacks();
    match rayon::ThreadPoolBuilder::new().num_threads(workers as usize).build() {
        Ok(pool) => Box::into_raw(Box::new(pool)),
        Err(_) => std::ptr::null_mut(),
    }
}

/// # Safety
/// `pool` comes from parley_rayon_start and is used no more.
#[no_mangle]
unsafe extern "C" fn parley_rayon_end(pool: *mut rayon::ThreadPool) {
    // SAFETY: as promised.
    drop(unsafe { Box::from_raw(pool) });
}

/// # Safety
/// `pool` comes from parley_rayon_start.
#[no_mangle]
unsafe extern "C" fn parley_rayon_run(
    pool: *mut rayon::ThreadPool,
    call: Call,
    context: *mut c_void,
) -> bool {
    let work = Work { call, context };
    // SAFETY: as promised. Rayon finds its worker by itself: there is no scope to hand on.
    unsafe { &*pool }.install(move || work.call_with(std::ptr::null_mut()));
    true
}

/// Never null: chili ends the process if there are no threads to be had.
#[no_mangle]
extern "C" fn parley_chili_start(workers: u32) -> *mut chili::ThreadPool {
    ask_for_deep_stacks();
    Box::into_raw(Box::new(chili::ThreadPool::with_config(chili::Config {
        thread_count: NonZero::new(workers as usize),
        ..Default::default()
    })))
}

/// # Safety
/// `pool` comes from parley_chili_start and is used no more.
#[no_mangle]
unsafe extern "C" fn parley_chili_end(pool: *mut chili::ThreadPool) {
    // SAFETY: as promised.
    drop(unsafe { Box::from_raw(pool) });
}

/// The thread that makes the scope is one of chili's workers: a new one here, with a deep stack.
/// False if it cannot be had.
///
/// # Safety
/// `pool` comes from parley_chili_start.
#[no_mangle]
unsafe extern "C" fn parley_chili_run(
    pool: *mut chili::ThreadPool,
    call: Call,
    context: *mut c_void,
) -> bool {
    let work = Work { call, context };
    // SAFETY: as promised.
    let pool = unsafe { &*pool };
    thread::scope(|threads| {
        let first = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(threads, move || {
            let mut scope = pool.scope();
            work.call_with((&raw mut scope).cast());
        });
        first.is_ok()
    })
}

/// Chili's scope, as C++ hands it on.
///
/// # Safety
/// `scope` is what the call on the worker has got, and nobody else uses it meanwhile.
pub unsafe fn chili_scope<'a>(scope: *mut c_void) -> &'a mut chili::Scope<'a> {
    // SAFETY: as promised.
    unsafe { &mut *scope.cast() }
}
