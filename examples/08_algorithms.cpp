// The standard's algorithms, in parallel where somebody has time: a text's words measured, placed and sorted.
#include <parley/parley.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

// A text of words that are not all the same.
std::vector<std::string> some_words(std::size_t count) {
    std::vector<std::string> words(count);
    unsigned state = 1;
    for (std::string& word : words) {
        state = state * 1'664'525 + 1'013'904'223;
        word.assign(1 + state / 65'536 % 7, static_cast<char>('a' + state / 16'777'216 % 5));
    }
    return words;
}

int main() {
    std::vector<std::string> words = some_words(100'000);

    std::vector<std::size_t> lengths(words.size()), begins(words.size());
    parley::transform(words.begin(), words.end(), lengths.begin(), [](const std::string& w) { return w.size(); });
    const std::size_t letters = parley::reduce(lengths.begin(), lengths.end());
    parley::exclusive_scan(lengths.begin(), lengths.end(), begins.begin(), std::size_t{0});
    const auto longest = parley::max_element(lengths.begin(), lengths.end());
    parley::stable_sort(words.begin(), words.end());

    // Where a word begins and how long it is: where the last one ends is how many letters there are.
    const bool right = begins.back() + lengths.back() == letters && *longest == 7 &&
                       std::is_sorted(words.begin(), words.end());
    std::printf("%zu letters, the longest word has %zu, the first word is %s\n", letters, *longest,
                words.front().c_str());

    // The first word that is not like the one before: everything left of it has been looked at.
    const auto other = parley::find_if(words.begin(), words.end(),
                                       [&](const std::string& w) { return w != words.front(); });
    std::printf("%td times %s\n", other - words.begin(), words.front().c_str());
    return right && other != words.end() ? 0 : 1;
}
