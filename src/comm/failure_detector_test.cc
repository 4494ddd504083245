#include "comm/failure_detector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <iterator>

#include "linsep/error.h"

namespace linsep {
namespace {

// The workers of one test, each with its failure detector. Their messages arrive at once unless they are cut off.
class Village {
 public:
  explicit Village(int size, double timeout = 10) {
    std::vector<std::string> hosts;
    for (int k = 0; k < size; ++k) hosts.push_back("host" + std::to_string(k));
    for (int k = 0; k < size; ++k) boxes_.push_back(std::make_unique<Box>(*this, k));
    for (int k = 0; k < size; ++k) {
      watches_.push_back(std::make_unique<FailureDetector>(*boxes_[index(k)], k, hosts, timeout, 0.0));
    }
  }

  FailureDetector& operator[](int rank) { return *watches_[index(rank)]; }
  void stop(int rank) { stopped_.push_back(rank); }
  void cut_off(int rank) { cut_off_.push_back(rank); }
  void kill(int rank) {
    stop(rank);
    for (auto& box : boxes_) box->arrived.push_back({rank, {}, true});
  }
  void kill_for(int rank, int witness) {
    stop(rank);
    boxes_[index(witness)]->arrived.push_back({rank, {}, true});
  }

  // Lets time pass. Every worker that runs ticks four times per second.
  void pass(double seconds) {
    for (double end = now_ + seconds; now_ < end; now_ += 0.25) {
      for (int k = 0; k < static_cast<int>(watches_.size()); ++k) {
        if (!contains(stopped_, k)) watches_[index(k)]->tick(now_);
      }
    }
  }
  void wake(int rank) { std::erase(stopped_, rank); }

  // Returns which workers speak if they come to their ends in this order, at about the same time.
  std::vector<int> speakers(const std::vector<int>& ends) {
    std::vector<int> found, late;
    const auto offer = [&](int k) { (*this)[k].offer_to_speak(); };
    for (const int k : ends) {
      if (!contains(stopped_, k)) (*this)[k].awaits_speaker() ? late.push_back(k) : offer(k);
    }
    pass(1);
    std::for_each(late.begin(), late.end(), offer);
    pass(static_cast<double>(watches_.size()));
    std::copy_if(ends.begin(), ends.end(), std::back_inserter(found),
                 [&](int k) { return !contains(stopped_, k) && (*this)[k].speaks(); });
    return found;
  }

  std::string end_of(int rank) {
    if (!(*this)[rank].ended()) return "still running";
    try {
      (*this)[rank].raise();
    } catch (const Error& error) {
      return error.what();
    }
  }

 private:
  struct Box : Mailbox {
    Box(Village& v, int r) : village(v), rank(r) {}
    void send(int to, const std::string& bytes) override {
      EXPECT_LE(bytes.size(), kLongestMessage);
      if (contains(village.cut_off_, rank) || contains(village.cut_off_, to)) return;
      village.boxes_[index(to)]->arrived.push_back({rank, bytes, false});
    }
    std::optional<Message> receive() override {
      if (arrived.empty()) return std::nullopt;
      const Message first = arrived.front();
      arrived.pop_front();
      return first;
    }
    Village& village;
    int rank;
    std::deque<Message> arrived;
  };

  static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }
  static bool contains(const std::vector<int>& list, int rank) {
    return std::find(list.begin(), list.end(), rank) != list.end();
  }

