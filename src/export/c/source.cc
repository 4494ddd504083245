// A model as one file of C99.
#include <fmt/format.h>

#include "export/c/answers.h"
#include "export/c/text.h"
#include "export/c/writer.h"
#include "export/plan.h"
#include "linsep/tools/export.h"

namespace linsep {
namespace {

Language c_language() {
  Language language;
  language.name = "C";
  language.hashed = true;
  language.characters = true;
  return language;
}

constexpr const char* kHead =
    R"(/* A linear classifier, written by linsep: C99, no allocation, no locale. Compile it, or include it, and call
 *
{0} *
 * With #define @ONLY_DECLARED before it, this file can be included as its own header.{1}
 * Scores are the same bits as linsep's where floating-point arithmetic is IEEE 754's: no -ffast-math, no x87. */
#ifndef @DECLARED
#define @DECLARED

{2}
{3}
#endif

#ifndef @ONLY_DECLARED
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif
)";

constexpr const char* kThreads =
    " Texts are counted in static arrays:\n * where several threads score, compile with -D@THREAD=_Thread_local (C11) "
    "or "
    "__thread.";

}  // namespace

std::string export_c(const Model& model, const std::string& name) {
  const Plan plan = make_plan(model, c_language());
  const std::string own = c_identifiers({name}).front();
  const CWriter writer(plan, own);
  bool text = false;
  for (const Input& input : plan.inputs) text = text || input.kind == Encoder::Kind::kText;
  const CAnswers answers = c_answers(model);
  std::string calls;
  for (const std::string& declaration : answers.declarations) calls += " *   " + declaration + "\n";
  std::string declarations;
  for (const std::string& declaration : answers.declarations) declarations += declaration + "\n";
  std::string file = fmt::format(kHead, calls, text ? kThreads : "", writer.row_struct(), declarations);
  if (text) file += "#ifndef @THREAD\n#define @THREAD\n#endif\n";
  file += writer.tables() + writer.functions() + writer.scores_function() + answers.functions;
  return with_prefix(file, own) + "#endif\n";
}

}  // namespace linsep
