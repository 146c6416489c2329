// Two-sided, with some receives posted for headers. One-sided communication needs a target that calls MPI, or crashes
// (open-mpi issues 7027, 7967, 9146), and MPI_Probe is slow in simulation.
#include <parley/cluster/errors.hpp>
#include <parley/cluster/mpi.hpp>

#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <list>
#include <thread>
#include <utility>
#include <vector>

#ifdef PARLEY_SMPI
#include <smpi/smpi.h>
#endif

namespace parley::inline v0::cluster {
namespace {

constexpr int tag_header = 1;
constexpr int tag_payload = 2;
#ifdef PARLEY_SMPI
constexpr int tag_padding = 3;
#endif
constexpr std::size_t letter_size = 512;                     // header and a short payload in one message
constexpr std::size_t largest_piece = std::size_t{1} << 30;  // MPI counts in int
// Receives that wait for a letter each. MPI fills them in the order of their posting. With one, a look in simulation
// finds one letter at most, for the next one's receive has only just been posted.
constexpr std::size_t boxes = 16;
constexpr unsigned rounds_awake = 64;
constexpr std::chrono::microseconds nap{50};

using letter = std::array<std::byte, letter_size>;

// Posts sends or receives for all pieces of a payload.
template <class Post>
void in_pieces(bytes& payload, std::vector<MPI_Request>& requests, Post post) {
    for (std::size_t at = 0; at < payload.size(); at += largest_piece) {
        const auto size = static_cast<int>(std::min(largest_piece, payload.size() - at));
        requests.push_back(MPI_REQUEST_NULL);
        post(payload.data() + at, size, &requests.back());
    }
}

bool all_done(std::vector<MPI_Request>& requests) {
    int done = 1;
    if (!requests.empty())
        MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    return done != 0;
}

class mpi_medium final : public medium {
public:
    explicit mpi_medium(MPI_Comm comm) {
        int is_up = 0;
        MPI_Initialized(&is_up);
        if (is_up == 0) throw usage_error("parley: MPI_Init_thread() comes before a cluster");
        MPI_Query_thread(&level_);
        duplicate(comm);
        MPI_Comm_rank(comm_, &self_);
        MPI_Comm_size(comm_, &ranks_);
        for (std::size_t i = 0; i < boxes; ++i) post(i);
    }
    ~mpi_medium() override {
#ifdef PARLEY_SMPI
        // MPI_Cancel() throws there: messages to itself end the receives.
        for (std::size_t i = 0; i < boxes; ++i) MPI_Send(incoming_[i].data(), 0, MPI_BYTE, self_, tag_header, comm_);
#else
        for (MPI_Request& r : headers_) MPI_Cancel(&r);
#endif
        MPI_Waitall(static_cast<int>(boxes), headers_.data(), MPI_STATUSES_IGNORE);
        for (parcel& p : sent_) MPI_Waitall(static_cast<int>(p.requests.size()), p.requests.data(), MPI_STATUSES_IGNORE);
#ifdef PARLEY_SMPI
        if (padding_ != nullptr) SMPI_SHARED_FREE(padding_);
#endif
        MPI_Comm_free(&comm_);
    }

    [[nodiscard]] position self() const override { return static_cast<position>(self_); }
    [[nodiscard]] position ranks() const override { return static_cast<position>(ranks_); }

    void send(position to, const header& h, bytes payload) override {
        parcel& p = sent_.emplace_back();
        const auto target = static_cast<int>(to);
        std::memcpy(p.head.data(), &h, sizeof(h));
        const bool is_short = payload.size() <= letter_size - sizeof(h);
        if (is_short && !payload.empty()) std::memcpy(p.head.data() + sizeof(h), payload.data(), payload.size());
        const auto size = static_cast<int>(sizeof(h) + (is_short ? payload.size() : 0));
        p.requests.push_back(MPI_REQUEST_NULL);
        MPI_Isend(p.head.data(), size, MPI_BYTE, target, tag_header, comm_, &p.requests.back());
#ifdef PARLEY_SMPI
        pad(h.padding, p.requests, [&](std::byte* at, int n, MPI_Request* r) {
            MPI_Isend(at, n, MPI_BYTE, target, tag_padding, comm_, r);
        });
#endif
        if (is_short) return;
        p.payload = std::move(payload);
        in_pieces(p.payload, p.requests, [&](std::byte* at, int n, MPI_Request* r) {
            MPI_Isend(at, n, MPI_BYTE, target, tag_payload, comm_, r);
        });
    }