  std::vector<std::unique_ptr<Box>> boxes_;
  std::vector<std::unique_ptr<FailureDetector>> watches_;
  std::vector<int> stopped_, cut_off_;
  double now_ = 0;
};

TEST(FailureDetector, WorkersThatComputeForLongAreAlive) {
  Village village(4);
  village[0].enter(1);
  village.pass(1000);
  for (int k = 0; k < 4; ++k) EXPECT_EQ(village.end_of(k), "still running");
}

TEST(FailureDetector, AWorkerThatIsStoppedIsNamedByAllAndOneSpeaks) {
  for (int victim = 0; victim < 4; ++victim) {
    Village village(4);
    village.pass(5);
    village.stop(victim);
    village.pass(9);
    for (int k = 0; k < 4; ++k) EXPECT_EQ(village.end_of(k), "still running");
    village.pass(3);
    for (int k = 0; k < 4; ++k) {
      if (k == victim) continue;
      const std::string who = std::to_string(victim);
      EXPECT_EQ(village.end_of(k),
                "worker " + who + " (host" + who + ") has not answered for 10 seconds, so the run was stopped");
      EXPECT_EQ(village[k].code(), 4);
    }
    const int first = victim == 0 ? 1 : 0;
    EXPECT_EQ(village.speakers({0, 1, 2, 3}), std::vector{first});
  }
}

TEST(FailureDetector, WhereNobodyIsNamedAndTheFirstIsSilentAnotherSpeaks) {
  Village village(4);
  village.pass(1);
  village.stop(0);
  village[2].report("the network is down");
  village.pass(1);
  EXPECT_TRUE(village[1].awaits_speaker());
  EXPECT_FALSE(village[1].speaks());
  EXPECT_EQ(village.speakers({3, 1, 2}), std::vector{1});
}

TEST(FailureDetector, AWorkerThatComputesOnIsNotWaitedForToSpeak) {
  Village village(4);
  village.pass(1);
  village.kill(3);
  village.pass(1);
  EXPECT_EQ(village.speakers({2}), std::vector{2});
  EXPECT_EQ(village.speakers({1, 0}), std::vector<int>{}) << "it is said once";
}

TEST(FailureDetector, WorkersThatNameDifferentOnesAgreeWhoSpeaks) {
  Village village(4);
  village.pass(1);
  village.kill_for(3, 2);  // worker 2 finds this at the moment at which worker 1 finds that
  village.kill_for(0, 1);
  village.pass(0.25);
  EXPECT_NE(village.end_of(1), village.end_of(2));
  EXPECT_EQ(village.speakers({1, 2}), std::vector{1});
}

TEST(FailureDetector, AmongManyOneSpeaks) {
  Village village(200);
  village.pass(2);
  village.kill(0);
  village.pass(40);
  EXPECT_EQ(village.speakers({150, 77}), std::vector{77});
}

TEST(FailureDetector, AWorkerThatIsCutOffEndsToo) {
  Village village(3);
  village.pass(5);
  village.cut_off(1);
  village.pass(13);
  EXPECT_EQ(village.end_of(0), "worker 1 (host1) has not answered for 10 seconds, so the run was stopped");
  EXPECT_EQ(village.end_of(1), "workers 0 (host0), 2 (host2) have not answered for 10 seconds, so the run was stopped");
}

TEST(FailureDetector, AWorkerThatDiesIsNamedAtOnce) {
  Village village(3);
  village.pass(1);
  village.kill(2);
  village.pass(0.25);
  EXPECT_EQ(village.end_of(0), "worker 2 (host2) ended unexpectedly, so the run was stopped");
  EXPECT_EQ(village.end_of(1), "worker 2 (host2) ended unexpectedly, so the run was stopped");
}

TEST(FailureDetector, TimeInWhichThisProcessSleptIsNotHeldAgainstTheOthers) {
  Village village(2);
  village.pass(1);
  village.stop(0);
  village.stop(1);
  village.pass(3600);
  village.wake(0);
  village.wake(1);
  village.pass(20);
  EXPECT_EQ(village.end_of(0), "still running");
  EXPECT_EQ(village.end_of(1), "still running");
}

TEST(FailureDetector, TheErrorOfOneWorkerReachesAllWithItsExitCode) {
  Village village(3);
  village[1].end("a bad shard", 3);
  village.pass(0.5);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(village.end_of(k), "a bad shard");
    EXPECT_EQ(village[k].code(), 3);
    EXPECT_EQ(village[k].speaks(), k == 1);
    EXPECT_THROW(village[k].enter(1), Error);
  }
}

TEST(FailureDetector, OfSeveralThatFailAtOnceTheFirstSpeaks) {
  Village village(4);
  for (const int k : {3, 1, 2}) village[k].end("no such file", 3);
  village.pass(0.5);
  for (int k = 0; k < 4; ++k) EXPECT_EQ(village[k].speaks(), k == 1) << k;
}

TEST(FailureDetector, WhoSaidGoodbyeMayBeSilent) {
  Village village(2);
  village[0].enter(7);
  village[1].enter(7);
  village[1].say_goodbye();
  village.pass(1);
  village.kill(1);
  village.pass(50);
  EXPECT_EQ(village.end_of(0), "still running");
  EXPECT_TRUE(village[0].all_said_goodbye());
}

TEST(FailureDetector, WhoLeavesWhileOthersWaitForItIsAnError) {
  Village village(2);
  village[0].enter(7);
  village[1].say_goodbye();
  village.pass(1);
  EXPECT_EQ(village.end_of(0), "worker 1 (host1) left while others were waiting for it");
}

TEST(FailureDetector, WorkersInDifferentCallsOfTheSameRoundFindOut) {
  Village village(3);
  for (int k = 0; k < 3; ++k) village[k].enter(k == 2 ? 8 : 7);
  village.pass(3);
  for (int k = 0; k < 3; ++k)
    EXPECT_NE(village.end_of(k).find("disagree about the kind or length of round 1"), std::string::npos);
}

TEST(FailureDetector, AmongManyTheNewsReachesAllThroughTheFirst) {
  Village village(200);
  village.pass(2);
  EXPECT_LE(watched_workers(100, 200).size(), 3U);
  village.stop(77);
  village.pass(14);
  EXPECT_EQ(village.end_of(150), "worker 77 (host77) has not answered for 10 seconds, so the run was stopped");
}

TEST(FailureDetector, WhomIWatchWatchesMe) {
  for (const int size : {2, 3, 64, 65, 130}) {
    for (int rank = 0; rank < size; ++rank) {
      for (const int other : watched_workers(rank, size)) {
        const auto back = watched_workers(other, size);
        EXPECT_NE(std::find(back.begin(), back.end(), rank), back.end());
      }
    }
  }
}

}  // namespace
}  // namespace linsep
