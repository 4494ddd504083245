// What engines rely on, without an engine: the rendezvous, the failure detector's connections and the environment.
#include "linsep/tools/engines.h"

#include <gtest/gtest.h>

#include <barrier>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <thread>

#include "comm/contract_checks.h"
#include "comm/door.h"
#include "comm/failure_detector.h"
#include "comm/socket_mailbox.h"
#include "linsep/error.h"
#include "os/file.h"
#include "os/process.h"

namespace linsep {
namespace {

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("engines_test." + std::to_string(process_id()))) {
    std::filesystem::create_directories(path_);
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST(Threads, KeepTheContractOfComm) {
  for (int workers = 1; workers <= 5; ++workers) run_threads(workers, contract::check_all);
}

TEST(Rendezvous, BringsEveryWorkersBytesByRank) {
  const Folder folder;
  std::vector<std::thread> threads;
  std::vector<std::vector<std::string>> answers(3);
  for (int rank = 0; rank < 3; ++rank) {
    threads.emplace_back([&, rank] {
      answers[static_cast<std::size_t>(rank)] =
          rendezvous_in(folder.path(), "run", rank, 3, 10)("worker " + std::to_string(rank));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& answer : answers) {
    EXPECT_EQ(answer, (std::vector<std::string>{"worker 0", "worker 1", "worker 2"}));
  }
}

TEST(Rendezvous, NamesTheWorkerThatDoesNotComeAndSkipsFilesOfOtherRuns) {
  const Folder folder;
  EXPECT_THROW(rendezvous_in(folder.path(), "old", 1, 2, 0.1)("stale"), Error);
  try {
    rendezvous_in(folder.path(), "new", 0, 2, 0.1)("fresh");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("worker 1 didn't join"), std::string::npos);
    EXPECT_EQ(error.kind(), Error::Kind::kSystem);
  }
}

TEST(Rendezvous, WhatWorkersTellIsForTheirUserAlone) {
  const Folder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  EXPECT_EQ(rendezvous_in(folder.path(), "run", 0, 1, 1)("secret"), std::vector<std::string>{"secret"});
  EXPECT_EQ(std::filesystem::status(folder.path() + "/run.0").permissions(), std::filesystem::perms(0600));
}

/// The error that keeps workers from meeting.
std::string refusal(const std::string& folder, int size = 1) {
  try {
    rendezvous_in(folder, "run", 0, size, 1)("secret");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Rendezvous, FoldersAndFilesThatOthersMayWriteAreRefused) {
  const Folder folder;
  for (const int mode : {0777, 01777, 0770}) {
    std::filesystem::permissions(folder.path(), std::filesystem::perms(mode));
    EXPECT_NE(refusal(folder.path()).find("other users may write to"), std::string::npos) << mode;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "nothing was told";
  EXPECT_NE(refusal(folder.path() + "/nowhere").find("there is no such folder"), std::string::npos);
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0700));
  write_file_atomically(folder.path() + "/run.1", "made up");
  std::filesystem::permissions(folder.path() + "/run.1", std::filesystem::perms(0666));
  EXPECT_NE(refusal(folder.path(), 2).find("isn't taken for worker 1's"), std::string::npos);
}

Message waited_for(Mailbox& mailbox) {
  for (int k = 0; k < 2000; ++k) {
    if (const auto message = mailbox.receive()) return *message;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ADD_FAILURE() << "no message came";
  return {};
}

TEST(SocketMailbox, CarriesLettersInOrderAndTellsWhenALineIsClosed) {
  std::vector<std::unique_ptr<Door>> doors;
  std::vector<std::string> invitations;
  for (int k = 0; k < 3; ++k) {
    doors.push_back(std::make_unique<Door>(local_address("127.0.0.1")));
    invitations.push_back(doors.back()->invitation());
  }
  std::vector<std::unique_ptr<SocketMailbox>> posts(3);
  std::vector<std::thread> threads;
  for (int k = 0; k < 3; ++k) {
    threads.emplace_back([&, k] {
      const int first = (k + 1) % 3, second = (k + 2) % 3;
      const std::vector<Door::Wanted> wanted = {{first, Door::Use::kSignsOfLife}, {second, Door::Use::kSignsOfLife}};
      std::vector<Line> lines = doors[contract::index(k)]->connect(k, wanted, invitations, {"a", "b", "c"}, 10);
      auto& post = posts[contract::index(k)] = std::make_unique<SocketMailbox>();
      post->add(first, std::move(lines[0]));
      post->add(second, std::move(lines[1]));
    });
  }
  for (std::thread& thread : threads) thread.join();
  posts[0]->send(2, "first");
  posts[0]->send(2, std::string(Mailbox::kLongestMessage, 'x'));
  EXPECT_EQ(waited_for(*posts[2]).bytes, "first");
  const Message second = waited_for(*posts[2]);
  EXPECT_EQ(second.bytes.size(), Mailbox::kLongestMessage);
  EXPECT_EQ(second.from, 0);
  posts[0].reset();
  EXPECT_TRUE(waited_for(*posts[2]).closed);
  EXPECT_TRUE(waited_for(*posts[1]).closed);
}

TEST(Door, ListensOnTheGivenAddressOnly) {
  EXPECT_THROW(Door(local_address("192.0.2.1")), Error);
  EXPECT_THROW(local_address("no-such-interface-0"), Error);
  EXPECT_EQ(local_address("lo").text(), "127.0.0.1");
}

class Environment : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"LINSEP_ENGINE", "LINSEP_GLOO_RANK", "LINSEP_GLOO_SIZE", "OMPI_COMM_WORLD_RANK",
                             "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "PMIX_RANK", "SLURM_STEP_NUM_TASKS"}) {
      unsetenv(name);
    }
  }
  void TearDown() override { SetUp(); }
  static void set(const char* name, const char* value) { setenv(name, value, 1); }
};

TEST_F(Environment, AProcessThatNoLauncherStartedIsAlone) {
  EXPECT_EQ(launch().engine, "solo");
  EXPECT_EQ(join(launch()), nullptr);
}

TEST_F(Environment, LaunchersAreNoticed) {
  set("OMPI_COMM_WORLD_RANK", "2");
  set("OMPI_COMM_WORLD_SIZE", "4");
  EXPECT_EQ(launch().engine, "mpi");
  EXPECT_EQ(launch().rank, 2);
  set("OMPI_COMM_WORLD_SIZE", "1");
  EXPECT_EQ(launch().engine, "solo");
  set("LINSEP_GLOO_RANK", "1");
  set("LINSEP_GLOO_SIZE", "3");
  EXPECT_EQ(launch().engine, "gloo");
  set("LINSEP_ENGINE", "solo");
  EXPECT_EQ(launch().engine, "solo");
}

TEST_F(Environment, ValuesThatMakeNoSenseAreRefused) {
  set("LINSEP_ENGINE", "carrier pigeons");
  EXPECT_THROW(launch(), Error);
  set("LINSEP_ENGINE", "gloo");
  set("LINSEP_GLOO_RANK", "first");
  EXPECT_THROW(launch(), Error);
}

TEST_F(Environment, AModuleThatIsNotInstalledIsAClearError) {
  set("LINSEP_MODULES", "/nonexistent");
  try {
    mpi();
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the engine mpi isn't installed"), std::string::npos);
  }
  unsetenv("LINSEP_MODULES");
}

#ifdef LINSEP_BUILT_MODULES
// The caller has to provide only one exchange of bytes.
class Meeting {
 public:
  explicit Meeting(std::size_t size) : all_(size), missing_(size) {}
  AllGather rendezvous(int rank) {
    return [this, rank](const std::string& mine) {
      std::unique_lock lock(mutex_);
      all_[contract::index(rank)] = mine;
      --missing_;
      changed_.notify_all();
      changed_.wait(lock, [&] { return missing_ == 0; });
      return all_;
    };
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> all_;
  std::size_t missing_;
};

/// Work begins once all have joined. A worker that joined while another aborts would get the error there.
void run_gloo(int workers, double timeout, const std::function<void(EngineComm&)>& work, const PortRange& ports = {}) {
  setenv("LINSEP_MODULES", LINSEP_BUILT_MODULES, 1);
  Meeting meeting(contract::index(workers));
  std::barrier joined(workers);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < workers; ++rank) {
    threads.emplace_back([&, rank] {
      const auto comm = gloo({rank, workers, "lo", timeout, ports}, meeting.rendezvous(rank));
      joined.arrive_and_wait();
      work(*comm);
    });
  }
  for (std::thread& thread : threads) thread.join();
  unsetenv("LINSEP_MODULES");
}

TEST(Gloo, NeedsNothingButAnAllGatherAndKeepsTheContract) {
  for (int workers = 1; workers <= 4; ++workers) {
    run_gloo(workers, 20, [](EngineComm& comm) {
      contract::check_all(comm);
      comm.finish();
    });
  }
}

TEST(Gloo, KeepsTheContractOnGivenPorts) {
  const auto work = [](EngineComm& comm) {
    contract::check_all(comm);
    comm.finish();
  };
  run_gloo(3, 20, work, parse_ports("28500-28540"));
}

TEST(Ports, ARangeOrANumber) {
  EXPECT_EQ(parse_ports("20000-20100").first, 20000);
  EXPECT_EQ(parse_ports("20000-20100").last, 20100);
  EXPECT_EQ(parse_ports("7").last, 7);
  for (const char* wrong : {"", "a", "0", "5-4", "1-65536", "1-2-3", "1-", "20000:20100"}) {
    EXPECT_THROW(parse_ports(wrong), Error) << wrong;
  }
}

TEST(Gloo, AWorkerThatLeavesWithoutAGoodbyeEndsTheOthers) {
  run_gloo(3, 20, [](EngineComm& comm) {
    if (comm.rank() == 1) return;
    std::vector<double> data(3);
    try {
      comm.all_reduce(data, Comm::Op::kSum);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("worker 1 ("), std::string::npos) << error.what();
    }
  });
}

TEST(Gloo, AbortReachesWorkersThatWaitWithItsMessage) {
  run_gloo(3, 20, [](EngineComm& comm) {
    try {
      if (comm.rank() == 0) comm.abort("enough");
      std::vector<double> data(1);
      comm.all_reduce(data, Comm::Op::kSum);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "enough");
    }
    EXPECT_EQ(comm.end("later", 3).code, 4);
  });
}
#endif

}  // namespace
}  // namespace linsep
