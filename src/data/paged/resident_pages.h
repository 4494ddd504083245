// ResidentPages: pages of a file, at most a given number of them in memory, read ahead by a thread.
//
// The user says beforehand in which steps it will go through the pages: in each step it asks for the pages of that step
// in any order, as often as it likes. Pages of the present step stay; those of the next steps are mapped ahead as far
// as there is room, and the system is asked to read some more from the disk; those behind are dropped. A step of more
// pages than may be in memory works as well: then the page that was used longest ago makes room, and nothing is read
// ahead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <vector>

#include "core/parallel.h"
#include "data/paged/page_file.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace linsep {

class ResidentPages {
 public:
  using Steps = std::vector<std::vector<std::uint32_t>>;

  /// REQUIRES: most > 0.
  ResidentPages(std::shared_ptr<const PageFile> file, std::size_t most);
  ResidentPages(const ResidentPages&) = delete;
  ResidentPages& operator=(const ResidentPages&) = delete;
  ~ResidentPages();

  /// Begins anew, before the first step. `steps` each name pages once.
  void plan(Steps steps);
  /// Moves on to the next step. REQUIRES: there is one.
  void advance();
  /// A page of the present step; valid until the next call of `get`, `advance` or `plan`, and, where the step's pages
  /// fit into memory together, until the next `advance` or `plan`. Throws Error for a page that is damaged.
  const Page& get(std::size_t page);

  /// Drops everything; a plan must follow.
  void clear();
  std::size_t most() const { return most_; }

 private:
  struct Resident {
    Page page;
    std::exception_ptr failure;
    std::uint64_t used = 0;  // number of the call of `get` that used it last
    bool ready = false;      // mapped, or failed
  };

  bool can_go_ahead() const;
  Resident mapped_page(std::size_t page, bool whole) const;
  bool make_room();
  void drop_behind();
  void work();
  std::vector<std::uint32_t> to_be_asked_for();
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  std::thread reader_;

  std::shared_ptr<const PageFile> file_;
  std::size_t most_;
  Steps steps_;
  std::size_t step_ = 0;        // the next one; the present one is step_ − 1
  std::size_t ahead_step_ = 0;  // what the thread will map next
  std::size_t ahead_at_ = 0;
  std::size_t asked_step_ = 0;  // what the system will be asked for next
  std::size_t asked_at_ = 0;
  std::size_t asked_ahead_ = 0;  // pages asked for that the thread hasn't come to
  std::uint64_t plans_ = 0, calls_ = 0;
  std::map<std::uint32_t, Resident> resident_;
};

}  // namespace linsep
