// Certificates: a text is refused with an input Error, or written and read again as the same certificate; and a checker
// that calls it valid is right about rows of which the truth is known.
#include <array>
#include <memory>
#include <optional>

#include "data/memory_source.h"
#include "linsep/certify.h"
#include "linsep/error.h"
#include "linsep/read.h"
#include "linsep/tools/certify_classes.h"
#include "memory_file.h"
#include "target.h"

namespace linsep::fuzz {
namespace {

/// Rows that are held with what is written of them, and what is true of them.
struct Subject {
  std::unique_ptr<Source> source;
  DataDigest digest;
  std::array<std::optional<Claim>, 2> claim;  ///< of classifiers with an offset, and through the origin
};

/// Rows as written come from memory, not from the file.
std::unique_ptr<Source> held_rows(const std::string& text, std::vector<std::string> classes) {
  const MemoryFile file;
  file.write(text);
  ReadOptions reading;
  reading.double_values = reading.exact_values = reading.many_classes = true;
  reading.threads = 1;
  reading.classes = std::move(classes);
  const auto loaded = load(file.path(), reading);
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(loaded->shape().rows));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int64_t>(i);
  const Schema schema = loaded->schema();
  const std::uint32_t features = loaded->shape().features;
  auto written = [rows = loaded->written(numbers)](std::span<const std::int64_t> asked) {
    std::vector<WrittenRow> answer;
    for (const std::int64_t row : asked) answer.push_back(rows[static_cast<std::size_t>(row)]);
    return answer;
  };
  return std::make_unique<MemorySource>(dynamic_cast<MemorySource&>(*loaded).take_pages(), schema, features,
                                        std::move(written));
}

Subject two_classes(const std::string& text, Claim with_offset, Claim through_origin) {
  Subject subject;
  subject.source = held_rows(text, {"-1", "1"});
  subject.digest = digest_rows(*subject.source);
  subject.claim = {with_offset, through_origin};
  return subject;
}

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all = [] {
    std::vector<Subject> made;
    made.push_back(two_classes("-1 1:0 2:0\n-1 2:1\n-1 1:1\n1 1:1 2:1\n", Claim::kSeparable, Claim::kOverlapping));
    made.push_back(two_classes("-1 1:0 2:0\n1 2:1\n1 1:1\n-1 1:1 2:1\n", Claim::kOverlapping, Claim::kOverlapping));
    made.push_back(
        two_classes("-1 1:0.5\n1 1:0.5\n1 1:2 2:-1.5\n1 2:-3\n", Claim::kQuasiSeparable, Claim::kQuasiSeparable));
    made.push_back({held_rows("a 1:1\nb 2:1\nc 1:-1 2:-1\nb 1:0.5 2:2\n", {"a", "b", "c"}), {}, {}});
    return made;
  }();
  return all;
}

CheckResult checked(const Certificate& certificate, Source* rows) {
  ProofOptions options;
  options.threads = 1;
  const CheckResult result = verify_certificate(certificate, rows, options);
  must(!(result.valid && result.needs_data), "valid, and more is needed");
  must(!result.reason.empty(), "a checker gives no reason");
  return result;
}

void check(const Certificate& certificate, const Subject& subject) {
  const CheckResult result = checked(certificate, subject.source.get());
  must(!result.needs_data, "the data set is there, and is asked for");
  const auto& truth = subject.claim[certificate.origin ? 1 : 0];
  if (!result.valid || !truth || certificate.map.kind != FeatureMap::Kind::kNone) return;
  must(certificate.claim == *truth || certificate.claim == Claim::kUndecided, "a false claim is called valid");
}

void run(std::string_view bytes) {
  Front front(bytes);
  Bits bits(front.byte());
  const Subject& subject = subjects()[bits.take(4)];
  Certificate certificate;
  try {
    certificate = certificate_from_json(front.rest(), "c");
  } catch (const Error& error) {
    return must(error.kind() == Error::Kind::kInput, "a certificate is refused otherwise than as input");
  }
  if (is_thorough(bytes)) {
    const std::string json = certificate_to_json(certificate);
    must(certificate_from_json(json, "c") == certificate, "a certificate changes when written");
    checked(certificate, nullptr);
  }
  // A forger knows the rows: the digest is made right, so that what is said of the rows is looked at.
  if (bits.next() && !subject.digest.root.empty()) certificate.data = subject.digest;
  check(certificate, subject);
}

/// What is proven of a subject by the program itself.
std::vector<Certificate> found_for(const Subject& subject) {
  CertifyOptions options;
  options.threads = 1;
  if (!subject.claim[0]) {
    return {certify_jointly(*subject.source, options, *solo()).certificate,
            certify_against_the_rest(*subject.source, 1, options, *solo()).certificate};
  }
  std::vector<Certificate> found;
  options.mistakes = options.coefficients = true;
  for (const bool origin : {false, true}) {
    options.origin = origin;
    options.map = {};
    found.push_back(certify(*subject.source, options).certificate);
    must(found.back().claim == subject.claim[origin ? 1 : 0], "what is true of the rows is something else");
    options.map = {FeatureMap::Kind::kProducts, 2};
    found.push_back(certify(*subject.source, options).certificate);
  }
  return found;
}

std::vector<std::string> seeds() {
  std::vector<std::string> all;
  for (std::size_t s = 0; s < subjects().size(); ++s) {
    for (Certificate& certificate : found_for(subjects()[s])) {
      for (const bool carry : {true, false}) {
        ProofOptions options;
        options.threads = 1;
        options.carry = carry;
        seal_certificate(certificate, *subjects()[s].source, options);
        all.push_back(static_cast<char>(s + (carry ? 4 : 0)) + in_one_line(certificate_to_json(certificate)));
      }
    }
  }
  return all;
}

}  // namespace

const Target& certificates_target() {
  static const Target target{"certificates", run, seeds, true};
  return target;
}

}  // namespace linsep::fuzz
