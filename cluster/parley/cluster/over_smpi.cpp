// Ranks in virtual time: SimGrid's SMPI. Takes the place of over_mpi.cpp.
#include <parley/cluster/mpi.hpp>
#include <parley/cluster/mpi_medium.hpp>

#include <smpi/smpi.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace parley::inline v0::cluster {
namespace {

constexpr double flops_of_second = 1e9;  // of a host of 1 Gf
constexpr std::size_t piece = std::size_t{1} << 26;

// Ranks are numbered as they lie.
MPI_Comm duplicate(MPI_Comm comm) {
    MPI_Comm own = MPI_COMM_NULL;
    MPI_Comm_dup(comm, &own);
    return own;
}

class simulated_mpi final : public mpi_medium {
public:
    explicit simulated_mpi(MPI_Comm comm) : mpi_medium(duplicate(comm)) {}
    ~simulated_mpi() override {
        // MPI_Cancel() throws there: messages to itself end the receives.
        for (std::size_t i = 0; i < boxes; ++i) MPI_Send(incoming_[i].data(), 0, MPI_BYTE, self_, tag_header, comm_);
        MPI_Waitall(static_cast<int>(boxes), headers_.data(), MPI_STATUSES_IGNORE);
        finish_sending();  // out of the padding
        if (padding_ != nullptr) SMPI_SHARED_FREE(padding_);
    }

    // Waits: nothing else happens on this rank, and a simulator would look for ever.
    void pause(unsigned) override {
        requests all{headers_[next_]};
        for (const arrival& a : arriving_) all.insert(all.end(), a.parts.begin(), a.parts.end());
        int index = 0;
        MPI_Waitany(static_cast<int>(all.size()), all.data(), &index, &status_);
        // What it has made of the requests.
        auto next = all.begin();
        has_letter_ = *next == MPI_REQUEST_NULL;
        headers_[next_] = *next++;
        for (arrival& a : arriving_)
            for (MPI_Request& r : a.parts) r = *next++;
    }
    [[nodiscard]] double now() override { return MPI_Wtime(); }
    void compute(double seconds) override { smpi_execute_flops(seconds * flops_of_second); }
    // A thread that calls MPI there crashes.
    [[nodiscard]] bool serves_any_thread() const override { return false; }

private:
    void send_padding(std::size_t size, int to, requests& all) override {
        pad(size, all, [&](int n, MPI_Request* r) { MPI_Isend(padding_, n, MPI_BYTE, to, tag_padding, comm_, r); });
    }
    void receive_padding(std::size_t size, int from, requests& all) override {
        pad(size, all, [&](int n, MPI_Request* r) { MPI_Irecv(padding_, n, MPI_BYTE, from, tag_padding, comm_, r); });
    }
    // Memory that the simulator does not copy, and all ranks share.
    template <class Post>
    void pad(std::size_t size, requests& all, Post post) {
        if (size != 0 && padding_ == nullptr) padding_ = static_cast<std::byte*>(SMPI_SHARED_MALLOC(piece));
        for (; size > 0; size -= std::min(size, piece)) {
            all.push_back(MPI_REQUEST_NULL);
            post(static_cast<int>(std::min(size, piece)), &all.back());
        }
    }
    std::byte* padding_ = nullptr;
};

}  // namespace

std::unique_ptr<medium> over_mpi(MPI_Comm comm) { return std::make_unique<simulated_mpi>(comm); }

}  // namespace parley::inline v0::cluster
