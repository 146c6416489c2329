// How alike are these sequences, each with each? Pairs take very different times, since the sequences differ in length:
// the work of a pair is the product of both lengths. A loop over the first one, and inside it a loop over the second.
#include <parley/parley.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

constexpr int same = 1, different = -1, gap = -1;

// The greatest score of a global alignment (Needleman, Wunsch 1970): row by row, of which only the last is kept.
int score(const std::string& a, const std::string& b) {
    std::vector<int> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = gap * static_cast<int>(j);
    for (const char letter : a) {
        int diagonal = row[0];
        row[0] += gap;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int both = diagonal + (letter == b[j - 1] ? same : different);
            diagonal = row[j];
            row[j] = std::max({both, row[j] + gap, row[j - 1] + gap});
        }
    }
    return row.back();
}

// Proteins are written in 20 letters. Lengths are between 20 and 200.
std::vector<std::string> some_sequences(std::size_t count) {
    std::mt19937 random(1);
    std::vector<std::string> sequences(count);
    for (std::string& s : sequences) {
        s.resize(20 + random() % 181);
        for (char& letter : s) letter = "ACDEFGHIKLMNPQRSTVWY"[random() % 20];
    }
    return sequences;
}

int main() {
    const std::vector<std::string> sequences = some_sequences(40);
    const std::size_t n = sequences.size();
    std::vector<int> scores(n * n);

    parley::for_each_index(0, n, [&](std::size_t i) {
        parley::for_each_index(i + 1, n, [&](std::size_t j) { scores[i * n + j] = score(sequences[i], sequences[j]); });
    });

    int wrong = 0, best = gap * 200;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) {
            wrong += scores[i * n + j] != score(sequences[i], sequences[j]);
            best = std::max(best, scores[i * n + j]);
        }
    const int known = score("GCATGCG", "GATTACA");
    std::printf("%zu pairs, best score %d, %d wrong; GCATGCG and GATTACA: %d\n", n * (n - 1) / 2, best, wrong, known);
    return wrong == 0 && known == 0 ? 0 : 1;
}
