#include "broker/command/log_json.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace nlohmann {

template <class T>
struct adl_serializer<std::optional<T>> {
    static void to_json(json& j, const std::optional<T>& value) {
        if (value) {
            j = *value;
        } else {
            j = nullptr;
        }
    }
    static void from_json(const json& j, std::optional<T>& value) {
        value = j.is_null() ? std::nullopt : std::optional(j.get<T>());
    }
};

}  // namespace nlohmann

// Found by their arguments' namespace.
namespace parley::inline v0::broker {

namespace {

// A variant is an object with one member, named after what it holds.
template <class Variant, std::size_t I = 0>
void read_alternative(const nlohmann::json& j, std::size_t which, Variant& to) {
    if constexpr (I < std::variant_size_v<Variant>) {
        if (which == I) {
            to = j.get<std::variant_alternative_t<I, Variant>>();
        } else {
            read_alternative<Variant, I + 1>(j, which, to);
        }
    }
}

template <class Variant, std::size_t N>
void read_variant(const nlohmann::json& j, const std::array<const char*, N>& names, Variant& to) {
    static_assert(N == std::variant_size_v<Variant>);
    const std::string name = j.at(0).get<std::string>();
    const auto found = std::find(names.begin(), names.end(), std::string_view(name));
    if (found == names.end()) {
        throw nlohmann::json::other_error::create(501, "nothing is called " + name, &j);
    }
    read_alternative(j.at(1), static_cast<std::size_t>(found - names.begin()), to);
}

template <class Variant, std::size_t N>
nlohmann::json json_of_variant(const Variant& v, const std::array<const char*, N>& names) {
    nlohmann::json j = nlohmann::json::array({names[v.index()]});
    std::visit([&j](const auto& what) { j.push_back(what); }, v);
    return j;
}

constexpr std::array payload_names{"request", "grant", "deny", "return", "core", "claim", "end", "handover"};
constexpr std::array input_names{"joining", "leaving", "quantum", "message"};

// Most programs may use all cores, and are awake: then the field is left out.
constexpr const char* usable_key = "usable";
constexpr const char* asleep_key = "asleep";

void put_usable(nlohmann::json& j, const usable_cores& usable) {
    if (!usable.are_all()) j[usable_key] = usable.words();
}
usable_cores usable_in(const nlohmann::json& j) { return usable_cores(j.value(usable_key, std::vector<std::uint64_t>{})); }
void put_asleep(nlohmann::json& j, bool asleep) {
    if (asleep) j[asleep_key] = true;
}

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(holding, program, stamp)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(core_use, core, held, useful, steal, mug)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(program_use, cores)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(desire, cores, hold_off, wait, grew, judged)

inline void to_json(nlohmann::json& j, const claim& c) {
    j = {{"program", c.program}, {"user", c.user},     {"weight", c.weight},  {"most", c.most},
         {"desire", c.desire},   {"judged", c.judged}, {"version", c.version}};
    put_usable(j, c.usable);
    put_asleep(j, c.asleep);
}
inline void from_json(const nlohmann::json& j, claim& c) {
    j.at("program").get_to(c.program);
    j.at("user").get_to(c.user);
    j.at("weight").get_to(c.weight);
    j.at("most").get_to(c.most);
    j.at("desire").get_to(c.desire);
    j.at("judged").get_to(c.judged);
    j.at("version").get_to(c.version);
    c.usable = usable_in(j);
    c.asleep = j.value(asleep_key, false);
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(led_program, row, wish, last, cores, asked, asked_how, denied, wanted, starting)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(request, program, how)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(grant, program, core, stamp)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(deny, program)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(return_core, core, holder, stays, next, next_leader, why)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(core_delta, core, holder, holds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(claim_delta, row)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(end_delta, program)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(handover, state)

inline void to_json(nlohmann::json& j, const joining& what) {
    j = {{"program", what.program}, {"user", what.user}, {"weight", what.weight}, {"most", what.most}};
    put_usable(j, what.usable);
}
inline void from_json(const nlohmann::json& j, joining& what) {
    j.at("program").get_to(what.program);
    j.at("user").get_to(what.user);
    j.at("weight").get_to(what.weight);
    j.at("most").get_to(what.most);
    what.usable = usable_in(j);
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(leaving, program)

inline void to_json(nlohmann::json& j, const sample& s) {
    j = {{"program", s.program}, {"use", s.use}};
    put_asleep(j, s.asleep);
}
inline void from_json(const nlohmann::json& j, sample& s) {
    j.at("program").get_to(s.program);
    j.at("use").get_to(s.use);
    s.asleep = j.value(asleep_key, false);
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(quantum, length, samples)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(decision, what, why, program, core)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(desire_options, growth, least_efficiency, headroom, longest)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(user_caps, each, of)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(fair_share_options, desire, first_desire, caps)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(bias_options, least_efficiency, most_efficiency_to_share, starts_everywhere,
                                   serves_deprived)

inline void to_json(nlohmann::json& j, const message& m) {
    j = {{"from", m.from}, {"to", m.to}, {"what", json_of_variant(m.what, payload_names)}};
}
inline void from_json(const nlohmann::json& j, message& m) {
    j.at("from").get_to(m.from);
    j.at("to").get_to(m.to);
    read_variant(j.at("what"), payload_names, m.what);
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(outcome, messages, decisions, changed)

namespace {

nlohmann::json json_of_record(section_id where, const record& r) {
    return {{"section", where}, {"in", json_of_variant(r.in, input_names)}, {"out", r.out}};
}

std::pair<section_id, record> record_of(const nlohmann::json& j) {
    record r;
    read_variant(j.at("in"), input_names, r.in);
    j.at("out").get_to(r.out);
    const auto where = j.at("section").get<section_id>();
    // What does not fit its type has been cut to it.
    if (json_of_record(where, r) != j) {
        throw nlohmann::json::other_error::create(501, "values out of range", &j);
    }
    return {where, std::move(r)};
}

// Whether a section of that machine could have got it: what it looks up is there.
class plausible {
public:
    plausible(const ownership& table, section_id where) : table_(table), where_(where) {}

    [[nodiscard]] bool operator()(const joining&) const { return true; }
    [[nodiscard]] bool operator()(const leaving&) const { return true; }
    [[nodiscard]] bool operator()(const quantum& q) const {
        return std::all_of(q.samples.begin(), q.samples.end(), [&](const sample& s) { return is_good(s.use); });
    }
    [[nodiscard]] bool operator()(const message& m) const {
        return m.to == where_ && m.from != where_ && is_section(m.from) && std::visit(*this, m.what);
    }
    [[nodiscard]] bool operator()(const request& r) const { return r.how <= terms::first; }
    [[nodiscard]] bool operator()(const grant& g) const { return is_core(g.core); }
    [[nodiscard]] bool operator()(const deny&) const { return true; }
    [[nodiscard]] bool operator()(const return_core& r) const {
        return is_core(r.core) && is_section(r.next_leader) && r.why <= last_reason;
    }
    [[nodiscard]] bool operator()(const core_delta& d) const { return is_core(d.core); }
    [[nodiscard]] bool operator()(const claim_delta& d) const { return is_good(d.row); }
    [[nodiscard]] bool operator()(const end_delta&) const { return true; }
    [[nodiscard]] bool operator()(const handover& h) const {
        const led_program& p = h.state;
        return is_good(p.row) && p.wish.judged <= last_class && is_good(p.last) && p.asked_how <= terms::first &&
               std::all_of(p.cores.begin(), p.cores.end(), [&](const auto& one) { return is_core(one.first); }) &&
               (!p.asked || is_section(*p.asked)) &&
               std::all_of(p.denied.begin(), p.denied.end(), [&](section_id s) { return is_section(s); });
    }

private:
    static constexpr program_class last_class{2};

    [[nodiscard]] bool is_core(core_id c) const { return c < table_.cores(); }
    [[nodiscard]] bool is_section(section_id s) const { return s < table_.sections(); }
    [[nodiscard]] static bool is_good(const claim& c) {
        return c.weight >= 1 && c.weight <= most_weight && c.most >= 1 && c.desire >= 1 && c.judged <= last_class;
    }
    [[nodiscard]] bool is_good(const program_use& use) const {
        return std::all_of(use.cores.begin(), use.cores.end(), [&](const core_use& u) { return is_core(u.core); });
    }

    const ownership& table_;
    section_id where_;
};

}  // namespace
}  // namespace parley::inline v0::broker

namespace parley_cli {

using namespace parley::broker;

nlohmann::json head_of_log(const ownership& table, const policy_choice& policy) {
    std::vector<section_id> owners;
    for (core_id c = 0; c < table.cores(); ++c) {
        owners.push_back(table.owner(c));
    }
    nlohmann::json near = nlohmann::json::array();  // of each section the others, nearest first
    for (section_id s = 0; s < table.sections(); ++s) {
        const auto others = table.others(s);
        near.push_back(std::vector<section_id>(others.begin(), others.end()));
    }
    return {{"parley_broker_log", 1},          {"owners", owners},     {"near", near}, {"policy", policy.name},
            {"fair_share", policy.fair_share}, {"paper", policy.paper}};
}

std::pair<ownership, policy_choice> read_head(const nlohmann::json& head) {
    if (head.at("parley_broker_log") != 1) {
        throw nlohmann::json::other_error::create(501, "another version", &head);
    }
    const auto near = head.at("near").get<std::vector<std::vector<section_id>>>();
    const auto owners = head.at("owners").get<std::vector<section_id>>();
    if (ownership::fault(owners)) {
        throw nlohmann::json::other_error::create(501, "no partition", &head);
    }
    const std::size_t n = near.size();
    std::vector<std::uint32_t> distance(n * n, 0);
    for (std::size_t s = 0; s < n; ++s) {
        for (std::size_t i = 0; i < near[s].size(); ++i) {
            distance.at(s * n + near[s][i]) = static_cast<std::uint32_t>(i) + 1;
        }
    }
    policy_choice policy;
    head.at("policy").get_to(policy.name);
    head.at("fair_share").get_to(policy.fair_share);
    head.at("paper").get_to(policy.paper);
    ownership table(owners, std::move(distance));
    const auto is_part = [](double x) { return x >= 0.0 && x <= 1.0; };
    const auto& d = policy.fair_share.desire;
    const bool are_parts = is_part(d.least_efficiency) && is_part(d.headroom) && d.headroom > 0 &&
                           is_part(policy.paper.least_efficiency) && is_part(policy.paper.most_efficiency_to_share);
    const bool is_known = std::find(policy_names.begin(), policy_names.end(), policy.name) != policy_names.end();
    // The last: another number of sections or of neighbours, or values that do not fit their types.
    if (!are_parts || !(d.growth > 1.0) || !is_known || head_of_log(table, policy) != head) {
        throw nlohmann::json::other_error::create(501, "values out of range", &head);
    }
    return {std::move(table), policy};
}

nlohmann::json json_of(section_id where, const record& what) { return json_of_record(where, what); }
std::pair<section_id, record> read_record(const nlohmann::json& line) { return record_of(line); }

bool can_happen(const ownership& table, section_id where, const record& what) {
    return where < table.sections() && std::visit(plausible(table, where), what.in);
}

}  // namespace parley_cli
