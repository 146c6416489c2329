#include <parley/cluster/errors.hpp>
#include <parley/cluster/mpi_medium.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace parley::inline v0::cluster {
namespace {

bool all_done(std::vector<MPI_Request>& requests) {
    int done = 1;
    if (!requests.empty()) MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    return done != 0;
}

}  // namespace

mpi_medium::mpi_medium(MPI_Comm own) : comm_(own) {
    MPI_Comm_rank(comm_, &self_);
    MPI_Comm_size(comm_, &ranks_);
    for (std::size_t i = 0; i < boxes; ++i) post(i);
}

mpi_medium::~mpi_medium() {
    finish_sending();
    MPI_Comm_free(&comm_);
}

void mpi_medium::finish_sending() {
    for (parcel& p : sent_) MPI_Waitall(static_cast<int>(p.parts.size()), p.parts.data(), MPI_STATUSES_IGNORE);
    sent_.clear();
}

void mpi_medium::send(position to, const header& h, bytes payload) {
    parcel& p = sent_.emplace_back();
    const auto target = static_cast<int>(to);
    std::memcpy(p.head.data(), &h, sizeof(h));
    const bool is_short = payload.size() <= letter_size - sizeof(h);
    if (is_short && !payload.empty()) std::memcpy(p.head.data() + sizeof(h), payload.data(), payload.size());
    const auto size = static_cast<int>(sizeof(h) + (is_short ? payload.size() : 0));
    p.parts.push_back(MPI_REQUEST_NULL);
    MPI_Isend(p.head.data(), size, MPI_BYTE, target, tag_header, comm_, &p.parts.back());
    send_padding(h.padding, target, p.parts);
    if (is_short) return;
    p.payload = std::move(payload);
    in_pieces(p.payload.data(), p.payload.size(), p.parts,
              [&](std::byte* at, int n, MPI_Request* r) { MPI_Isend(at, n, MPI_BYTE, target, tag_payload, comm_, r); });
}

bool mpi_medium::receive(header& h, bytes& payload) {
    std::erase_if(sent_, [](parcel& p) { return all_done(p.parts); });
    accept();
    // Those of one rank in the order of their sending: what waits for its payload holds back what came later.
    std::vector<position> waiting;
    for (auto p = arriving_.begin(); p != arriving_.end(); ++p) {
        if (std::ranges::find(waiting, p->h.from) != waiting.end()) continue;
        if (!all_done(p->parts)) {
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

bool mpi_medium::all_say(std::uint64_t word) {
    std::array<std::uint64_t, 2> mine{word, ~word};
    std::array<std::uint64_t, 2> least{};
    MPI_Allreduce(mine.data(), least.data(), 2, MPI_UINT64_T, MPI_MIN, comm_);
    return least[0] == ~least[1];
}

void mpi_medium::give_up(const std::string& why) {
    std::fprintf(stderr, "%s (rank %d of %d)\n", why.c_str(), self_, ranks_);
    MPI_Abort(comm_, 1);
}

void mpi_medium::post(std::size_t box) {
    MPI_Irecv(incoming_[box].data(), static_cast<int>(letter_size), MPI_BYTE, MPI_ANY_SOURCE, tag_header, comm_,
              &headers_[box]);
}

void mpi_medium::accept() {
    for (;;) {
        int has_come = has_letter_ ? 1 : 0;
        if (!std::exchange(has_letter_, false)) MPI_Test(&headers_[next_], &has_come, &status_);
        if (has_come == 0) return;
        open_letter(incoming_[next_]);
        post(next_);
        next_ = (next_ + 1) % boxes;
    }
}

void mpi_medium::open_letter(const letter& from) {
    int size = 0;
    MPI_Get_count(&status_, MPI_BYTE, &size);
    const auto length = static_cast<std::size_t>(size);
    if (length < sizeof(header)) throw malformed("parley: a message between ranks is too short");
    arrival& a = arriving_.emplace_back();
    std::memcpy(&a.h, from.data(), sizeof(header));
    a.h.from = static_cast<position>(status_.MPI_SOURCE);
    if (a.h.mark != protocol_mark || a.h.version != protocol_version)
        throw disagreement("parley: another rank speaks another version of the protocol");
    receive_padding(a.h.padding, status_.MPI_SOURCE, a.parts);
    a.payload.resize(a.h.size);
    if (a.h.size <= letter_size - sizeof(header)) {
        if (length != sizeof(header) + a.h.size) throw malformed("parley: a message between ranks has a wrong size");
        if (a.h.size != 0) std::memcpy(a.payload.data(), from.data() + sizeof(header), a.h.size);
        return;
    }
    in_pieces(a.payload.data(), a.payload.size(), a.parts, [&](std::byte* at, int n, MPI_Request* r) {
        MPI_Irecv(at, n, MPI_BYTE, status_.MPI_SOURCE, tag_payload, comm_, r);
    });
}

}  // namespace parley::inline v0::cluster
