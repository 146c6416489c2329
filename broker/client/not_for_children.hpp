// A socket that children made by fork() must not keep open: as long as one does, who is at the other end does not see
// that this process has died.
#pragma once

namespace parley::inline v0::broker {

class not_for_children {
public:
    explicit not_for_children(int socket);
    ~not_for_children();
    not_for_children(const not_for_children&) = delete;
    not_for_children& operator=(const not_for_children&) = delete;

private:
    int place_;
};

}  // namespace parley::inline v0::broker
