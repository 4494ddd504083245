// Models of tables as files, in version 2, next to version 1 as it was.
#include <gtest/gtest.h>

#include <limits>

#include "linsep/error.h"
#include "model/broken_file_testing.h"
#include "model/examples_test.h"

namespace linsep {
namespace {

TEST(TableModel, IsTheSameInBothFormsWithEveryKindOfEncoder) {
  Model model = of_table(table_example());
  model.threshold = 1.5;
  const std::string json = model_to_json(model), binary = model_to_binary(model);
  EXPECT_EQ(model_from_bytes(json, "m"), model);
  EXPECT_EQ(model_from_bytes(binary, "m"), model);
  EXPECT_EQ(model_to_json(model_from_bytes(binary, "m")), json);
}

TEST(TableModel, IsWrittenAsVersion2AndAllOthersAsVersion1) {
  for (const Model& model : examples()) {
    const bool second = !model.table.empty() || model.threshold != 0;
    EXPECT_EQ(model_to_json(model).find("\"version\": 2") != std::string::npos, second);
    EXPECT_EQ(model_to_binary(model)[8], second ? 2 : 1);
  }
  Model model = linear_example();
  model.threshold = 0.5;
  EXPECT_NE(model_to_json(model).find("\"threshold\": 0.5"), std::string::npos);
  EXPECT_EQ(model_from_bytes(model_to_binary(model), "m"), model);
}

TEST(TableModel, OfVersion1IsRefused) {
  const std::string json = model_to_json(table_example_model());
  EXPECT_EQ(complaint(replaced(json, "\"version\": 2", "\"version\": 1")),
            "m: not a model file: the field \"table\" is not one of this format");
  EXPECT_EQ(complaint(replaced(json, "\"version\": 2", "\"version\": 5")),
            "m: not a model file: the model has version 5 of the format; this program reads versions 1 to 4");
}

TEST(TableModel, IsRefusedWhereTableAndModelDontFit) {
  const std::string json = model_to_json(table_example_model());
  EXPECT_EQ(complaint(replaced(json, "\"size\": 3", "\"size\": 2")).substr(0, 35),
            "m: not a model file: the table has ");
  EXPECT_EQ(complaint(replaced(json, "\"factor\": 0.125", "\"factor\": -1")),
            "m: not a model file: column 'age' of the table: its factor should be a number above 0");
  Model model = table_example_model();
  model.table.encoders[0].column = "sender \"id\"";
  EXPECT_THROW(model_to_json(model), Error);
}

TEST(Threshold, IsFiniteAndOfTwoClasses) {
  Model model = classes_example();
  model.threshold = 1;
  EXPECT_THROW(model_to_json(model), Error);
  model = linear_example();
  model.threshold = std::numeric_limits<double>::infinity();
  EXPECT_THROW(model_to_json(model), Error);
}

TEST(FeatureName, OfATableIsTheEncodersAndOfProductsTheirs) {
  Model model = table_example_model();
  EXPECT_EQ(feature_name(model, 1), "age is missing");
  model.map = {FeatureMap::Kind::kPolynomial, 2};
  EXPECT_EQ(feature_name(model, 0), "age");
  EXPECT_EQ(feature_name(model, model.features), "age^2");
  EXPECT_EQ(feature_name(model, model.features + 2), "age·sender \"id\"=bob");
}

}  // namespace
}  // namespace linsep
