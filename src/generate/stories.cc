// Two small tables to learn with: short messages, some of them spam; patients, some of them with a disease.
#include <array>
#include <span>
#include <string>

#include "core/random.h"
#include "generate/kinds.h"
#include "generate/write_text.h"

namespace linsep {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 12> kSpamOpenings{"Congratulations, you have won",
                                                         "URGENT! You were selected for",
                                                         "Free entry:",
                                                         "Last chance!",
                                                         "Dear customer,",
                                                         "Winner!! Your number was drawn:",
                                                         "Claim now:",
                                                         "Txt WIN to 80082 for",
                                                         "Call 0900 1234567 for",
                                                         "Reply YES to get",
                                                         "Exclusive offer:",
                                                         "Your mobile was awarded"};
constexpr std::array<std::string_view, 10> kPrizes{
    "a free prize",        "a £1000 cash award",  "a new camera phone", "double minutes for half the price",
    "unlimited ringtones", "a holiday for two",   "£500 of shopping",   "a free weekly draw",
    "a bonus credit",      "tickets to the final"};
constexpr std::array<std::string_view, 8> kSpamEndings{"Call now! T&Cs apply.", "Text STOP to end.",
                                                       "Offer ends tonight.",   "Cost 150p per msg.",
                                                       "Visit our site today.", "Only for selected customers.",
                                                       "Reply with your name.", "18+ only."};
constexpr std::array<std::string_view, 14> kHamOpenings{
    "Hey,",    "Ok,",     "Sorry I'm late,", "Mum says", "Lol,",  "Can you call me?",      "No worries,",
    "I think", "Thanks!", "Good morning,",   "Btw,",     "Yeah,", "Are you free tonight?", "Hi love,"};
constexpr std::array<std::string_view, 16> kTopics{
    "I'll be home at six",          "dinner is at our place",    "the bus is stuck again", "we could meet at the café",
    "did you feed the cat",         "the exam went well",        "don't forget the keys",  "let's watch the match",
    "I left my phone at work",      "what time does it start",   "the meeting was moved",  "I won the game at last 😀",
    "is the coffee free for staff", "she was drawn into a chat", "my number is the same",  "we are shopping for two"};
constexpr std::array<std::string_view, 10> kHamEndings{
    "See you soon.", "Call me later.", "Love you!",      "x",    "Talk tomorrow?",
    "Ok?",           "Haha.",          "Will text you.", "Bye!", ""};

std::string_view one_of(Words words, Random& random) { return words[random.below(words.size())]; }

/// A field of CSV, in quotes where it must be.
void append_field(const std::string& text, std::string& out) {
  if (text.find_first_of(",\"\n") == std::string::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char letter : text) {
    if (letter == '"') out += '"';
    out += letter;
  }
  out += '"';
}

void append_part(std::string_view part, std::string& text) {
  if (!part.empty() && !text.empty()) text += ' ';
  text += part;
}

}  // namespace

// One message in six is spam. Either kind now and then uses the other's words.
Recipe make_messages(std::int64_t rows, std::uint64_t seed) {
  Recipe recipe{.rows = rows, .features = 1, .entries = 8};
  recipe.header = "label,text\n";
  recipe.append = [seed](std::int64_t i, std::string& out) {
    Random random(seed, static_cast<std::uint64_t>(i));
    const bool spam = random.below(6) == 0;
    const auto odd = [&](int one_in) { return random.below(static_cast<std::uint64_t>(one_in)) == 0; };
    std::string text;
    append_part(one_of(spam != odd(40) ? Words(kSpamOpenings) : Words(kHamOpenings), random), text);
    append_part(one_of(spam != odd(12) ? Words(kPrizes) : Words(kTopics), random), text);
    if (!odd(3)) append_part(one_of(spam != odd(25) ? Words(kSpamEndings) : Words(kHamEndings), random), text);
    out += spam ? "spam," : "ham,";
    append_field(text, out);
    out += '\n';
  };
  return recipe;
}

// The disease has odds that grow with age and marker, with smoking and at one of four wards. Some tests weren't made.
Recipe make_patients(std::int64_t rows, std::uint64_t seed) {
  constexpr std::array<std::string_view, 4> kWards{"north", "south", "east", "west"};
  constexpr std::array<std::string_view, 3> kSmoking{"never", "former", "current"};
  Recipe recipe{.rows = rows, .features = 6, .entries = 8};
  recipe.header = "patient,admitted,age,sex,smoking,marker,ward,outcome\n";
  recipe.append = [seed, kWards, kSmoking](std::int64_t i, std::string& out) {
    Random random(seed, static_cast<std::uint64_t>(i));
    const auto age = static_cast<std::int64_t>(20 + random.below(70));
    const std::uint64_t smoking = random.below(3), ward = random.below(4), month = 1 + random.below(12);
    const auto marker = static_cast<std::int64_t>(100 + 900 * random.uniform() * random.uniform());
    const bool tested = random.below(12) != 0;
    out += 'P';
    append_decimal(100000 + i, 0, out);
    out += month < 10 ? ",2026-0" : ",2026-";
    append_decimal(static_cast<std::int64_t>(month), 0, out);
    out += "-1";
    append_decimal(static_cast<std::int64_t>(random.below(10)), 0, out);
    out += ',';
    append_decimal(age, 0, out);
    out += random.below(2) == 0 ? ",f," : ",m,";
    out += kSmoking[smoking];
    out += ',';
    if (tested) append_decimal(marker, 1, out);
    out += ',';
    out += kWards[ward];
    const double score = 0.06 * static_cast<double>(age - 55) + 0.08 * (static_cast<double>(marker) / 10 - 30) +
                         0.9 * (static_cast<double>(smoking) - 1) + (ward == 3 ? 1.2 : 0) + 0.9 * random.normal();
    out += score > 1 ? ",disease\n" : ",healthy\n";
  };
  return recipe;
}

}  // namespace linsep
