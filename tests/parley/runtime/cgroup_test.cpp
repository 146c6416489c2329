// The quotas of cgroups, read from files that the test makes: in a child with mounts of its own,
// where the kernel lets it have them.
#include <parley/options.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sched.h>
#include <string>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

struct file {
    std::string path;  // below /sys/fs/cgroup
    std::string text;
};

void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << text;
}

bool have_own_mounts() {
    if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    return mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           mount("tmpfs", "/sys/fs/cgroup", "tmpfs", 0, nullptr) == 0;
}

constexpr double not_possible = -1;

double quota_of(const std::string& groups, const std::vector<file>& files) {
    if (!have_own_mounts()) return not_possible;
    write("/sys/fs/cgroup/groups", groups);
    for (const file& f : files) write("/sys/fs/cgroup/" + f.path, f.text);
    if (mount("/sys/fs/cgroup/groups", "/proc/self/cgroup", nullptr, MS_BIND, nullptr) != 0) return not_possible;
    return parley::available_processors().cgroup_quota;
}

class Cgroup : public testing::Test {
protected:
    // What available_processors() says where /proc/self/cgroup and /sys/fs/cgroup are these.
    static void expect_quota(double expected, const std::string& groups, const std::vector<file>& files) {
        int ends[2];
        ASSERT_EQ(pipe(ends), 0);
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            const double quota = quota_of(groups, files);
            _exit(::write(ends[1], &quota, sizeof quota) == sizeof quota ? 0 : 1);
        }
        double quota = not_possible;
        close(ends[1]);
        const ssize_t size = read(ends[0], &quota, sizeof quota);
        close(ends[0]);
        waitpid(child, nullptr, 0);
        ASSERT_EQ(size, static_cast<ssize_t>(sizeof quota)) << "the child died";
        if (quota == not_possible) GTEST_SKIP() << "no mounts of our own are allowed here";
        EXPECT_DOUBLE_EQ(quota, expected);
    }
};

TEST_F(Cgroup, NoFilesNoQuota) { expect_quota(0, "0::/\n", {}); }

TEST_F(Cgroup, Version2) { expect_quota(1.5, "0::/a\n", {{"a/cpu.max", "150000 100000\n"}}); }

TEST_F(Cgroup, Version2WithoutLimit) { expect_quota(0, "0::/a\n", {{"a/cpu.max", "max 100000\n"}}); }

TEST_F(Cgroup, TightestOfAllGroupsAboveCounts) {
    expect_quota(2, "0::/a/b/c\n",
                 {{"a/cpu.max", "200000 100000\n"}, {"a/b/cpu.max", "max 100000\n"}, {"a/b/c/cpu.max", "300000 100000\n"}});
    expect_quota(3, "0::/a/b\n", {{"a/cpu.max", "400000 100000\n"}, {"a/b/cpu.max", "300000 100000\n"}});
}

// A container sees its own group as the root of the mount, whatever its name outside is.
TEST_F(Cgroup, RootOfTheMountCounts) {
    expect_quota(4, "0::/\n", {{"cpu.max", "400000 100000\n"}});
    expect_quota(4, "0::/outside/name\n", {{"cpu.max", "400000 100000\n"}});
}

TEST_F(Cgroup, Version1) {
    expect_quota(2.5, "4:cpu,cpuacct:/a\n",
                 {{"cpu/a/cpu.cfs_quota_us", "250000\n"}, {"cpu/a/cpu.cfs_period_us", "100000\n"}});
    expect_quota(0.5, "9:cpuset:/x\n1:cpu:/\n",
                 {{"cpu/cpu.cfs_quota_us", "50000\n"}, {"cpu/cpu.cfs_period_us", "100000\n"}});
}

TEST_F(Cgroup, Version1WithoutLimit) {
    expect_quota(0, "1:cpu:/\n", {{"cpu/cpu.cfs_quota_us", "-1\n"}, {"cpu/cpu.cfs_period_us", "100000\n"}});
}

// "cpuset" begins like "cpu", and has no quota.
TEST_F(Cgroup, OtherControllersDoNotCount) {
    expect_quota(0, "3:cpuset,memory:/\n", {{"cpu/cpu.cfs_quota_us", "50000\n"}, {"cpu/cpu.cfs_period_us", "100000\n"}});
}

TEST_F(Cgroup, NonsenseIsNoQuota) {
    expect_quota(0, "0::/a\nnonsense\n\n:\n", {{"a/cpu.max", "lots\n"}, {"cpu.max", ""}});
    expect_quota(0, "", {{"cpu.max", "400000 100000\n"}});
}

}  // namespace
