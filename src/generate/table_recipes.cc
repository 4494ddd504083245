// Recipes of tables: payments, messages and patients.
#include <array>
#include <charconv>
#include <memory>
#include <span>
#include <string>

#include "core/random.h"
#include "generate/recipes.h"

namespace linsep {
namespace {

// A table of payments, some of them fraud, with a number, a time, small and large categories, missing values and, on
// request, a text.
//
// The odds of fraud are a product: base · amount · hour · country · merchant · card · words. About one card in fifty is
// a bad one, with odds a hundred times those of others, so leaving out the largest category costs much. The effects of
// merchants and cards are hashes of their numbers, so nothing grows with the rows.

constexpr double kBaseOdds = 0.0021;
constexpr double kBadCard = 100, kBadWord = 4;
constexpr std::uint32_t kMerchants = 2000;
constexpr std::uint32_t kVocabulary = 50000;

// The most frequent first. NA is Namibia, not a missing value.
constexpr std::array<std::string_view, 36> kCountries{
    "US", "CN", "IN", "DE", "GB", "FR", "BR", "JP", "IT", "CA", "ES", "MX", "KR", "NL", "TR", "PL", "SE", "BE",
    "AR", "NO", "AT", "NG", "ZA", "DK", "SG", "FI", "CZ", "PT", "GR", "NZ", "HU", "KE", "MA", "NA", "IS", "MT"};

constexpr std::array<std::string_view, 20> kSyllables{"ba", "de", "fi", "go", "hu", "ka",  "le",  "mi",  "no",  "pu",
                                                      "ra", "se", "ti", "vo", "zu", "lan", "mer", "nit", "ros", "tul"};
constexpr std::array<std::string_view, 6> kTrades{" Foods", " Travel", " Books", " Fuel", " Games", " Market"};

// Three syllables, different for each number below 8,000. Larger numbers get more syllables.
std::string spelled(std::uint64_t number) {
  std::string word;
  std::uint64_t rest = number % 8000 * 2143 % 8000;
  for (int i = 0; i < 3; ++i, rest /= kSyllables.size()) word += kSyllables[rest % kSyllables.size()];
  for (rest = number / 8000; rest > 0; rest /= kSyllables.size()) word += kSyllables[rest % kSyllables.size()];
  return word;
}

std::string merchant_name(std::uint32_t number) {
  std::string name = spelled(number);
  name[0] = static_cast<char>(name[0] - 'a' + 'A');
  if (number % 40 == 7) return '"' + name + ", Sons & Co\"";
  return name + std::string(kTrades[number % kTrades.size()]);
}

// Fields that are made once, ready to be appended, each with its effect on the odds.
struct Fields {
  std::vector<std::string> day, merchant, word;
  std::vector<double> of_merchant, of_country;
  std::uint64_t card_key = 0, word_key = 0;
};

// Between 1/4 and 4, mostly near 1.
double drawn_factor(std::uint64_t bits) {
  const double u = static_cast<double>(bits >> 11) * 0x1p-53;
  return u < 0.5 ? 0.25 + 1.5 * u : 1 + 12 * (u - 0.5) * (u - 0.5);
}

std::vector<std::string> days_of_2025() {
  constexpr std::array<int, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  std::vector<std::string> days;
  for (std::size_t month = 0; month < kDays.size(); ++month) {
    for (int day = 1; day <= kDays[month]; ++day) {
      const std::string m = std::to_string(month + 1), d = std::to_string(day);
      days.push_back("2025-" + std::string(2 - m.size(), '0') + m + "-" + std::string(2 - d.size(), '0') + d);
    }
  }
  return days;
}

std::shared_ptr<const Fields> make_fields(std::uint32_t words, std::uint64_t seed) {
  auto fields = std::make_shared<Fields>();
  const std::uint64_t key = keyed_hash(seed, static_cast<std::uint64_t>(Stream::kTable));
  fields->card_key = keyed_hash(key, 1);
  fields->word_key = keyed_hash(key, 2);
  fields->day = days_of_2025();
  for (std::uint32_t i = 0; i < kMerchants; ++i) {
    fields->merchant.push_back(merchant_name(i));
    fields->of_merchant.push_back(drawn_factor(keyed_hash(keyed_hash(key, 3), i)));
  }
  for (std::uint32_t i = 0; i < kCountries.size(); ++i) {
    fields->of_country.push_back(drawn_factor(keyed_hash(keyed_hash(key, 4), i)));
  }
  for (std::uint32_t i = 0; words > 0 && i < kVocabulary; ++i) fields->word.push_back(spelled(i));
  return fields;
}

// Draws a number k below `count` with weight about k^−2/3, so a few are frequent and most are rare.
std::uint32_t skewed(std::uint32_t count, Random& random) {
  const double u = random.uniform();
  return static_cast<std::uint32_t>(static_cast<double>(count) * (u * u * u));
}

bool chance(Random& random, double of_all) { return random.uniform() < of_all; }

// Between 1.00 and about 5,000, half of them below 40. The odds grow with it from 1 to 6.
double append_amount(Random& random, std::string& out) {
  const double u = random.uniform();
  const double amount = 1 + 39 * u / (1.008 - u);
  if (chance(random, 0.02)) return 2;
  append_decimal(static_cast<std::int64_t>(amount * 100), 2, out);
  return 1 + 5 * amount / (amount + 300);
}

// Nights have few payments, and three times the odds of fraud.
double append_time(const Fields& fields, Random& random, std::string& out) {
  const bool night = chance(random, 0.1);
  const auto minute = static_cast<unsigned>(night ? random.below(6 * 60) : 6 * 60 + random.below(18 * 60));
  out += fields.day[random.below(fields.day.size())];
  const std::array<unsigned, 2> parts{minute / 60, minute % 60};
  const std::array<char, 2> signs{' ', ':'};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out += signs[i];
    out += static_cast<char>('0' + parts[i] / 10);
    out += static_cast<char>('0' + parts[i] % 10);
  }
  return night ? 3 : 1;
}

double append_country(const Fields& fields, Random& random, std::string& out) {
  const std::uint32_t number = skewed(kCountries.size(), random);
  if (chance(random, 0.01)) return 3;
  out += kCountries[number];
  return fields.of_country[number];
}

double append_merchant(const Fields& fields, Random& random, std::string& out) {
  const std::uint32_t number = skewed(kMerchants, random);
  if (chance(random, 0.005)) return 1;
  out += fields.merchant[number];
  return fields.of_merchant[number];
}

double append_card(const Fields& fields, std::uint32_t cards, Random& random, std::string& out) {
  const std::uint32_t number = skewed(cards, random);
  std::array<char, 12> digits{'c'};
  out.append(digits.data(), std::to_chars(digits.data() + 1, digits.data() + digits.size(), number + 1).ptr);
  return keyed_hash(fields.card_key, number) % 50 == 0 ? kBadCard : 1;
}

double append_note(const Fields& fields, std::uint32_t words, Random& random, std::string& out) {
  double odds = 1;
  for (std::uint32_t i = 0; i < words; ++i) {
    const std::uint32_t number = skewed(kVocabulary, random);
    if (i > 0) out += ' ';
    out += fields.word[number];
    if (odds == 1 && keyed_hash(fields.word_key, number) % 64 == 0) odds = kBadWord;
  }
  return odds;
}

}  // namespace

