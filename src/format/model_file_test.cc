#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "linsep/certificate.h"
#include "linsep/error.h"
#include "linsep/model.h"
#include "model/broken_file_testing.h"
#include "model/examples_test.h"
#include "os/file.h"

namespace linsep {
namespace {

namespace fs = std::filesystem;

/// A separate folder for each test, removed afterwards.
class ModelFile : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(::testing::TempDir()) / (std::string("linsep_") + info->test_suite_name() + info->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

 private:
  fs::path folder_;
};

TEST_F(ModelFile, ReadsBackEqualInBothForms) {
  for (const Model& model : examples()) {
    EXPECT_EQ(model_from_bytes(model_to_json(model), "m"), model) << model_to_json(model);
    EXPECT_EQ(model_from_bytes(model_to_binary(model), "m"), model);
  }
}

TEST_F(ModelFile, KeepsEveryBitOfEveryNumber) {
  EXPECT_TRUE(rc::check([](const std::vector<std::uint64_t>& drawn, std::uint64_t offset) {
    const auto number = [](std::uint64_t bits) {
      const auto result = std::bit_cast<double>(bits);
      return std::isfinite(result) ? result : -0.0;
    };
    Model model;
    model.features = static_cast<std::uint32_t>(drawn.size());
    for (const std::uint64_t bits : drawn) model.theta.push_back(number(bits));
    model.offset = number(offset);
    model.options["number"] = number(offset);
    for (const std::string& bytes : {model_to_json(model), model_to_binary(model)}) {
      const Model back = model_from_bytes(bytes, "m");
      RC_ASSERT(back == model);
      RC_ASSERT(std::memcmp(back.theta.data(), model.theta.data(), model.theta.size() * 8) == 0);
    }
  }));
  for (const double extreme : {-0.0, 5e-324, std::numeric_limits<double>::max(), 1e22, 123456789012345680.0}) {
    Model model;
    model.offset = extreme;
    const double back = model_from_bytes(model_to_json(model), "m").offset;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(extreme)) << extreme;
  }
}

TEST_F(ModelFile, KeepsWordsOfAnyBytes) {
  Model model = linear_example();
  model.schema.classes = {"\xe4\xf6", "naïve\n\"quoted\""};
  model.schema.feature_names = {std::string("\0\xff", 2), ""};
  EXPECT_EQ(model_from_bytes(model_to_json(model), "m"), model);
  EXPECT_EQ(model_from_bytes(model_to_binary(model), "m"), model);
}

TEST_F(ModelFile, InJsonLooksAsItAlwaysDid) {
  EXPECT_EQ(model_to_json(linear_example()), R"({
  "format": "linsep model",
  "version": 1,
  "learner": "perceptron",
  "options": {
    "averaged": false,
    "init": [-1, 0.1],
    "order": "given",
    "passes": 100,
    "rate": 1.0
  },
  "form": "linear",
  "origin": false,
  "regression": false,
  "classes": ["no", "yes"],
  "features": 2,
  "feature_names": ["width", "height \"cm\""],
  "map": "none",
  "theta": [3, -0.1],
  "offset": -4
}
)");
  EXPECT_EQ(model_to_json(dual_example()), R"({
  "format": "linsep model",
  "version": 1,
  "learner": "dual-perceptron",
  "options": {
    "gamma": 0.5
  },
  "form": "dual",
  "origin": false,
  "regression": false,
  "classes": ["-1", "1"],
  "features": 3,
  "map": "none",
  "offset": 1,
  "kernel": {
    "kind": "gaussian",
    "degree": 3,
    "constant": 0.5,
    "gamma": 0.25
  },
  "kept": {
    "start": [0, 2, 2, 3],
    "column": [0, 2, 1],
    "value": [1.5, -2, 1e-300]
  },
  "coefficient": [1, -3, 2]
}
)");
}

