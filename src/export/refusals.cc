#include "export/refusals.h"

#include <fmt/format.h>

#include <algorithm>

#include "linsep/error.h"

namespace linsep {
namespace {

/// Of a column: columns named {} would be taken for options.
std::string shown_column(const std::string& column) {
  std::string shown = column;
  for (std::size_t at = shown.find("{}"); at != std::string::npos; at = shown.find("{}", at)) shown.erase(at, 2);
  return shown;
}

[[noreturn]] void refuse(const Language& language, const std::string& reason, std::vector<std::string> options = {}) {
  std::string sentence = fmt::format("the model can't be said in {}: ", language.name) + reason;
  if (options.empty()) throw usage_error(sentence);
  throw options_error(std::move(options), std::move(sentence));
}

bool has_nul(const std::string& text) { return text.find('\0') != std::string::npos; }

void refuse_encoder(const Encoder& encoder, const Language& language) {
  const std::string column = "column '" + shown_column(encoder.column) + "' ";
  if (encoder.bits > 0 && !language.hashed) refuse(language, column + "is hashed; train without {}", {"bits"});
  if (encoder.bits > 22 && encoder.every_bucket) {
    refuse(language, column + "is hashed into more than 2^22 buckets; train with {} 22 or less", {"bits"});
  }
  if (!encoder.chars.none() && !language.characters) {
    refuse(language, column + "is split into characters; train without {}", {"chars"});
  }
  if (encoder.kind == Encoder::Kind::kText && !language.text) refuse(language, column + language.text_advice);
  const bool nul = has_nul(encoder.column) || std::ranges::any_of(encoder.terms, has_nul);
  if (nul && !language.nul)
    refuse(language, column + "holds a value with a NUL byte; train without it by {}", {"ignore"});
}

}  // namespace

void refuse_form(const Model& model, const Language& language) {
  if (model.form == Model::Form::kDual) {
    refuse(language, "it is in dual form, which keeps rows; train a learner whose model is linear, or convert to JSON");
  }
  if (model.form == Model::Form::kVoted) {
    refuse(language, "it is in voted form, which keeps every mistake; train the averaged perceptron instead");
  }
  if (model.map.kind != FeatureMap::Kind::kNone) {
    refuse(language,
           "it has the feature map " + map_text(model.map) + "; train without {}, or with {} for single pairs",
           {"map", "cross"});
  }
}

void refuse_columns(const TableMap& table, const Language& language) {
  for (const Encoder& encoder : table.encoders) refuse_encoder(encoder, language);
}

}  // namespace linsep
