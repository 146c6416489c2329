//! What is not worth a task, step by step as in lab/programs/cilksort.cpp: what is compared is the
//! scheduling. By pointers, as checks of bounds would be work that the C++ does not have.

pub type Element = i32;

const INSERTION_SORT_UP_TO: usize = 20;

/// Quicksort with the median of the first, middle and last element as its pivot; insertion sort for up
/// to 20 elements.
pub fn quick_sort(mut elements: &mut [Element]) {
    while elements.len() > INSERTION_SORT_UP_TO {
        let middle = partition(elements);
        let (low, high) = elements.split_at_mut(middle);
        // The longer part by this loop: a shallow stack.
        if low.len() < high.len() {
            quick_sort(low);
            elements = high;
        } else {
            quick_sort(high);
            elements = low;
        }
    }
    insertion_sort(elements);
}

fn insertion_sort(elements: &mut [Element]) {
    let first = elements.as_mut_ptr();
    for next in 0..elements.len() {
        // SAFETY: the hole moves from `next` down to 0 at most.
        unsafe {
            let value = *first.add(next);
            let mut hole = next;
            while hole > 0 && value < *first.add(hole - 1) {
                *first.add(hole) = *first.add(hole - 1);
                hole -= 1;
            }
            *first.add(hole) = value;
        }
    }
}

fn median(a: Element, b: Element, c: Element) -> Element {
    a.min(b).max(a.max(b).min(c))
}

/// Hoare's. Where the second part begins; neither is empty, for at least two of the three elements that
/// the pivot is chosen from are not smaller than it, and two not greater.
fn partition(elements: &mut [Element]) -> usize {
    let n = elements.len();
    let pivot = median(elements[0], elements[n / 2], elements[n - 1]);
    let first = elements.as_mut_ptr();
    // SAFETY: neither search leaves the elements: an element that stops it is there at first, and after
    // each swap on the other side of what was swapped.
    unsafe {
        let mut low = first;
        let mut high = first.add(n - 1);
        loop {
            while *low < pivot {
                low = low.add(1);
            }
            while pivot < *high {
                high = high.sub(1);
            }
            if low >= high {
                return high.offset_from(first) as usize + 1;
            }
            std::ptr::swap(low, high);
            low = low.add(1);
            high = high.sub(1);
        }
    }
}

/// Merges two sorted runs.
pub fn merge_serially(a: &[Element], b: &[Element], out: &mut [Element]) {
    assert!(out.len() == a.len() + b.len());
    // SAFETY: each element goes to a place of its own, and there are as many places.
    unsafe {
        let (mut left, mut right, mut place) = (a.as_ptr(), b.as_ptr(), out.as_mut_ptr());
        let (end_of_left, end_of_right) = (left.add(a.len()), right.add(b.len()));
        while left != end_of_left && right != end_of_right {
            // No branch: which of the two it is cannot be predicted.
            let from_right = *right < *left;
            *place = if from_right { *right } else { *left };
            right = right.add(usize::from(from_right));
            left = left.add(usize::from(!from_right));
            place = place.add(1);
        }
        let of_left = end_of_left.offset_from(left) as usize;
        std::ptr::copy_nonoverlapping(left, place, of_left);
        let of_right = end_of_right.offset_from(right) as usize;
        std::ptr::copy_nonoverlapping(right, place.add(of_left), of_right);
    }
}