    bool receive(header& h, bytes& payload) override {
        std::erase_if(sent_, [](parcel& p) { return all_done(p.requests); });
        accept();
        // Those of one rank in the order of their sending: what waits for its payload holds back what came later.
        std::vector<position> waiting;
        for (auto p = arriving_.begin(); p != arriving_.end(); ++p) {
            if (std::ranges::find(waiting, p->h.from) != waiting.end()) continue;
            if (!all_done(p->requests)) {
                waiting.push_back(p->h.from);
                continue;
            }
            h = p->h;
            payload = std::move(p->payload);
            arriving_.erase(p);
            return true;
        }
        return false;
    }

    void pause(unsigned round) override {
#ifdef PARLEY_SMPI
        static_cast<void>(round);
        // Nothing else happens on this rank: a simulator would look for ever.
        std::vector<MPI_Request> all{headers_[next_]};
        for (const arrival& a : arriving_) all.insert(all.end(), a.requests.begin(), a.requests.end());
        int index = 0;
        MPI_Waitany(static_cast<int>(all.size()), all.data(), &index, &status_);
        adopt(all);
#else
        if (round < rounds_awake) std::this_thread::yield();
        else std::this_thread::sleep_for(nap);
#endif
    }

    [[nodiscard]] double now() override {
#ifdef PARLEY_SMPI
        return MPI_Wtime();
#else
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
#endif
    }
    void compute(double seconds) override {
#ifdef PARLEY_SMPI
        smpi_execute_flops(seconds * 1e9);  // of a host of 1 Gf
#else
        const double end = now() + seconds;
        while (now() < end) {
        }
#endif
    }

    [[nodiscard]] bool serves_any_thread() const override {
#ifdef PARLEY_SMPI
        return false;
#else
        return level_ >= MPI_THREAD_SERIALIZED;
#endif
    }

    [[nodiscard]] bool serves_any_time() const override { return serves_any_thread() && level_ == MPI_THREAD_MULTIPLE; }

    bool all_say(std::uint64_t word) override {
        std::array<std::uint64_t, 2> mine{word, ~word};
        std::array<std::uint64_t, 2> least{};
        MPI_Allreduce(mine.data(), least.data(), 2, MPI_UINT64_T, MPI_MIN, comm_);
        return least[0] == ~least[1];
    }

    void give_up(const std::string& why) override {
        std::fprintf(stderr, "%s (rank %d of %d)\n", why.c_str(), self_, ranks_);
        MPI_Abort(comm_, 1);
    }

private:
    struct parcel {  // on its way out
        letter head{};
        bytes payload;
        std::vector<MPI_Request> requests;
    };
    struct arrival {
        header h;
        bytes payload;
        std::vector<MPI_Request> requests;
    };

    // Ranks of one host side by side, on a host by the first processor that each may use.
    void duplicate(MPI_Comm comm) {
#ifdef PARLEY_SMPI
        MPI_Comm_dup(comm, &comm_);  // ranks are numbered as they lie
#else
        int rank = 0;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm host = MPI_COMM_NULL;
        MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
        int first = rank;
        MPI_Allreduce(&rank, &first, 1, MPI_INT, MPI_MIN, host);
        MPI_Comm_free(&host);
        cpu_set_t may_use;
        std::size_t processor = 0;
        if (sched_getaffinity(0, sizeof(may_use), &may_use) == 0)
            while (processor < CPU_SETSIZE && !CPU_ISSET(processor, &may_use)) ++processor;
        MPI_Comm by_processor = MPI_COMM_NULL;
        MPI_Comm_split(comm, 0, static_cast<int>(processor), &by_processor);
        MPI_Comm_split(by_processor, 0, first, &comm_);  // ties stay in order
        MPI_Comm_free(&by_processor);
#endif
    }

