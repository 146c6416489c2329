//! Ways to place n queens on a board, one task for each placed queen. The board and the test of a
//! square are those of lab/programs/nqueens.hpp.

use std::ffi::c_void;

use crate::pools::chili_scope;
use crate::stopped;

const MAX_QUEENS: usize = 16;

/// The columns of the queens, row by row.
#[derive(Clone, Copy)]
struct Board {
    column: [u8; MAX_QUEENS],
    placed: u8,
    size: u8,
}

impl Board {
    fn empty(size: u32) -> Self {
        assert!(size as usize <= MAX_QUEENS);
        Self { column: [0; MAX_QUEENS], placed: 0, size: size as u8 }
    }

    fn is_full(&self) -> bool {
        self.placed == self.size
    }

    /// Whether a queen may stand in the next row, in this column.
    fn allows(&self, next: u8) -> bool {
        let placed = usize::from(self.placed);
        self.column[..placed].iter().enumerate().all(|(row, &column)| {
            let sideways = i32::from(next) - i32::from(column);
            let down = (placed - row) as i32;
            sideways != 0 && sideways != down && sideways != -down
        })
    }

    fn with(&self, next: u8) -> Self {
        let mut board = *self;
        board.column[usize::from(self.placed)] = next;
        board.placed += 1;
        board
    }
}

fn on_rayon(board: &Board) -> u64 {
    if board.is_full() {
        return 1;
    }
    if stopped() {
        return 0;
    }
    let mut found = [0; MAX_QUEENS];
    rayon::scope(|scope| {
        for (next, slot) in (0..board.size).zip(&mut found) {
            if board.allows(next) {
                let child = board.with(next);
                scope.spawn(move |_| *slot = on_rayon(&child));
            }
        }
    });
    found.iter().sum()
}

fn on_chili(scope: &mut chili::Scope<'_>, board: &Board) -> u64 {
    if board.is_full() {
        return 1;
    }
    if stopped() {
        return 0;
    }
    let mut columns = [0; MAX_QUEENS];
    let mut children = 0;
    for next in 0..board.size {
        if board.allows(next) {
            columns[children] = next;
            children += 1;
        }
    }
    halves_on_chili(scope, board, &columns[..children])
}

/// Solutions with the next queen in one of these columns. Chili forks in pairs and knows no other way.
fn halves_on_chili(scope: &mut chili::Scope<'_>, board: &Board, columns: &[u8]) -> u64 {
    match *columns {
        [] => 0,
        [next] => on_chili(scope, &board.with(next)),
        _ => {
            let (some, others) = columns.split_at(columns.len() / 2);
            let (left, right) = scope.join(
                |s| halves_on_chili(s, board, some),
                |s| halves_on_chili(s, board, others),
            );
            left + right
        }
    }
}

#[no_mangle]
extern "C" fn parley_rayon_nqueens(_: *mut c_void, n: u32) -> u64 {
    on_rayon(&Board::empty(n))
}

/// # Safety
/// `scope` is what the call on the worker has got.
#[no_mangle]
unsafe extern "C" fn parley_chili_nqueens(scope: *mut c_void, n: u32) -> u64 {
    // SAFETY: as promised.
    on_chili(unsafe { chili_scope(scope) }, &Board::empty(n))
}
