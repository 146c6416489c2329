#include "tests/house/standard_names.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

namespace house {

namespace {

struct header {
    std::string_view name;
    std::string_view has;
};

// The names we use and their neighbours. Where the standard has a name in several headers (string_view's of <string>,
// size_t's of <cstdio>), this is the one that is named after it, or the smallest.
constexpr header headers[] = {
    {"<algorithm>",
     "adjacent_find all_of any_of binary_search clamp copy copy_if copy_n count count_if equal fill fill_n find find_if "
     "find_if_not for_each for_each_n generate is_heap is_partitioned is_permutation is_sorted is_sorted_until iter_swap "
     "lexicographical_compare lower_bound make_heap max max_element merge min min_element minmax minmax_element mismatch "
     "next_permutation none_of nth_element partial_sort partition partition_point pop_heap push_heap remove_copy "
     "remove_if replace replace_if reverse rotate search set_difference set_intersection set_union shuffle sort "
     "sort_heap stable_partition stable_sort swap_ranges transform unique upper_bound"},
    {"<any>", "any any_cast make_any"},
    {"<array>", "array to_array"},
    {"<atomic>",
     "atomic atomic_flag atomic_ref atomic_signal_fence atomic_thread_fence memory_order memory_order_acq_rel "
     "memory_order_acquire memory_order_relaxed memory_order_release memory_order_seq_cst"},
    {"<barrier>", "barrier"},
    {"<bit>",
     "bit_cast bit_ceil bit_floor bit_width countl_one countl_zero countr_one countr_zero endian has_single_bit popcount "
     "rotl rotr"},
    {"<bitset>", "bitset"},
    {"<cctype>", "isalnum isalpha isdigit isspace isxdigit tolower toupper"},
    {"<cfenv>", "fegetround fesetround"},
    {"<charconv>", "chars_format from_chars to_chars"},
    {"<chrono>", "chrono:: chrono_literals"},
    {"<clocale>", "setlocale"},
    {"<cmath>",
     "cbrt ceil cos erf exp floor fmod hypot isfinite isinf isnan lerp llround log log10 log2 lround nan nextafter pow "
     "round sin sqrt tan trunc"},
    {"<compare>", "partial_ordering strong_ordering weak_ordering is_eq is_gt is_gteq is_lt is_lteq is_neq"},
    {"<complex>", "complex norm"},
    {"<concepts>",
     "assignable_from common_with constructible_from convertible_to copy_constructible copyable default_initializable "
     "derived_from destructible equality_comparable floating_point integral invocable move_constructible movable "
     "predicate regular regular_invocable relation same_as semiregular signed_integral strict_weak_order swappable "
     "totally_ordered unsigned_integral"},
    {"<condition_variable>", "condition_variable condition_variable_any cv_status"},
    {"<coroutine>", "coroutine_handle noop_coroutine suspend_always suspend_never"},
    {"<csignal>", "raise sig_atomic_t signal"},
    {"<cstdarg>", "va_list"},
    {"<cstddef>", "byte max_align_t nullptr_t ptrdiff_t size_t to_integer"},
    {"<cstdint>", "int8_t int16_t int32_t int64_t intmax_t intptr_t uint8_t uint16_t uint32_t uint64_t uintmax_t uintptr_t"},
    {"<cstdio>",
     "FILE fclose ferror fflush fopen fprintf fputs fread freopen fscanf fwrite perror printf putchar puts rename rewind "
     "snprintf sscanf tmpfile vsnprintf"},
    {"<cstdlib>",
     "_Exit abort aligned_alloc atexit atoi calloc exit free getenv malloc quick_exit realloc strtod strtol strtoll "
     "strtoul strtoull system"},
    {"<cstring>", "memchr memcmp memcpy memmove memset strchr strcmp strerror strlen strncmp strncpy strsignal strstr"},
    {"<deque>", "deque"},
    {"<exception>",
     "current_exception exception exception_ptr make_exception_ptr nested_exception rethrow_exception set_terminate "
     "terminate throw_with_nested uncaught_exceptions"},
    {"<execution>", "execution::"},
    {"<filesystem>", "filesystem::"},
    {"<forward_list>", "forward_list"},
    {"<fstream>", "fstream ifstream ofstream"},
    {"<functional>",
     "bind bit_and bit_or bit_xor cref divides equal_to function greater greater_equal identity invoke less less_equal "
     "logical_and logical_or mem_fn minus multiplies not_equal_to not_fn plus ref reference_wrapper"},
    {"<future>", "async future future_status launch packaged_task promise shared_future"},
    {"<generator>", "generator"},
    {"<initializer_list>", "initializer_list"},
    {"<iomanip>", "put_time quoted setfill setprecision setw"},
    {"<ios>", "ios"},
    {"<iostream>", "cerr cin clog cout"},
    {"<iterator>",
     "advance back_inserter bidirectional_iterator bidirectional_iterator_tag contiguous_iterator "
     "contiguous_iterator_tag default_sentinel default_sentinel_t distance forward_iterator forward_iterator_tag "
     "indirectly_readable indirectly_writable input_iterator input_iterator_tag inserter istream_iterator "
     "istreambuf_iterator iter_difference_t iter_reference_t iter_rvalue_reference_t iter_value_t iterator_traits "
     "make_move_iterator move_iterator next output_iterator prev random_access_iterator random_access_iterator_tag "
     "reverse_iterator sentinel_for sized_sentinel_for sortable"},
    {"<latch>", "latch"},
    {"<limits>", "numeric_limits"},
    {"<list>", "list"},
    {"<map>", "map multimap"},
    {"<memory>",
     "addressof align allocator allocator_traits assume_aligned construct_at default_delete destroy destroy_at destroy_n "
     "enable_shared_from_this make_shared make_unique make_unique_for_overwrite pointer_traits shared_ptr to_address "
     "uninitialized_copy uninitialized_default_construct uninitialized_fill uninitialized_move "
     "uninitialized_value_construct unique_ptr weak_ptr"},
    {"<mutex>",
     "adopt_lock call_once defer_lock lock_guard mutex once_flag recursive_mutex scoped_lock timed_mutex try_to_lock "
     "unique_lock"},
    {"<new>",
     "align_val_t bad_alloc get_new_handler hardware_destructive_interference_size launder nothrow nothrow_t "
     "set_new_handler"},
    {"<numbers>", "numbers::"},
    {"<numeric>",
     "accumulate exclusive_scan gcd inclusive_scan inner_product iota lcm midpoint partial_sum reduce "
     "transform_exclusive_scan transform_inclusive_scan transform_reduce"},
    {"<optional>", "make_optional nullopt nullopt_t optional"},
    {"<ostream>", "endl ostream"},
    {"<queue>", "priority_queue queue"},
    {"<random>",
     "bernoulli_distribution discrete_distribution exponential_distribution minstd_rand mt19937 mt19937_64 "
     "normal_distribution random_device uniform_int_distribution uniform_real_distribution"},
    {"<ranges>", "ranges:: views::"},
    {"<ratio>", "micro milli nano ratio"},
    {"<regex>", "regex regex_match regex_replace regex_search smatch sregex_iterator"},
    {"<semaphore>", "binary_semaphore counting_semaphore"},
    {"<set>", "multiset set"},
    {"<shared_mutex>", "shared_lock shared_mutex"},
    {"<source_location>", "source_location"},
    {"<span>", "as_bytes as_writable_bytes dynamic_extent span"},
    {"<sstream>", "istringstream ostringstream stringstream"},
    {"<stdexcept>",
     "domain_error invalid_argument length_error logic_error out_of_range overflow_error range_error runtime_error "
     "underflow_error"},
    {"<stop_token>", "nostopstate stop_callback stop_source stop_token"},
    {"<string>", "basic_string char_traits getline stod stoi stol stoll stoul stoull string to_string"},
    {"<string_view>", "basic_string_view string_view"},
    {"<system_error>",
     "errc error_category error_code error_condition generic_category make_error_code system_category system_error"},
    {"<thread>", "jthread this_thread:: thread"},
    {"<tuple>", "apply forward_as_tuple ignore make_from_tuple make_tuple tie tuple tuple_cat"},
    {"<type_traits>",
     "add_const_t add_pointer_t bool_constant common_type common_type_t conditional_t decay_t enable_if_t false_type "
     "integral_constant invoke_result invoke_result_t is_* make_signed_t make_unsigned_t remove_const_t remove_cv_t "
     "remove_cvref_t remove_pointer_t remove_reference_t true_type type_identity type_identity_t underlying_type_t void_t"},
    {"<typeindex>", "type_index"},
    {"<typeinfo>", "bad_cast type_info"},
    {"<unordered_map>", "unordered_map"},
    {"<unordered_set>", "unordered_set"},
    {"<utility>",
     "as_const cmp_equal cmp_greater cmp_less cmp_less_equal declval exchange forward in_place in_place_index in_place_t "
     "in_place_type index_sequence index_sequence_for integer_sequence make_index_sequence make_integer_sequence "
     "make_pair move move_if_noexcept pair piecewise_construct swap unreachable"},
    {"<valarray>", "valarray"},
    {"<variant>",
     "bad_variant_access get_if holds_alternative monostate variant variant_alternative_t variant_size_v visit"},
    {"<vector>", "vector"},
};

using names = std::map<std::string, std::string_view, std::less<>>;

const names& all() {
    static const names table = [] {
        names found;
        for (const header& h : headers) {
            std::istringstream has{std::string(h.has)};
            for (std::string name; has >> name;) {
                found.emplace(name, h.name);
            }
        }
        return found;
    }();
    return table;
}

}  // namespace

std::string_view header_of(std::string_view name) {
    if (const auto exact = all().find(name); exact != all().end()) {
        return exact->second;
    }
    if (const std::size_t nested = name.find("::"); nested != std::string_view::npos) {
        // Algorithms over ranges are where the others are.
        if (name.starts_with("ranges::")) {
            const std::string_view header = header_of(name.substr(nested + 2));
            if (header == "<algorithm>" || header == "<numeric>") {
                return header;
            }
        }
        const auto space = all().find(name.substr(0, nested + 2));
        return space == all().end() ? std::string_view() : space->second;
    }
    return name.starts_with("is_") ? header_of("is_*") : std::string_view();
}

}  // namespace house
