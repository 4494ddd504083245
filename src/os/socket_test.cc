#include "os/socket.h"

#include <gtest/gtest.h>

#include <string>

#include "linsep/error.h"

namespace linsep {
namespace {

constexpr int kPatience = 10'000;  // milliseconds

TEST(Socket, CarriesBytesBothWaysAndSaysWhenTheOtherEndIsClosed) {
  const Socket listener = Socket::listening(local_address("127.0.0.1"));
  EXPECT_EQ(listener.address().text(), "127.0.0.1");
  int error = -1;
  Socket caller = Socket::connecting(listener.address(), error);
  ASSERT_EQ(error, 0);
  ASSERT_TRUE(listener.wait_to_read(kPatience));
  std::optional<Socket> called = listener.accept();
  ASSERT_TRUE(called);
  ASSERT_TRUE(caller.wait_to_write(kPatience));
  EXPECT_EQ(caller.connect_error(), 0);
  called->send_at_once();
  char bytes[8] = {};
  EXPECT_EQ(called->receive(bytes).size, 0U);
  EXPECT_FALSE(called->receive(bytes).closed) << "nothing has come yet";
  EXPECT_EQ(caller.send("abc"), 3U);
  ASSERT_TRUE(called->wait_to_read(kPatience));
  EXPECT_EQ(called->receive(bytes).size, 3U);
  EXPECT_EQ(std::string(bytes), "abc");
  caller.close();
  EXPECT_FALSE(caller.is_open());
  ASSERT_TRUE(called->wait_to_read(kPatience));
  EXPECT_TRUE(called->receive(bytes).closed);
}

TEST(Socket, NobodyListens) {
  Address address;
  {
    const Socket listener = Socket::listening(local_address("127.0.0.1"));
    address = listener.address();
  }
  int error = 0;
  const Socket caller = Socket::connecting(address, error);
  if (error == 0) {
    ASSERT_TRUE(caller.wait_to_write(kPatience));
    error = caller.connect_error();
  }
  EXPECT_NE(error, 0);
  EXPECT_THROW(local_address("no-such-interface"), Error);
}

}  // namespace
}  // namespace linsep
