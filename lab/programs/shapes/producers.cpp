// spc, bpc and bpc-loop.
#include "lab/programs/shapes/shapes.hpp"

namespace parley_programs::shapes {
namespace {

// Kind 0 is the root, 1 a producer, 2 a consumer, 3 a loop of consumers.
class producers : public shape {
public:
    producers(std::uint64_t d, std::uint64_t n, timed::duration t, timed::duration poll)
        : d_(d), n_(n), t_(t), poll_(poll) {}

    next_deed next(activity& a, bool barrier) override {
        switch (a.kind) {
            case 0:
                if (a.step++ == 0) {
                    return makes(deed::spawn_beside, 1, {d_});
                }
                return {.what = a.step == 2 && !barrier ? deed::wait : deed::end};
            case 1: return produce(a);
            case 2:
                if (a.step++ == 0) {
                    ++done_;
                    return works(t_);
                }
                return {};
            default: return consume_in_loop(a);
        }
    }
    timed::duration poll_every(const activity&) const override { return poll_; }
    json result() const override { return {{"tasks", done_}}; }

protected:
    virtual next_deed produce(activity& a) {
        if (a.step == 0) {
            ++done_;
            a.step = 1;
            if (a.words[0] > 1) {
                return makes(deed::spawn_beside, 1, {a.words[0] - 1});
            }
        }
        return a.count++ < n_ ? makes(deed::spawn_beside, 2) : next_deed{};
    }
    virtual next_deed consume_in_loop(activity&) { return {}; }

    std::uint64_t d_, n_;
    timed::duration t_, poll_;
    std::uint64_t done_ = 0;
};

// One producer, which is the root.
class single_producer : public producers {
public:
    using producers::producers;
    next_deed next(activity& a, bool barrier) override {
        if (a.kind != 0) {
            return producers::next(a, barrier);
        }
        if (a.count < n_) {
            ++a.count;
            return makes(deed::spawn_beside, 2);
        }
        return {.what = a.step++ == 0 && !barrier ? deed::wait : deed::end};
    }
};

class bundled_consumers : public producers {
public:
    using producers::producers;
    timed::duration iteration(std::uint32_t, std::uint64_t) override {
        ++done_;
        return t_;
    }

protected:
    next_deed produce(activity& a) override {
        switch (a.step++) {
            case 0:
                ++done_;
                if (a.words[0] > 1) {
                    return makes(deed::spawn_beside, 1, {a.words[0] - 1});
                }
                [[fallthrough]];
            case 1: a.step = 2; return makes(deed::spawn_beside, 3);
            default: return {};
        }
    }
    next_deed consume_in_loop(activity& a) override { return a.step++ == 0 ? makes(deed::loop, 0, {n_}) : next_deed{}; }
};

std::uint64_t count(const json& parameters, const char* key) { return parameters.at(key).get<std::uint64_t>(); }

}  // namespace

std::unique_ptr<shape> spc(const json& p) {
    return std::make_unique<single_producer>(1, count(p, "n"), microseconds(p, "t"), microseconds(p, "poll"));
}
std::unique_ptr<shape> bpc(const json& p) {
    return std::make_unique<producers>(count(p, "d"), count(p, "n"), microseconds(p, "t"), microseconds(p, "poll"));
}
std::unique_ptr<shape> bpc_loop(const json& p) {
    return std::make_unique<bundled_consumers>(count(p, "d"), count(p, "n"), microseconds(p, "t"), microseconds(p, "poll"));
}

}  // namespace parley_programs::shapes
