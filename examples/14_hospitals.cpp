// A country of villages, each with a hospital: people fall ill, wait, are treated, or are sent to the hospital of the
// district above. A step of a district is a step of all that it consists of, and then its own: a loop at each level.
#include <parley/parley.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <list>
#include <vector>

constexpr int top = 4;  // the level of the country

struct person {
    int stays = 0;      // days left in the hospital
    int times_ill = 0;  // also what tells whether anybody was lost
};

struct district {
    int level;
    std::uint64_t random;
    std::vector<district> parts;
    std::list<person> at_home, waiting, in_beds, sent_up;
    std::size_t beds;

    // Of level 0 is a village with people; all others consist of four districts. The higher, the more beds.
    district(int its_level, std::uint64_t seed)
        : level(its_level), random(seed), beds(std::size_t{2} << (2 * its_level)) {
        if (level == 0) at_home.resize(40);
        else
            for (std::uint64_t i = 1; i <= 4; ++i) parts.emplace_back(level - 1, seed * 4 + i);
    }

    // Each district has numbers of its own: the outcome does not depend on who does what when.
    bool happens_once_in(unsigned times) {
        random = random * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
        return (random >> 33) % times == 0;
    }

    void step() {
        fall_ill();
        heal();
        for (auto p = waiting.begin(); p != waiting.end();) {
            const auto next = std::next(p);
            if (in_beds.size() < beds) in_beds.splice(in_beds.end(), waiting, p);
            else if (level < top && happens_once_in(3)) sent_up.splice(sent_up.end(), waiting, p);
            p = next;
        }
    }

    void fall_ill() {
        for (auto p = at_home.begin(); p != at_home.end();) {
            const auto next = std::next(p);
            if (happens_once_in(12)) {
                p->stays = happens_once_in(4) ? 9 : 3;
                ++p->times_ill;
                waiting.splice(waiting.end(), at_home, p);
            }
            p = next;
        }
        for (district& part : parts) waiting.splice(waiting.end(), part.sent_up);
    }

    // Who is well goes home, or stays to live here.
    void heal() {
        for (auto p = in_beds.begin(); p != in_beds.end();) {
            const auto next = std::next(p);
            if (--p->stays == 0) at_home.splice(at_home.end(), in_beds, p);
            p = next;
        }
    }
};

void step_serially(district& d) {
    for (district& part : d.parts) step_serially(part);
    d.step();
}

void step(district& d) {
    parley::for_each(d.parts.begin(), d.parts.end(), step);
    d.step();
}

struct totals {
    std::size_t people = 0, at_home = 0, waiting = 0, in_beds = 0;
    long times_ill = 0;
    bool operator==(const totals&) const = default;
};

void add(totals& t, const district& d) {
    t.at_home += d.at_home.size();
    t.waiting += d.waiting.size() + d.sent_up.size();
    t.in_beds += d.in_beds.size();
    for (const auto* people : {&d.at_home, &d.waiting, &d.in_beds, &d.sent_up}) {
        t.people += people->size();
        for (const person& p : *people) t.times_ill += p.times_ill;
    }
    for (const district& part : d.parts) add(t, part);
}

int main() {
    constexpr int days = 60;
    district country(top, 1), serial(top, 1);
    for (int day = 0; day < days; ++day) step(country), step_serially(serial);
    totals found, expected;
    add(found, country);
    add(expected, serial);
    std::printf("%zu people: %zu at home, %zu waiting, %zu in beds; ill %ld times\n", found.people, found.at_home,
                found.waiting, found.in_beds, found.times_ill);
    return found == expected && found.people == 256 * 40 ? 0 : 1;
}