TEST_F(ModelFile, InBinaryHasAHeaderArraysOnMultiplesOfEightAndAChecksum) {
  const std::string bytes = model_to_binary(linear_example());
  EXPECT_EQ(bytes.substr(0, 8), "\x89LINSEP\n");
  EXPECT_EQ(bytes.size() % 8, 0U);
  EXPECT_NE(bytes.find("\"theta\": 2"), std::string::npos);
  double last = 0;
  std::memcpy(&last, bytes.data() + bytes.size() - 16, 8);
  EXPECT_EQ(last, -0.1);
}

TEST_F(ModelFile, IsJsonWhenSmallOrSoNamedElseBinary) {
  Model model;
  model.features = 100'001;
  model.theta.assign(model.features, 0.5);
  save_model(model, path("large.json"));
  save_model(model, path("large.model"));
  EXPECT_EQ(read_whole_file(path("large.json"))[0], '{');
  EXPECT_EQ(read_whole_file(path("large.model")), model_to_binary(model));
  EXPECT_EQ(load_model(path("large.json")), load_model(path("large.model")));
  save_model(linear_example(), path("small.model"));
  EXPECT_EQ(read_whole_file(path("small.model")), model_to_json(linear_example()));
  EXPECT_EQ(files(), 3U);
}

TEST_F(ModelFile, ReplacesAnOldFile) {
  save_model(dual_example(), path("a"));
  save_model(linear_example(), path("a"));
  EXPECT_EQ(load_model(path("a")), linear_example());
  EXPECT_EQ(files(), 1U);
}

#ifndef _WIN32
TEST_F(ModelFile, FollowsALink) {
  save_model(dual_example(), path("a"));
  fs::create_symlink("a", path("link"));
  save_model(linear_example(), path("link"));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(load_model(path("a")), linear_example());
  EXPECT_EQ(files(), 2U);
}

TEST_F(ModelFile, GoesToADeviceAsItStands) {
  save_model(linear_example(), "/dev/null");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THROW(save_model(linear_example(), "/dev/full"), Error);
}
#endif

TEST_F(ModelFile, ThatCantBeWrittenIsASystemErrorAndLeavesNothing) {
  const auto kind = [&](const std::string& to) {
    try {
      save_model(linear_example(), to);
    } catch (const Error& error) {
      return error.kind();
    }
    return Error::Kind::kUsage;
  };
  EXPECT_EQ(kind(path("missing/model")), Error::Kind::kSystem);
  EXPECT_EQ(kind(path("")), Error::Kind::kSystem);
  EXPECT_EQ(files(), 0U);
}

TEST_F(ModelFile, ThatCantBeOpenedIsAnInputError) {
  for (const std::string& name : {path("missing"), path("")}) {
    try {
      load_model(name);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::kInput);
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos);
    }
  }
}

TEST_F(ModelFile, OfNumbersThatArentFiniteIsRefused) {
  Model model = linear_example();
  model.theta[1] = std::nan("");
  try {
    save_model(model, path("m"));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the model can't be written: number 2 of theta is not finite");
  }
  EXPECT_EQ(files(), 0U);
}

