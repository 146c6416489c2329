// What runs over any MPI: two-sided, with some receives posted for headers. One-sided communication needs a target that
// calls MPI, or crashes (open-mpi issues 7027, 7967, 9146), and MPI_Probe is slow in simulation.
//
// over_mpi.cpp adds what real processes do, over_smpi.cpp what SimGrid's simulated ones do.
#pragma once

#include <parley/cluster/medium.hpp>

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <vector>

namespace parley::inline v0::cluster {

class mpi_medium : public medium {
public:
    mpi_medium(const mpi_medium&) = delete;
    mpi_medium& operator=(const mpi_medium&) = delete;

    [[nodiscard]] position self() const final { return static_cast<position>(self_); }
    [[nodiscard]] position ranks() const final { return static_cast<position>(ranks_); }
    void send(position to, const header&, bytes payload) final;
    bool receive(header&, bytes& payload) final;
    bool all_say(std::uint64_t) final;
    void give_up(const std::string& why) final;

protected:
    using requests = std::vector<MPI_Request>;

    // The communicator is this one's own from then on.
    explicit mpi_medium(MPI_Comm own);
    // No receive is open: the most derived destructor has ended them.
    ~mpi_medium() override;

    // Until what was sent has left the memory that it lies in.
    void finish_sending();

    // Sends, or receives, so many bytes that nobody reads (writer::pad). Real networks have none.
    virtual void send_padding(std::size_t, int /*to*/, requests&) {}
    virtual void receive_padding(std::size_t, int /*from*/, requests&) {}

    // Receives that wait for a letter each. MPI fills them in the order of their posting. With one, a look in simulation
    // finds one letter at most, for the next one's receive has only just been posted.
    static constexpr std::size_t boxes = 16;
    static constexpr int tag_header = 1, tag_payload = 2, tag_padding = 3;
    static constexpr std::size_t letter_size = 512;  // header and a short payload in one message
    using letter = std::array<std::byte, letter_size>;
    struct arrival {
        header h;
        bytes payload;
        requests parts;
    };

    // Posts sends or receives for all pieces of some bytes.
    template <class Post>
    static void in_pieces(std::byte* data, std::size_t size, requests& all, Post post) {
        constexpr std::size_t largest = std::size_t{1} << 30;  // MPI counts in int
        for (std::size_t at = 0; at < size; at += largest) {
            const std::size_t piece = size - at < largest ? size - at : largest;
            all.push_back(MPI_REQUEST_NULL);
            post(data + at, static_cast<int>(piece), &all.back());
        }
    }

    MPI_Comm comm_;
    int self_ = 0;
    int ranks_ = 1;
    std::array<letter, boxes> incoming_{};
    std::array<MPI_Request, boxes> headers_{};
    std::size_t next_ = 0;     // the box that is filled next
    bool has_letter_ = false;  // it has been filled, and not opened yet
    MPI_Status status_{};      // of that letter
    std::list<arrival> arriving_;

private:
    struct parcel {  // on its way out; it does not move
        letter head{};
        bytes payload;
        requests parts;
    };
    void post(std::size_t box);
    void accept();
    void open_letter(const letter& from);

    std::list<parcel> sent_;
};

}  // namespace parley::inline v0::cluster
