// Machines that a file describes.

#include "tests/broker/service_client.hpp"

#include <hwloc.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>

namespace {

using namespace broker_tests;

class BrokerTopology : public testing::Test {
protected:
    // As lstopo writes it.
    static void write_topology(const std::string& description, const std::string& file) {
        hwloc_topology_t t = nullptr;
        ASSERT_EQ(hwloc_topology_init(&t), 0);
        ASSERT_EQ(hwloc_topology_set_synthetic(t, description.c_str()), 0);
        ASSERT_EQ(hwloc_topology_load(t), 0);
        EXPECT_EQ(hwloc_topology_export_xml(t, file.c_str(), 0), 0);
        hwloc_topology_destroy(t);
    }
    // What is said of it; nothing else may be written anywhere.
    static std::string complaint_about(const std::string& source) {
        std::string says;
        testing::internal::CaptureStderr();
        testing::internal::CaptureStdout();
        try {
            (void)service::look_at_machine({.topology = source, .sections = {}});
        } catch (const service::startup_error& t) {
            says = t.what();
        }
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << source;
        EXPECT_EQ(testing::internal::GetCapturedStdout(), "") << source;
        return says;
    }
    [[nodiscard]] std::string file(const std::string& text) const {
        const std::string path = here.directory() + "/t.xml";
        std::ofstream(path) << text;
        return path;
    }
    static std::string no_topology(const std::string& path) {
        return "'" + path +
               "' is no topology: wants a file of hwloc's XML (lstopo FILE.xml) or synthetic: and a "
               "description, as in synthetic:numa:2 l3:1 core:4 pu:1";
    }

    const place here;
};

TEST_F(BrokerTopology, OfAnXmlFileIsTheMachineInIt) {
    const std::string path = here.directory() + "/t.xml";
    write_topology("pack:2 l3:2 core:3 pu:2", path);
    const service::machine m = service::look_at_machine({.topology = path, .sections = "caches"});
    EXPECT_EQ(m.table->sections(), 4u);
    EXPECT_EQ(m.table->cores(), 24u);
    const service::machine same =
        service::look_at_machine({.topology = "synthetic:pack:2 l3:2 core:3 pu:2", .sections = "caches"});
    EXPECT_EQ(*m.table, *same.table);
    EXPECT_EQ(m.number, same.number);
}

TEST_F(BrokerTopology, OfNoXmlIsRefused) {
    const std::string path = file("Machine: eight cores\n");
    EXPECT_EQ(complaint_about(path), no_topology(path));
}
TEST_F(BrokerTopology, OfOtherXmlIsRefused) {
    const std::string path = file("<?xml version=\"1.0\"?>\n<farm><cow/></farm>\n");
    EXPECT_EQ(complaint_about(path), no_topology(path));
}
TEST_F(BrokerTopology, OfAnEmptyFileIsRefused) {
    const std::string path = file("");
    EXPECT_EQ(complaint_about(path), no_topology(path));
}
TEST_F(BrokerTopology, OfAFileCutInTheMiddleIsRefused) {
    const std::string whole = here.directory() + "/whole.xml";
    write_topology("pack:2 l3:2 core:3 pu:2", whole);
    std::ostringstream text;
    text << std::ifstream(whole).rdbuf();
    ASSERT_GT(text.str().size(), 1000u);
    const std::string path = file(text.str().substr(0, text.str().size() / 2));
    EXPECT_EQ(complaint_about(path), no_topology(path));
}
TEST_F(BrokerTopology, OfADirectoryIsRefused) {
    EXPECT_EQ(complaint_about(here.directory()), "cannot read the topology '" + here.directory() + "': it is a directory");
}
TEST_F(BrokerTopology, OfAPipeIsRefused) {
    const std::string path = here.directory() + "/pipe";
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    EXPECT_EQ(complaint_about(path), "cannot read the topology '" + path + "': it is no regular file");
}
TEST_F(BrokerTopology, OfNoFileIsRefused) {
    const std::string path = here.directory() + "/none.xml";
    EXPECT_EQ(complaint_about(path), "cannot read the topology '" + path + "': No such file or directory");
}
TEST_F(BrokerTopology, OfMoreProcessorsThanPagesHaveRoomForIsRefused) {
    EXPECT_THROW((void)service::look_at_machine({.topology = "synthetic:core:4 pu:1", .sections = "2"}),
                 service::startup_error)
        << "a section has two cores at least";
    EXPECT_EQ(service::look_at_machine({.topology = "synthetic:core:1 pu:1", .sections = "0"}).table->cores(), 1u);
    EXPECT_EQ(service::look_at_machine({.topology = "synthetic:core:1024 pu:1", .sections = {}}).table->cores(), 1024u);
    EXPECT_EQ(complaint_about("synthetic:core:1025 pu:1"),
              "processor 1024 cannot be shared: the broker has room for numbers up to 1023; taskset keeps it to those");
}

}  // namespace
