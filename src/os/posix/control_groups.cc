#include "os/posix/control_groups.h"

#include <fmt/format.h>

#include <fstream>
#include <set>

namespace linsep {
namespace {

void add_folders(const std::string& mount, std::string group, std::vector<std::string>& folders) {
  for (;;) {
    folders.push_back(mount + group);
    if (group.empty()) return;
    group.erase(group.rfind('/'));
  }
}

}  // namespace

ControlGroups control_groups(const std::string& root, std::string_view controller) {
  ControlGroups groups;
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {  // hierarchy:controllers:group
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::string group = line.substr(second + 1);
    if (!group.starts_with('/') || group == "/") group.clear();
    const std::string mounts = root + "/sys/fs/cgroup";
    if (controllers.empty()) {
      for (const char* mount : {"", "/unified"}) add_folders(mounts + mount, group, groups.second);
    } else if (fmt::format(",{},", controllers).find(fmt::format(",{},", controller)) != std::string::npos) {
      for (const std::string& mount : std::set<std::string>{std::string(controller), controllers}) {
        add_folders(mounts + "/" + mount, group, groups.first);
      }
    }
  }
  return groups;
}

}  // namespace linsep
