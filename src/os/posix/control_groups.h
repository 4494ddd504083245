// Control groups of Linux, versions 1 and 2, which are the folders with a process's limits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace linsep {

/// The folders of this process's group and of all groups that it lies in, of each version. A container sees its own
/// group at the root of the hierarchy, while its name may be the machine's, so some folders may not exist.
struct ControlGroups {
  std::vector<std::string> first, second;
};

/// `controller` is one of the first version, such as "memory". `root` is a folder that stands for "/", for tests.
ControlGroups control_groups(const std::string& root, std::string_view controller);

}  // namespace linsep