Recipe make_table(std::int64_t rows, std::uint32_t cards, std::uint32_t words, std::uint64_t seed) {
  Recipe recipe{.rows = rows, .features = words > 0 ? 6U : 5U, .entries = 6 + words};
  recipe.header =
      words > 0 ? "amount,when,country,merchant,card,note,label\n" : "amount,when,country,merchant,card,label\n";
  recipe.append = [cards, words, seed, fields = make_fields(words, seed)](std::int64_t i, std::string& out) {
    Random random(seed, static_cast<std::uint64_t>(i));
    double odds = kBaseOdds * append_amount(random, out);
    out += ',';
    odds *= append_time(*fields, random, out);
    out += ',';
    odds *= append_country(*fields, random, out);
    out += ',';
    odds *= append_merchant(*fields, random, out);
    out += ',';
    odds *= append_card(*fields, cards, random, out);
    out += ',';
    if (words > 0) {
      odds *= append_note(*fields, words, random, out);
      out += ',';
    }
    out += random.uniform() * (1 + odds) < odds ? "fraud\n" : "clean\n";
  };
  return recipe;
}

namespace {

// Two small tables to learn with: short messages, some of them spam, and patients, some of them with a disease.

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

/// Appends a CSV field, in quotes if needed.
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

// One message in six is spam. Both kinds occasionally use the other's words.
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

// The odds of the disease grow with age and marker, with smoking, and in one of four wards. Some tests weren't made.
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
