#include "linsep/tools/statement.h"

#include <fmt/format.h>

#include "core/words.h"
#include "proof/class_rows.h"

namespace linsep {

Statement statement_of(const Certificate& certificate) {
  const ClassRows made(certificate.data, certificate.origin);
  Statement statement;
  statement.claim = certificate.claim;
  statement.origin = certificate.origin;
  statement.map = map_to_text(certificate.map);
  statement.jointly = made.jointly();
  if (statement.jointly) {
    statement.reference = certificate.data.classes.back();
  } else if (!certificate.data.classes.empty()) {
    statement.against = certificate.data.positive;
  }
  statement.at_zero = certificate.left_at_zero;
  statement.separated = made.rows() - certificate.left_at_zero;
  statement.has_levels = !certificate.levels.empty();
  statement.has_witness = !certificate.witness.empty();
  return statement;
}

std::string map_to_text(const FeatureMap& map) {
  switch (map.kind) {
    case FeatureMap::Kind::kNone:
      return "none";
    case FeatureMap::Kind::kProducts:
      return "products";
    case FeatureMap::Kind::kPolynomial:
      return "polynomial:" + std::to_string(map.degree);
  }
  return {};
}

std::string classifier_words(const Statement& statement, std::string_view noun) {
  return fmt::format("{}{}{}{}", noun, statement.jointly ? " with one score per class" : "",
                     statement.map == "none" ? "" : " on the map " + statement.map,
                     statement.origin ? " through the origin" : "");
}

std::string regression_words(const Statement& statement) {
  const std::string kind = statement.jointly ? "multinomial logistic regression" : "logistic regression";
  return fmt::format(
      "{}{}{}{}{}", kind, statement.against.empty() ? "" : fmt::format(" of {} against the rest", statement.against),
      statement.map == "none" ? "" : " on the map " + statement.map, statement.origin ? " through the origin" : "",
      statement.jointly ? fmt::format(" (with {} as the reference class)", statement.reference) : "");
}

namespace {

/// The words for what is separated, such as "these rows".
std::string apart(const Statement& statement, std::string_view rows = "these rows") {
  return statement.against.empty() ? std::string(rows) : fmt::format("{} from the rest", statement.against);
}

std::string jointly_words(const Statement& statement) {
  const std::string never = "never scores a row's own class lower than another";
  switch (statement.claim) {
    case Claim::kSeparable:
      return fmt::format("some {} {}", classifier_words(statement), separates_words(statement));
    case Claim::kQuasiSeparable:
      return fmt::format("{}, but one {}, and scores it higher in {} of {}", not_separable_words(statement), never,
                         with_commas(statement.separated),
                         counted(statement.separated + statement.at_zero, "comparison"));
    case Claim::kOverlapping:
      return fmt::format("{}, and one that {} has nothing but ties", not_separable_words(statement), never);
    case Claim::kUndecided:
      break;
  }
  return statement.has_witness ? not_separable_words(statement) : "";
}

}  // namespace

std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string separates_words(const Statement& statement) {
  return statement.jointly ? "gets every row right" : "separates " + apart(statement);
}

std::string not_separable_words(const Statement& statement) {
  return fmt::format("no {} {}", classifier_words(statement), separates_words(statement));
}

std::string separated_words(const Statement& statement) {
  return fmt::format("some {} separates {} and has no row on the wrong side", classifier_words(statement),
                     counted(statement.separated, "row"));
}

std::string least_words(const Statement& statement, std::int64_t mistakes) {
  return fmt::format("every {} makes at least {}{}", classifier_words(statement), counted(mistakes, "mistake"),
                     statement.against.empty() ? "" : " in separating " + apart(statement));
}

std::string verdict_words(const Statement& statement) {
  if (statement.jointly) return jointly_words(statement);
  const bool two = statement.against.empty();
  const std::string who = classifier_words(statement);
  switch (statement.claim) {
    case Claim::kSeparable:
      return two ? fmt::format("some {} makes no mistake on these rows", who)
                 : fmt::format("some {} {}", who, separates_words(statement));
    case Claim::kQuasiSeparable:
      return fmt::format("no {} separates {}, but one separates {} and has the other {} on its boundary", who,
                         apart(statement, "all rows"),
                         two ? with_commas(statement.separated) : counted(statement.separated, "row"),
                         with_commas(statement.at_zero));
    case Claim::kOverlapping:
      return not_separable_words(statement) + ", and quasi-separation is ruled out too";
    case Claim::kUndecided:
      break;
  }
  if (statement.has_witness) return not_separable_words(statement);
  return statement.has_levels ? separated_words(statement) : "";
}

std::string claim_words(const Statement& statement) {
  const std::string known = verdict_words(statement);
  return fmt::format("{}{}{}{}", statement.jointly ? "jointly " : "", claim_name(statement.claim),
                     known.empty() ? "" : ": ", known);
}

}  // namespace linsep
