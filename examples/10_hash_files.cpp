// Read | process | write: the CRC-32 of every file below a folder. One thread at a time reads, all workers add up what
// was read, and sums are written in the order of the files, while a bar shows how far it is.
//
//   10_hash_files FOLDER     sum, bytes and name of each file; status 1 if some cannot be read, 2 without a folder
//   10_hash_files            tries it on a folder that it makes
//
// Files travel in pieces, so that a single large one keeps all workers busy, too, and no more of them is in memory
// than there are tokens.
#include <parley/farm.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <ios>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace fs = std::filesystem;

// CRC-32 as in zip and PNG: a polynomial over bits, the highest power in the lowest bit, modulo this one.
constexpr std::uint32_t modulus = 0xEDB88320;

constexpr std::array<std::uint32_t, 256> remainders = [] {
    std::array<std::uint32_t, 256> all{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        all[byte] = byte;
        for (int bit = 0; bit < 8; ++bit) all[byte] = all[byte] >> 1 ^ (all[byte] & 1 ? modulus : 0);
    }
    return all;
}();

std::uint32_t crc_of(const std::vector<char>& bytes) {
    std::uint32_t crc = 0xFFFFFFFF;
    for (const char c : bytes) crc = crc >> 8 ^ remainders[(crc ^ static_cast<unsigned char>(c)) & 0xFF];
    return ~crc;
}

std::uint32_t product(std::uint32_t a, std::uint32_t b) {
    std::uint32_t sum = 0;
    for (std::uint32_t power = 0x80000000; power != 0; power >>= 1) {
        if (a & power) sum ^= b;
        b = b >> 1 ^ (b & 1 ? modulus : 0);
    }
    return sum;
}

// The sum of two pieces in a row: the first one, moved up by the second one's length, and the second one.
std::uint32_t joined(std::uint32_t first, std::uint32_t second, std::uint64_t length_of_second) {
    std::uint32_t shift = 0x80000000, square = 0x00800000;  // 1 and x^8
    for (std::uint64_t n = length_of_second; n != 0; n >>= 1, square = product(square, square))
        if (n & 1) shift = product(shift, square);
    return product(shift, first) ^ second;
}

struct piece {
    std::vector<char> bytes;
    bool is_last = false, is_readable = true;
};

struct piece_sum {
    std::uint32_t crc = 0;
    std::uint64_t length = 0;
    bool is_last = false, is_readable = true;
};

// Reads one file after the other. Asked for the next piece by one thread at a time.
class reader {
public:
    static constexpr std::size_t piece_size = 1 << 20;

    explicit reader(const std::vector<fs::path>& files) : files_(files) {}

    std::optional<piece> operator()() {
        if (at_ == files_.size()) return std::nullopt;
        if (!file_.is_open()) file_.open(files_[at_], std::ios::binary);
        piece next{.bytes = std::vector<char>(piece_size)};
        file_.read(next.bytes.data(), piece_size);
        next.bytes.resize(static_cast<std::size_t>(file_.gcount()));
        next.is_readable = file_.is_open() && !file_.bad();
        if (!file_ || file_.peek() == std::ifstream::traits_type::eof()) {
            next.is_last = true;
            file_ = std::ifstream();
            ++at_;
        }
        return next;
    }

private:
    const std::vector<fs::path>& files_;
    std::size_t at_ = 0;
    std::ifstream file_;
};

// Drawn on stderr, if that is a terminal, once per percent.
class progress_bar {
public:
    explicit progress_bar(std::uint64_t all) : all_(std::max<std::uint64_t>(all, 1)), shown_(isatty(STDERR_FILENO) != 0) {}
    ~progress_bar() {
        if (shown_) std::fputs("\r\033[K", stderr);
    }
    progress_bar(const progress_bar&) = delete;
    progress_bar& operator=(const progress_bar&) = delete;

    void add(std::uint64_t bytes) {
        done_ += bytes;
        const int percent = static_cast<int>(std::min<std::uint64_t>(100, 100 * done_ / all_));
        if (!shown_ || percent == percent_) return;
        percent_ = percent;
        const std::string bar(static_cast<std::size_t>(percent) / 2, '#');
        std::fprintf(stderr, "\r[%-50s] %3d%% of %.1f MB", bar.c_str(), percent, static_cast<double>(all_) / 1e6);
    }

private:
    std::uint64_t all_, done_ = 0;
    int percent_ = -1;
    bool shown_;
};

// All regular files below the folder, by name.
std::vector<fs::path> files_below(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry :
         fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

using result = std::function<void(const fs::path&, std::uint32_t crc, std::uint64_t bytes)>;

// Returns how many files could not be read.
int sum_files(const fs::path& folder, const result& show) {
    using namespace parley;
    const std::vector<fs::path> files = files_below(folder);
    std::uint64_t all = 0;
    std::error_code gone;
    for (const fs::path& file : files)
        if (const auto size = fs::file_size(file, gone); !gone) all += size;

    int unreadable = 0;
    std::size_t file = 0;
    piece_sum so_far;
    progress_bar bar(all);
    (source(reader(files)) | farm([](const piece& p) {
         return piece_sum{crc_of(p.bytes), p.bytes.size(), p.is_last, p.is_readable};
     }) |
     sink([&](const piece_sum& next) {
         so_far.crc = joined(so_far.crc, next.crc, next.length);
         so_far.length += next.length;
         bar.add(next.length);
         if (!next.is_last) return;
         if (next.is_readable) {
             show(files[file], so_far.crc, so_far.length);
         } else {
             std::fprintf(stderr, "10_hash_files: cannot read %s\n", files[file].c_str());
             ++unreadable;
         }
         ++file;
         so_far = {};
     }))
        .run({.tokens = 32});
    return unreadable;
}

// Files with sums that are known: the second one is in several pieces.
int try_it() {
    const fs::path folder = fs::temp_directory_path() / ("parley-hash-files-" + std::to_string(getpid()));
    fs::create_directories(folder / "below");
    std::ofstream(folder / "a", std::ios::binary) << "123456789";
    std::ofstream(folder / "below" / "b", std::ios::binary) << std::string(10 * reader::piece_size + 1, '\0');
    std::ofstream(folder / "c", std::ios::binary);
    std::string sums;
    const int unreadable = sum_files(folder, [&](const fs::path& file, std::uint32_t crc, std::uint64_t bytes) {
        std::array<char, 64> line{};
        std::snprintf(line.data(), line.size(), "%08x %llu ", crc, static_cast<unsigned long long>(bytes));
        sums += line.data() + file.filename().string() + '\n';
    });
    fs::remove_all(folder);
    std::fputs(sums.c_str(), stdout);
    return unreadable == 0 && sums == "cbf43926 9 a\n404eab3c 10485761 b\n00000000 0 c\n" ? 0 : 1;
}

int main(int argc, char** argv) {
    if (argc < 2) return try_it();
    try {
        const int unreadable = sum_files(argv[1], [](const fs::path& file, std::uint32_t crc, std::uint64_t bytes) {
            std::printf("%08x %llu %s\n", crc, static_cast<unsigned long long>(bytes), file.c_str());
        });
        if (std::fflush(stdout) != 0) throw std::runtime_error("cannot write to standard output");
        return unreadable == 0 ? 0 : 1;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "10_hash_files: %s\n", e.what());
        return 2;
    }
}