    void post(std::size_t box) {
        MPI_Irecv(incoming_[box].data(), static_cast<int>(letter_size), MPI_BYTE, MPI_ANY_SOURCE, tag_header, comm_,
                  &headers_[box]);
    }

    void accept() {
        for (;;) {
            int has_come = has_letter_ ? 1 : 0;
            if (!std::exchange(has_letter_, false)) MPI_Test(&headers_[next_], &has_come, &status_);
            if (has_come == 0) return;
            open_letter(incoming_[next_]);
            post(next_);
            next_ = (next_ + 1) % boxes;
        }
    }
    void open_letter(const letter& from) {
        int size = 0;
        MPI_Get_count(&status_, MPI_BYTE, &size);
        const auto length = static_cast<std::size_t>(size);
        if (length < sizeof(header)) throw malformed("parley: a message between ranks is too short");
        arrival& a = arriving_.emplace_back();
        std::memcpy(&a.h, from.data(), sizeof(header));
        a.h.from = static_cast<position>(status_.MPI_SOURCE);
        if (a.h.mark != protocol_mark || a.h.version != protocol_version)
            throw disagreement("parley: another rank speaks another version of the protocol");
#ifdef PARLEY_SMPI
        pad(a.h.padding, a.requests, [&](std::byte* at, int n, MPI_Request* r) {
            MPI_Irecv(at, n, MPI_BYTE, status_.MPI_SOURCE, tag_padding, comm_, r);
        });
#endif
        a.payload.resize(a.h.size);
        if (a.h.size <= letter_size - sizeof(header)) {
            if (length != sizeof(header) + a.h.size) throw malformed("parley: a message between ranks has a wrong size");
            if (a.h.size != 0) std::memcpy(a.payload.data(), from.data() + sizeof(header), a.h.size);
            return;
        }
        in_pieces(a.payload, a.requests, [&](std::byte* at, int n, MPI_Request* r) {
            MPI_Irecv(at, n, MPI_BYTE, status_.MPI_SOURCE, tag_payload, comm_, r);
        });
    }
#ifdef PARLEY_SMPI
    // Memory that the simulator does not copy, and all ranks share.
    template <class Post>
    void pad(std::size_t size, std::vector<MPI_Request>& requests, Post post) {
        constexpr std::size_t piece = std::size_t{1} << 26;
        if (size != 0 && padding_ == nullptr) padding_ = static_cast<std::byte*>(SMPI_SHARED_MALLOC(piece));
        for (; size > 0; size -= std::min(size, piece)) {
            requests.push_back(MPI_REQUEST_NULL);
            post(padding_, static_cast<int>(std::min(size, piece)), &requests.back());
        }
    }
    std::byte* padding_ = nullptr;

    // What MPI_Waitany() has made of the requests.
    void adopt(const std::vector<MPI_Request>& all) {
        auto next = all.begin();
        has_letter_ = *next == MPI_REQUEST_NULL;
        headers_[next_] = *next++;
        for (arrival& a : arriving_)
            for (MPI_Request& r : a.requests) r = *next++;
    }
#endif

    MPI_Comm comm_ = MPI_COMM_NULL;
    int level_ = MPI_THREAD_SINGLE;
    int self_ = 0;
    int ranks_ = 1;
    std::array<letter, boxes> incoming_{};
    std::array<MPI_Request, boxes> headers_{};
    std::size_t next_ = 0;     // the box that is filled next
    bool has_letter_ = false;  // it has been filled, and not opened yet
    MPI_Status status_{};
    std::list<parcel> sent_;  // they do not move
    std::deque<arrival> arriving_;
};

}  // namespace

std::unique_ptr<medium> over_mpi(MPI_Comm comm) { return std::make_unique<mpi_medium>(comm); }

}  // namespace parley::inline v0::cluster