TEST_F(ModelFile, ThatIsWrongSaysWhatIsWrong) {
  const std::string good = model_to_json(linear_example());
  EXPECT_EQ(complaint(""),
            "m:1:1: not valid JSON: syntax error while parsing value - unexpected end of input; expected "
            "'[', '{', or a literal");
  EXPECT_EQ(complaint("\n1,0,2\n"), "m: not a model file: should be a JSON object");
  EXPECT_EQ(complaint("[]"), "m: not a model file: should be a JSON object");
  EXPECT_EQ(complaint("{}"), "m: not a model file: the field \"format\" is missing");
  EXPECT_EQ(complaint(replaced(good, "3, -0.1", "3 -0.1")).substr(0, 46),
            "m:19:18: not valid JSON: syntax error while pa");
  EXPECT_EQ(complaint(replaced(good, "\"version\": 1", "\"version\": 5")),
            "m: not a model file: the model has version 5 of the format; this program reads versions 1 to 4");
  EXPECT_EQ(complaint(replaced(good, "3, -0.1", "3")), "m: not a model file: theta should hold 2 numbers but holds 1");
  EXPECT_EQ(complaint(replaced(good, "3, -0.1", "3, null")),
            "m: not a model file: the field \"theta\" should be a number");
  EXPECT_EQ(complaint(replaced(good, "\"features\": 2", "\"features\": 4294967296")),
            "m: not a model file: the field \"features\" should be an integer from 0 to 4294967295");
  EXPECT_EQ(complaint(replaced(good, "\"no\", \"yes\"", "\"no\", \"no\"")),
            "m: not a model file: there should be two different classes");
  EXPECT_EQ(complaint(replaced(good, "\"form\": \"linear\"", "\"form\": \"round\"")),
            "m: not a model file: the field \"form\" should be one of \"linear\", \"dual\", \"voted\", "
            "\"classes\", \"labels\"");
  EXPECT_EQ(complaint(replaced(good, "\"offset\"", "\"offst\"")),
            "m: not a model file: the field \"offset\" is missing");
  EXPECT_EQ(complaint(replaced(good, "\"offset\"", "\"note\": 1, \"offset\"")),
            "m: not a model file: the field \"note\" is not one of this format");
  const std::string dual = model_to_json(dual_example());
  EXPECT_EQ(complaint(replaced(dual, "[0, 2, 1]", "[2, 0, 1]")),
            "m: not a model file: the columns of kept row 1 don't ascend");
  EXPECT_EQ(complaint(replaced(dual, "[0, 2, 1]", "[0, 3, 1]")),
            "m: not a model file: kept row 1 has a column beyond the features");
  EXPECT_EQ(complaint(replaced(dual, "[0, 2, 2, 3]", "[0, 4, 2, 3]")),
            "m: not a model file: the offsets of the kept rows don't ascend at row 1");
  std::string binary = model_to_binary(linear_example());
  binary[binary.size() - 10] ^= 1;
  EXPECT_EQ(complaint(binary), "m: not a model file: its checksum is wrong: the file is damaged or cut short");
  EXPECT_EQ(complaint(binary.substr(0, 12)), "m: not a model file: it ends within its prefix");
}

TEST_F(ModelFile, SaysHowTrainingWent) {
  Model model = linear_example();
  model.training = {StopReason::kTime, 0.5, 0.25, 0.5, std::string(64, 'a')};
  const std::string json = model_to_json(model);
  EXPECT_NE(json.find("\"version\": 4"), std::string::npos);
  EXPECT_EQ(model_from_bytes(json, "m"), model);
  EXPECT_EQ(model_from_bytes(model_to_binary(model), "m"), model);
  EXPECT_EQ(complaint(replaced(json, "\"time\"", "\"bored\"")).substr(0, 61),
            "m: not a model file: the field \"training.stopped\" should be o");
  EXPECT_EQ(complaint(replaced(json, "\"gap\": 0.5", "\"gap\": -0.5")),
            "m: not a model file: training.gap should be a number of at least 0");
  EXPECT_EQ(complaint(replaced(json, "aaa\"", "aaA\"")),
            "m: not a model file: training.root should be 64 hexadecimal digits");
  EXPECT_EQ(complaint(replaced(json, "\"version\": 4", "\"version\": 3")),
            "m: not a model file: the field \"training\" is not one of this format");
}

TEST(CertificateFile, IsReadAgainAsItWasWritten) {
  Certificate certificate;
  certificate.claim = Claim::kOverlapping;
  certificate.witness = {{0, "1/2"}, {1, "1/2"}};
  certificate.span.emplace();
  certificate.span->rows = {0, 1};
  certificate.data = {2, 1, "-1", "1", std::string(64, '0')};
  const std::string path = ::testing::TempDir() + "/linsep_certificate_test.json";
  save_certificate(certificate, path);
  EXPECT_EQ(load_certificate(path), certificate);
  EXPECT_THROW(load_certificate(path + ".absent"), Error);
  EXPECT_THROW(save_certificate(certificate, ::testing::TempDir() + "/absent/x.json"), Error);
}

}  // namespace
}  // namespace linsep
